package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.atMs;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.freed;
import static dev.roomcell.domain.Story.given;
import static dev.roomcell.domain.Story.gone;
import static dev.roomcell.domain.Story.joined;
import static dev.roomcell.domain.Story.left;
import static dev.roomcell.domain.Story.robotJoined;
import static dev.roomcell.domain.Story.seated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Presence.LeaveCause;
import dev.roomcell.domain.Presence.MemberKind;
import dev.roomcell.domain.Presence.Silent;
import dev.roomcell.domain.Presence.SweepStale;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** PRES-6: who gave no sign of life for too long is gone. */
class StaleSweepTest {
    private static final Silent BEN_SILENT = new Silent(BEN, 2, atMs(2));

    /** PRES-6: seats first, then presences (PRES-3). */
    @Test
    void theSilentAreGoneWithTheirSeatsInOneVersion() {
        given(created(3), joined(BEN, 1), joined(CARA, 2), seated(1, BEN), seated(3, CARA))
                .when(new SweepStale(List.of(BEN_SILENT, new Silent(CARA, 3, atMs(3)))))
                .then(
                        new Presence.Left(6, 0),
                        freed(1, MicSeats.Status.PENDING_PUBLISH, BEN, MicSeats.Cause.USER_STALE),
                        freed(3, MicSeats.Status.PENDING_PUBLISH, CARA, MicSeats.Cause.USER_STALE),
                        gone(BEN, LeaveCause.STALE, atMs(2), 1),
                        gone(CARA, LeaveCause.STALE, atMs(3), 0));
    }

    /** PRES-6, B58: the sweep's look may be older than the last sign of life. */
    @Test
    void whoGaveASignOfLifeSinceStays() {
        given(created(), joined(BEN, 1), joined(CARA, 2))
                .seen(BEN, atMs(2) + 1)
                .when(new SweepStale(List.of(BEN_SILENT)))
                .thenUnchanged(new Presence.Left(3, 2), Optional.empty());
    }

    /** PRES-6, B58. */
    @Test
    void whoHasLeftAndComeBackStays() {
        given(created(), joined(BEN, 1), left(BEN, atMs(2), 0), joined(BEN, 1))
                .when(new SweepStale(List.of(new Silent(BEN, 2, atMs(99)))))
                .thenUnchanged(new Presence.Left(4, 1), Optional.empty());
    }

    @Test
    void whoIsNotThereIsNotSwept() {
        given(created(), joined(CARA, 1))
                .when(new SweepStale(List.of(BEN_SILENT)))
                .thenUnchanged(new Presence.Left(2, 1), Optional.empty());
    }

    /** PRES-8. */
    @Test
    void aRobotIsNeverSilent() {
        RoomState room = given(created(), robotJoined("r2", 0), joined(BEN, 1)).state();

        assertThat(Presence.silent(room, Long.MAX_VALUE, 10))
                .extracting(Silent::userId)
                .containsExactly(BEN);
        assertThat(Presence.oldestSignOfLifeMs(room)).hasValue(atMs(3));
        given(created(), robotJoined("r2", 0))
                .when(new SweepStale(List.of(new Silent("r2", 2, atMs(99)))))
                .thenUnchanged(new Presence.Left(2, 0), Optional.empty());
    }

    /** PRES-6: the longest silent first, and at most so many. */
    @Test
    void aLookFindsTheLongestSilentFirst() {
        RoomState room = given(created()).state();
        for (int i = 0; i < 300; i++) {
            room = room.withMember(new Presence.Member("user-" + i, MemberKind.USER, atMs(1), 1, atMs(300 - i)));
        }

        assertThat(Presence.silent(room, atMs(300), Presence.MAX_SWEPT))
                .extracting(Silent::userId)
                .containsExactlyElementsOf(IntStream.range(100, 300)
                        .map(i -> 399 - i)
                        .mapToObj(i -> "user-" + i)
                        .toList());
        assertThat(Presence.silent(room, atMs(1), Presence.MAX_SWEPT)).isEmpty();
        assertThat(Presence.oldestSignOfLifeMs(room)).hasValue(atMs(1));
        assertThat(Presence.oldestSignOfLifeMs(given(created()).state())).isEmpty();
    }

    /** B61: a room that everybody was swept out of is open to all. */
    @Test
    void anEmptyRoomStaysActiveAndJoinable() {
        given(created(), joined(BEN, 1))
                .when(new SweepStale(List.of(BEN_SILENT)))
                .when(new Presence.JoinRoom(BEN))
                .then(new Presence.Joined(4, atMs(4), 1), joined(BEN, 1));
    }
}
