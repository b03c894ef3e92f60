package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.atMs;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.gone;
import static dev.roomcell.domain.Story.joined;
import static dev.roomcell.domain.Story.left;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each thing that happens to ben comes to, by what ben is to the room. */
class PresenceTableTest {
    private enum Standing {
        ABSENT,
        PRESENT,
        LEFT,
        STALE_LEFT,
        KICKED,
        UNBANNED,
        CLOSED_LEFT
    }

    private enum Deed {
        JOIN,
        JOIN_AS_ROBOT,
        HEARTBEAT,
        LEAVE,
        KICK,
        UNBAN,
        SWEEP
    }

    /** Whether ben is "in" or "out" after, "same" for no version at all, or the reason of the refusal. */
    private static final DecisionTable TABLE = new DecisionTable("""
                        ABSENT       PRESENT  LEFT         STALE_LEFT   KICKED  UNBANNED     CLOSED_LEFT
        JOIN            in           same     in           in           BANNED  in           ROOM_CLOSED
        JOIN_AS_ROBOT   in           same     in           in           BANNED  in           ROOM_CLOSED
        HEARTBEAT       same         same     same         same         same    same         same
        LEAVE           NOT_PRESENT  out      NOT_PRESENT  NOT_PRESENT  BANNED  NOT_PRESENT  ROOM_CLOSED
        KICK            out          out      out          out          same    out          ROOM_CLOSED
        UNBAN           same         same     same         same         out     same         ROOM_CLOSED
        SWEEP           same         out      same         same         same    same         ROOM_CLOSED
        """);

    @Test
    void noStandingAndNoDeedIsForgotten() {
        assertThat(TABLE.rows()).isEqualTo(DecisionTable.names(Deed.values()));
        assertThat(TABLE.columns()).isEqualTo(DecisionTable.names(Standing.values()));
        assertThat(TABLE.cells()).hasSize(Deed.values().length * Standing.values().length);
    }

    static Stream<Arguments> cells() {
        return TABLE.cells();
    }

    /** PRES-1, PRES-2, PRES-5, PRES-6, ROOM-3, B56, B60, B61. */
    @ParameterizedTest(name = "{1}, {0}: {2}")
    @MethodSource("cells")
    void everyDeedHasItsOutcomeForEveryStanding(Deed deed, Standing standing, String expected) {
        Story story = in(standing);
        RoomState before = story.state();

        if (deed == Deed.HEARTBEAT) {
            story.seen(BEN, atMs(99));
        } else {
            story.when(command(deed));
        }

        RoomState after = story.state();
        switch (expected) {
            case "in", "out" -> {
                assertThat(after.version()).isEqualTo(before.version() + 1);
                assertThat(after.member(BEN).isPresent()).isEqualTo(expected.equals("in"));
            }
            case "same" -> {
                assertThat(after.version()).isEqualTo(before.version());
                assertThat(after.member(BEN).isPresent()).isEqualTo(standing == Standing.PRESENT);
                assertThat(after.onlineCount()).isEqualTo(before.onlineCount());
            }
            default -> story.thenRejected(Rejection.Reason.valueOf(expected));
        }
    }

    private static Story in(Standing standing) {
        Story story = Story.given(created(), joined(CARA, 1));
        RoomEvent kicked = new Moderation.RoomUserKicked(BEN, false);
        return switch (standing) {
            case ABSENT -> story;
            case PRESENT -> story.happened(joined(BEN, 2));
            case LEFT -> story.happened(joined(BEN, 2)).happened(left(BEN, atMs(3), 1));
            case STALE_LEFT ->
                story.happened(joined(BEN, 2)).happened(gone(BEN, Presence.LeaveCause.STALE, atMs(3), 1));
            case KICKED -> story.happened(kicked);
            case UNBANNED -> story.happened(kicked).happened(new Moderation.RoomUserUnbanned(BEN));
            case CLOSED_LEFT -> story.happened(joined(BEN, 2)).happened(Story.closed(2));
        };
    }

    private static RoomCommand command(Deed deed) {
        return switch (deed) {
            case JOIN -> new Presence.JoinRoom(BEN);
            case JOIN_AS_ROBOT -> new Presence.JoinRoom(BEN, Presence.MemberKind.ROBOT);
            case LEAVE -> new Presence.LeaveRoom(BEN);
            case KICK -> new Moderation.KickUser(OWNER, BEN);
            case UNBAN -> new Moderation.UnbanUser(OWNER, BEN);
            case SWEEP -> new Presence.SweepStale(List.of(new Presence.Silent(BEN, 3, atMs(3))));
            case HEARTBEAT -> throw new IllegalArgumentException("a heartbeat is no command");
        };
    }
}
