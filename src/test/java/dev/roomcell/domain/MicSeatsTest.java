package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.PROFILE;
import static dev.roomcell.domain.Story.atMs;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.freed;
import static dev.roomcell.domain.Story.given;
import static dev.roomcell.domain.Story.joined;
import static dev.roomcell.domain.Story.locked;
import static dev.roomcell.domain.Story.onTheAir;
import static dev.roomcell.domain.Story.published;
import static dev.roomcell.domain.Story.seated;
import static dev.roomcell.domain.Story.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle.CreateRoom;
import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.ChangeMicSeat;
import dev.roomcell.domain.MicSeats.ConfirmMicPublishing;
import dev.roomcell.domain.MicSeats.MicDown;
import dev.roomcell.domain.MicSeats.MicUp;
import dev.roomcell.domain.MicSeats.RoomMicChanged;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.SetMicSeatLock;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.MicSeats.TimeOutMic;
import dev.roomcell.domain.Rejection.Reason;
import io.vavr.collection.Vector;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MicSeatsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, MicSeats.DEFAULT_SEATS, MicSeats.MAX_SEATS})
    void aNewRoomHasItsSeatsNumberedFromOne(int count) {
        Vector<Seat> seats =
                given().when(new CreateRoom(OWNER, PROFILE, count)).state().seats();

        assertThat(seats.map(Seat::seatNo)).containsExactlyElementsOf(Vector.rangeClosed(1, count));
        assertThat(seats.map(Seat::status)).containsOnly(Status.IDLE);
    }

    @Test
    void aSeatIsTakenConfirmedAndFreedAndNoOtherMoves() {
        MicSession session =
                new MicSession("mic-3", BEN, 3, atMs(3), atMs(3) + RoomPolicy.STANDARD.publishWithinMs(), false, 0);
        Seat taken = new Seat(2, Status.PENDING_PUBLISH, session);
        Seat confirmed = new Seat(2, Status.PUBLISHING, new MicSession("mic-3", BEN, 3, atMs(3), 0, true, 0));
        Story story = given(created(3), joined(BEN, 1)).when(new MicUp(BEN, 2));

        story.then(
                new MicSeats.SeatTaken(3, taken),
                new RoomMicChanged(2, 0, Status.IDLE, Status.PENDING_PUBLISH, session, Cause.TAKEN));
        assertSeats(story.state(), Seat.idle(1), taken, Seat.idle(3));

        story.when(new ConfirmMicPublishing(BEN, "mic-3"))
                .then(
                        new MicSeats.SeatTaken(4, confirmed),
                        new RoomMicChanged(
                                2,
                                0,
                                Status.PENDING_PUBLISH,
                                Status.PUBLISHING,
                                confirmed.session(),
                                Cause.PUBLISH_CONFIRMED));
        assertSeats(story.state(), Seat.idle(1), confirmed, Seat.idle(3));

        story.when(new MicDown(BEN, BEN, "mic-3"))
                .then(
                        new MicSeats.SeatFreed(5, 2, "mic-3"),
                        new RoomMicChanged(2, 0, Status.PUBLISHING, Status.IDLE, confirmed.session(), Cause.MIC_DOWN));
        assertSeats(story.state(), Seat.idle(1), Seat.idle(2), Seat.idle(3));
    }

    @Test
    void aLockedSeatHoldsNobody() {
        RoomState room = given(created(2), locked(2)).state();

        assertSeats(room, Seat.idle(1), new Seat(2, Status.LOCKED, MicSession.NONE));
    }

    @Test
    void theSeatOfAUserIsFoundWhileTheUserSits() {
        RoomState room = given(created(3), joined(BEN, 1), joined(CARA, 2), seated(3, BEN))
                .state();

        assertThat(MicSeats.seatOf(room, BEN)).contains(new Seat(3, Status.PENDING_PUBLISH, Story.pending(BEN)));
        assertThat(MicSeats.seatOf(room, CARA)).isEmpty();
        assertThat(MicSeats.seatOf(room, "")).isEmpty();
    }

    @Test
    void aUserSitsOnASeatThatIsPendingOrPublishing() {
        assertThat(Arrays.stream(Status.values()).filter(Status::occupied))
                .containsExactly(Status.PENDING_PUBLISH, Status.PUBLISHING);
    }

    /** B50: whoever is second is told who is there. */
    @Test
    void ofTwoWhoWantASeatTheSecondIsToldWhoSitsThere() {
        given(created(3), joined(BEN, 1), joined(CARA, 2))
                .when(new MicUp(BEN, 3))
                .when(new MicUp(CARA, 3))
                .thenRejected(Reason.SEAT_OCCUPIED, "seat_no", "3", "user_id", BEN);
    }

    /** MIC-6, B51. */
    @Test
    void whoeverSitsIsToldWhichSeatTheyHaveAlready() {
        given(created(3), joined(BEN, 1), seated(2, BEN))
                .when(new MicUp(BEN, 3))
                .thenRejected(Reason.ALREADY_ON_SEAT, "seat_no", "2")
                .when(new MicUp(BEN, 2))
                .thenRejected(Reason.ALREADY_ON_SEAT, "seat_no", "2");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 4, 20})
    void aSeatThatIsNotThereIsNotTakenNotMovedToAndNotLocked(int seatNo) {
        given(created(3), joined(BEN, 1))
                .when(new MicUp(BEN, seatNo))
                .thenRejected(Reason.SEAT_NOT_FOUND, "seat_no", Integer.toString(seatNo))
                .when(new SetMicSeatLock(OWNER, seatNo, true, true))
                .thenRejected(Reason.SEAT_NOT_FOUND, "seat_no", Integer.toString(seatNo))
                .happened(seated(1, BEN))
                .when(new ChangeMicSeat(BEN, seatNo, ""))
                .thenRejected(Reason.SEAT_NOT_FOUND, "seat_no", Integer.toString(seatNo));
    }

    @Test
    void whoIsNotInTheRoomHasNothingToDoWithItsSeats() {
        for (RoomCommand command : List.of(
                new MicUp(CARA, 1),
                new MicDown(CARA, CARA, ""),
                new ChangeMicSeat(CARA, 1, ""),
                new ConfirmMicPublishing(CARA, "mic-1"))) {
            given(created(3), joined(BEN, 1)).when(command).thenRejected(Reason.NOT_PRESENT, "user_id", CARA);
        }
        given(created(3), joined(BEN, 1))
                .when(new MicDown(OWNER, CARA, ""))
                .thenRejected(Reason.NOT_PRESENT, "user_id", CARA);
    }

    /** MIC-1. */
    @Test
    void anOlderSessionTouchesNoNewerOne() {
        Story story = given(created(3), joined(BEN, 1), seated(1, BEN));
        for (RoomCommand command : List.of(
                new MicDown(BEN, BEN, "mic-older"),
                new ChangeMicSeat(BEN, 2, "mic-older"),
                new ConfirmMicPublishing(BEN, "mic-older"))) {
            story.when(command).thenRejected(Reason.MIC_SESSION_STALE);
        }
        story.whenAt(Story.DEADLINE_MS, new TimeOutMic("mic-older", Story.DEADLINE_MS));
        assertThat(story.decision()).isInstanceOf(Decision.Unchanged.class);
        assertThat(MicSeats.seatOf(story.state(), BEN)).isPresent();
    }

    /** MIC-1: the seat went with the session. */
    @Test
    void aSessionThatIsOverIsStaleAlsoWhereThereIsNoNewerOne() {
        given(created(3), joined(BEN, 1))
                .when(new ConfirmMicPublishing(BEN, "mic-2"))
                .thenRejected(Reason.MIC_SESSION_STALE)
                .when(new MicDown(BEN, BEN, "mic-2"))
                .thenRejected(Reason.MIC_SESSION_STALE)
                .when(new MicDown(BEN, BEN, ""))
                .thenRejected(Reason.NOT_ON_SEAT);
    }

    /** MIC-1, MIC-2: the next stay is another, with a beginning of its own. */
    @Test
    void aUserWhoComesBackToTheMicHasANewSession() {
        Story story = given(created(3), joined(BEN, 1)).when(new MicUp(BEN, 1)).when(new MicDown(BEN, BEN, ""));
        story.when(new MicUp(BEN, 1));

        MicSession session = MicSeats.seatOf(story.state(), BEN).orElseThrow().session();
        assertThat(session.id()).isEqualTo("mic-5");
        assertThat(session.roomVersion()).isEqualTo(5);
        assertThat(session.startedAtMs()).isEqualTo(atMs(5));
    }

    /** MIC-7: the session goes on, and the stream that was never cut is believed at the deadline. */
    @Test
    void whoMovesWhilePublishingKeepsTheSessionAndIsOnTheAirAgainAtTheDeadline() {
        long deadlineMs = atMs(5) + RoomPolicy.STANDARD.publishWithinMs();
        MicSession moved = new MicSession(session(BEN), BEN, 2, atMs(2), deadlineMs, true, 0);
        given(created(3), joined(BEN, 1), seated(1, BEN), published(1, BEN))
                .when(new ChangeMicSeat(BEN, 3, session(BEN)))
                .then(
                        new MicSeats.SeatChanged(5, new Seat(3, Status.PENDING_PUBLISH, moved), 1),
                        new RoomMicChanged(3, 1, Status.PUBLISHING, Status.PENDING_PUBLISH, moved, Cause.SEAT_CHANGED))
                .whenAt(deadlineMs, new TimeOutMic(session(BEN), deadlineMs))
                .then(
                        new MicSeats.SeatTaken(6, new Seat(3, Status.PUBLISHING, onTheAir(BEN))),
                        new RoomMicChanged(
                                3, 0, Status.PENDING_PUBLISH, Status.PUBLISHING, onTheAir(BEN), Cause.STREAM_KEPT));
    }

    /** MIC-7: hopping must not live for ever. */
    @Test
    void whoMovesWhilePendingKeepsTheDeadline() {
        Story story = given(created(3), joined(BEN, 1), seated(1, BEN)).when(new ChangeMicSeat(BEN, 2, ""));

        assertThat(MicSeats.seatOf(story.state(), BEN))
                .contains(new Seat(2, Status.PENDING_PUBLISH, Story.pending(BEN)));
        story.when(new ChangeMicSeat(BEN, 3, ""))
                .whenAt(Story.DEADLINE_MS, new TimeOutMic(session(BEN), Story.DEADLINE_MS));
        assertThat(MicSeats.seatOf(story.state(), BEN)).isEmpty();
    }

    /** MIC-7, B53. */
    @Test
    void aRefusedMoveAltersNothing() {
        Story story = given(created(4), joined(BEN, 1), joined(CARA, 2), seated(3, BEN), seated(1, CARA), locked(4));
        RoomState before = story.state();

        story.when(new ChangeMicSeat(BEN, 4, ""))
                .thenRejected(Reason.SEAT_LOCKED, "seat_no", "4")
                .when(new ChangeMicSeat(BEN, 1, ""))
                .thenRejected(Reason.SEAT_OCCUPIED, "seat_no", "1", "user_id", CARA)
                .when(new ChangeMicSeat(BEN, 3, ""))
                .thenUnchanged(
                        new MicSeats.SeatChanged(6, MicSeats.seatOf(before, BEN).orElseThrow(), 3), Optional.empty());
        assertThat(story.state()).isEqualTo(before);
    }

    /** MIC-3. */
    @Test
    void aDeadlineThatIsNotOverTakesNobodyDown() {
        Story story = given(created(3), joined(BEN, 1), seated(1, BEN));

        story.whenAt(Story.DEADLINE_MS - 1, new TimeOutMic(session(BEN), Story.DEADLINE_MS));
        assertThat(story.decision()).isInstanceOf(Decision.Unchanged.class);

        story.whenAt(Story.DEADLINE_MS, new TimeOutMic(session(BEN), Story.DEADLINE_MS))
                .then(
                        new MicSeats.SeatTaken(4, Seat.idle(1)),
                        freed(1, Status.PENDING_PUBLISH, BEN, Cause.PUBLISH_TIMEOUT));
    }

    /** MIC-3: the timer that was armed for the first deadline knows nothing of the second. */
    @Test
    void aDeadlineThatWasMovedIsNotOver() {
        Story story = given(created(3), joined(BEN, 1), seated(1, BEN), published(1, BEN))
                .when(new ChangeMicSeat(BEN, 2, ""));

        story.whenAt(Story.DEADLINE_MS + 60_000, new TimeOutMic(session(BEN), Story.DEADLINE_MS));

        assertThat(story.decision()).isInstanceOf(Decision.Unchanged.class);
    }

    /** MIC-3, B55: whichever is committed first wins, and the other finds nothing to do. */
    @Test
    void confirmationAndTimeoutAreInTheOrderOfTheirVersions() {
        Story confirmedFirst = given(created(3), joined(BEN, 1), seated(1, BEN))
                .whenAt(Story.DEADLINE_MS, new ConfirmMicPublishing(BEN, session(BEN)))
                .whenAt(Story.DEADLINE_MS, new TimeOutMic(session(BEN), Story.DEADLINE_MS));
        assertThat(confirmedFirst.decision()).isInstanceOf(Decision.Unchanged.class);
        assertThat(MicSeats.seatOf(confirmedFirst.state(), BEN)).isPresent();

        given(created(3), joined(BEN, 1), seated(1, BEN))
                .whenAt(Story.DEADLINE_MS, new TimeOutMic(session(BEN), Story.DEADLINE_MS))
                .whenAt(Story.DEADLINE_MS, new ConfirmMicPublishing(BEN, session(BEN)))
                .thenRejected(Reason.MIC_SESSION_STALE);
    }

    /** MIC-8, B52: taken down first and locked after, in one version. */
    @Test
    void aForcedLockTakesTheOccupantDownAndLocksInOneVersion() {
        given(created(3), joined(BEN, 1), seated(2, BEN), published(2, BEN))
                .when(new SetMicSeatLock(OWNER, 2, true, false))
                .thenRejected(Reason.SEAT_OCCUPIED, "seat_no", "2", "user_id", BEN)
                .when(new SetMicSeatLock(OWNER, 2, true, true))
                .then(
                        new MicSeats.SeatLockSet(5, new Seat(2, Status.LOCKED, MicSession.NONE), BEN),
                        freed(2, Status.PUBLISHING, BEN, Cause.SEAT_LOCKED),
                        locked(2));
    }

    @Test
    void theFirstDeadlineIsTheOneThatCountsAndPublishingHasNone() {
        Story story = given(created(3), joined(BEN, 1), joined(CARA, 2), seated(1, BEN), published(1, BEN));
        assertThat(MicSeats.firstDeadlineMs(story.state())).isEmpty();

        story.when(new MicUp(CARA, 2)).when(new ChangeMicSeat(BEN, 3, ""));

        assertThat(MicSeats.firstDeadlineMs(story.state())).hasValue(atMs(6) + RoomPolicy.STANDARD.publishWithinMs());
    }

    private static void assertSeats(RoomState room, Seat... seats) {
        assertThat(room.seats()).containsExactly(seats);
    }
}
