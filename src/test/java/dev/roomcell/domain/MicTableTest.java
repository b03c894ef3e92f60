package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.joined;
import static dev.roomcell.domain.Story.locked;
import static dev.roomcell.domain.Story.published;
import static dev.roomcell.domain.Story.seated;
import static dev.roomcell.domain.Story.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.Status;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each thing that can be done to seat 1 comes to, by what the seat is doing. Ben sits there, if anybody does. */
class MicTableTest {
    private enum Deed {
        TAKEN_BY_CARA,
        LEFT_BY_BEN,
        BEN_TAKEN_DOWN,
        BEN_MOVES_AWAY,
        CARA_MOVES_HERE,
        CONFIRMED,
        LOCKED,
        LOCKED_BY_FORCE,
        UNLOCKED,
        DEADLINE_OVER,
        RTC_STARTED,
        RTC_STOPPED,
        RTC_EXITED,
        RTC_EXIT_SUSPECTED,
        RTC_ROOM_GONE,
        UNHEARD,
        BEN_LEAVES_ROOM,
        BEN_KICKED,
        BEN_STALE,
        ROOM_CLOSED
    }

    /** The status that seat 1 has after, "unchanged", or the reason of the refusal. */
    private static final DecisionTable TABLE = new DecisionTable("""
                         IDLE               LOCKED             PENDING_PUBLISH   PUBLISHING
        TAKEN_BY_CARA    ->PENDING_PUBLISH  SEAT_LOCKED        SEAT_OCCUPIED     SEAT_OCCUPIED
        LEFT_BY_BEN      NOT_ON_SEAT        NOT_ON_SEAT        ->IDLE            ->IDLE
        BEN_TAKEN_DOWN   NOT_ON_SEAT        NOT_ON_SEAT        ->IDLE            ->IDLE
        BEN_MOVES_AWAY   NOT_ON_SEAT        NOT_ON_SEAT        ->IDLE            ->IDLE
        CARA_MOVES_HERE  ->PENDING_PUBLISH  SEAT_LOCKED        SEAT_OCCUPIED     SEAT_OCCUPIED
        CONFIRMED        MIC_SESSION_STALE  MIC_SESSION_STALE  ->PUBLISHING      unchanged
        LOCKED           ->LOCKED           unchanged          SEAT_OCCUPIED     SEAT_OCCUPIED
        LOCKED_BY_FORCE  ->LOCKED           unchanged          ->LOCKED          ->LOCKED
        UNLOCKED         unchanged          ->IDLE             unchanged         unchanged
        DEADLINE_OVER    unchanged          unchanged          ->IDLE            unchanged
        RTC_STARTED      unchanged          unchanged          ->PUBLISHING      ->PUBLISHING
        RTC_STOPPED      unchanged          unchanged          ->PENDING_PUBLISH ->IDLE
        RTC_EXITED       unchanged          unchanged          ->IDLE            ->IDLE
        RTC_EXIT_SUSPECTED  unchanged       unchanged          ->PENDING_PUBLISH ->PENDING_PUBLISH
        RTC_ROOM_GONE    unchanged          unchanged          ->PENDING_PUBLISH ->PENDING_PUBLISH
        UNHEARD          unchanged          unchanged          unchanged         ->PENDING_PUBLISH
        BEN_LEAVES_ROOM  ->IDLE             ->LOCKED           ->IDLE            ->IDLE
        BEN_KICKED       ->IDLE             ->LOCKED           ->IDLE            ->IDLE
        BEN_STALE        ->IDLE             ->LOCKED           ->IDLE            ->IDLE
        ROOM_CLOSED      ->IDLE             ->LOCKED           ->IDLE            ->IDLE
        """);

    @Test
    void noStatusAndNoDeedIsForgotten() {
        assertThat(TABLE.rows()).isEqualTo(DecisionTable.names(Deed.values()));
        assertThat(TABLE.columns()).isEqualTo(DecisionTable.names(Status.values()));
        assertThat(TABLE.cells()).hasSize(Deed.values().length * Status.values().length);
    }

    static Stream<Arguments> cells() {
        return TABLE.cells();
    }

