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
import static dev.roomcell.domain.Story.published;
import static dev.roomcell.domain.Story.seated;
import static dev.roomcell.domain.Story.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle.CreateRoom;
import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.Presence.LeaveRoom;
import io.vavr.collection.Vector;
import java.util.Arrays;
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
        Story story = given(created(3), joined(BEN, 1), seated(2, BEN));
        assertSeats(story.state(), idle(1), new Seat(2, Status.PENDING_PUBLISH, BEN, session(BEN)), idle(3));

        story.happened(published(2, BEN));
        assertSeats(story.state(), idle(1), new Seat(2, Status.PUBLISHING, BEN, session(BEN)), idle(3));

        story.happened(freed(2, Status.PUBLISHING, BEN, Cause.USER_LEFT));
        assertSeats(story.state(), idle(1), idle(2), idle(3));
    }

    @Test
    void aLockedSeatHoldsNobody() {
        RoomState room = given(created(2), locked(2)).state();

        assertSeats(room, idle(1), new Seat(2, Status.LOCKED, "", ""));
    }

    @Test
    void theSeatOfAUserIsFoundWhileTheUserSits() {
        RoomState room = given(created(3), joined(BEN, 1), joined(CARA, 2), seated(3, BEN))
                .state();

        assertThat(MicSeats.seatOf(room, BEN)).contains(new Seat(3, Status.PENDING_PUBLISH, BEN, session(BEN)));
        assertThat(MicSeats.seatOf(room, CARA)).isEmpty();
        assertThat(MicSeats.seatOf(room, "")).isEmpty();
    }

    @Test
    void aFreedSeatSaysWhoSatThereInWhichStayAndWhatItWasDoing() {
        given(created(3), joined(BEN, 1), seated(1, BEN), published(1, BEN))
                .when(new LeaveRoom(BEN))
                .then(
                        new Presence.Left(5, 0),
                        freed(1, Status.PUBLISHING, BEN, Cause.USER_LEFT),
                        Story.left(BEN, atMs(2), 0));
    }

    @Test
    void aUserSitsOnASeatThatIsPendingOrPublishing() {
        assertThat(Arrays.stream(Status.values()).filter(Status::occupied))
                .containsExactly(Status.PENDING_PUBLISH, Status.PUBLISHING);
    }

    private static void assertSeats(RoomState room, Seat... seats) {
        assertThat(room.seats()).containsExactly(seats);
    }

    private static Seat idle(int seatNo) {
        return new Seat(seatNo, Status.IDLE, "", "");
    }
}