    /** MIC-1, MIC-3, MIC-5, MIC-6, MIC-8, PRES-3, B50, B52, B53. */
    @ParameterizedTest(name = "{1}, {0}: {2}")
    @MethodSource("cells")
    void everyDeedHasItsOutcomeInEveryStatus(Deed deed, Status status, String expected) {
        Story story = in(status, deed == Deed.CARA_MOVES_HERE);
        Seat before = story.state().seats().get(0);

        story.whenAt(Story.DEADLINE_MS, command(deed));

        if (expected.startsWith("->")) {
            assertThat(story.decision()).isInstanceOf(Decision.Accepted.class);
            assertThat(story.state().seats().get(0).status()).isEqualTo(Status.valueOf(expected.substring(2)));
        } else {
            assertThat(story.state().seats().get(0)).isEqualTo(before);
            if (expected.equals("unchanged")) {
                assertThat(story.decision()).isInstanceOf(Decision.Unchanged.class);
            } else {
                story.thenRejected(Rejection.Reason.valueOf(expected));
            }
        }
    }

    private static Story in(Status status, boolean caraSits) {
        RoomEvent[] there = {created(3), joined(BEN, 1), joined(CARA, 2)};
        Story story = Story.given(there);
        if (caraSits) {
            story.happened(seated(2, CARA));
        }
        switch (status) {
            case IDLE -> {}
            case LOCKED -> story.happened(locked(1));
            case PENDING_PUBLISH -> story.happened(seated(1, BEN));
            case PUBLISHING -> story.happened(seated(1, BEN)).happened(published(1, BEN));
        }
        return story;
    }

    private static RoomCommand command(Deed deed) {
        return switch (deed) {
            case TAKEN_BY_CARA -> new MicSeats.MicUp(CARA, 1);
            case LEFT_BY_BEN -> new MicSeats.MicDown(BEN, BEN, "");
            case BEN_TAKEN_DOWN -> new MicSeats.MicDown(OWNER, BEN, "");
            case BEN_MOVES_AWAY -> new MicSeats.ChangeMicSeat(BEN, 3, "");
            case CARA_MOVES_HERE -> new MicSeats.ChangeMicSeat(CARA, 1, "");
            case CONFIRMED -> new MicSeats.ConfirmMicPublishing(BEN, session(BEN));
            case LOCKED -> new MicSeats.SetMicSeatLock(OWNER, 1, true, false);
            case LOCKED_BY_FORCE -> new MicSeats.SetMicSeatLock(OWNER, 1, true, true);
            case UNLOCKED -> new MicSeats.SetMicSeatLock(OWNER, 1, false, false);
            case DEADLINE_OVER -> new MicSeats.TimeOutMic(session(BEN), Story.DEADLINE_MS);
            case RTC_STARTED -> report(BEN, RtcReports.Fact.AUDIO_STARTED);
            case RTC_STOPPED -> report(BEN, RtcReports.Fact.AUDIO_STOPPED);
            case RTC_EXITED -> report(BEN, RtcReports.Fact.EXITED);
            case RTC_EXIT_SUSPECTED -> report(BEN, RtcReports.Fact.EXIT_SUSPECTED);
            case RTC_ROOM_GONE -> report("", RtcReports.Fact.ROOM_GONE);
            case UNHEARD -> new RtcReports.DoubtMic(session(BEN));
            case BEN_LEAVES_ROOM -> new Presence.LeaveRoom(BEN);
            case BEN_KICKED -> new Moderation.KickUser(OWNER, BEN);
            case BEN_STALE -> new Presence.SweepStale(List.of(new Presence.Silent(BEN, 2, Story.atMs(2))));
            case ROOM_CLOSED -> new Lifecycle.CloseRoom(OWNER);
        };
    }

    private static RoomCommand report(String userId, RtcReports.Fact fact) {
        return new RtcReports.ReportRtc(userId, fact, Story.DEADLINE_MS);
    }

    @Test
    void everyCauseOfAChangeIsReachedByADeedOrByMicSevenAlone() {
        List<MicSeats.Cause> reached = Arrays.stream(Deed.values())
                .flatMap(deed -> Arrays.stream(Status.values()).flatMap(status -> {
                    Story story = in(status, deed == Deed.CARA_MOVES_HERE);
                    story.whenAt(Story.DEADLINE_MS, command(deed));
                    return story.decision() instanceof Decision.Accepted accepted
                            ? accepted.events().stream()
                            : Stream.empty();
                }))
                .filter(MicSeats.RoomMicChanged.class::isInstance)
                .map(event -> ((MicSeats.RoomMicChanged) event).cause())
                .distinct()
                .toList();

        assertThat(MicSeats.Cause.values())
                .filteredOn(cause -> cause != MicSeats.Cause.STREAM_KEPT)
                .containsExactlyInAnyOrderElementsOf(reached);
    }
}
