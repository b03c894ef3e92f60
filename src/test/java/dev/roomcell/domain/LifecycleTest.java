package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.PROFILE;
import static dev.roomcell.domain.Story.atMs;
import static dev.roomcell.domain.Story.closed;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.freed;
import static dev.roomcell.domain.Story.given;
import static dev.roomcell.domain.Story.joined;
import static dev.roomcell.domain.Story.locked;
import static dev.roomcell.domain.Story.published;
import static dev.roomcell.domain.Story.seated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.roomcell.domain.Lifecycle.CloseCause;
import dev.roomcell.domain.Lifecycle.CloseRoom;
import dev.roomcell.domain.Lifecycle.Closed;
import dev.roomcell.domain.Lifecycle.CreateRoom;
import dev.roomcell.domain.Lifecycle.Created;
import dev.roomcell.domain.Lifecycle.HealRoom;
import dev.roomcell.domain.Lifecycle.RoomClosed;
import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.Presence.JoinRoom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    /** ROOM-1. */
    @Test
    void creatingARoomMakesItActiveWithIdleSeatsAndNobodyInIt() {
        RoomState room = given().when(new CreateRoom(OWNER, PROFILE, 2))
                .then(new Created(1, atMs(1)), created(2))
                .state();

        assertThat(room.status()).isEqualTo(Lifecycle.Status.ACTIVE);
        assertThat(room.profile()).isEqualTo(PROFILE);
        assertThat(room.createdAtMs()).isEqualTo(atMs(1));
        assertThat(room.members()).isEmpty();
        assertThat(room.seats()).containsExactly(idle(1), idle(2));
    }

    @Test
    void theOwnerOfTheProfileOwnsTheRoomWhoeverCreatedIt() {
        given().when(new CreateRoom(BEN, PROFILE, 2))
                .then(new Created(1, atMs(1)), created(2))
                .when(new CloseRoom(BEN))
                .thenRejected(Rejection.Reason.NEED_OWNER)
                .when(new CloseRoom(OWNER))
                .then(new Closed(2, 0, atMs(2)), closed(0));
    }

    /** ROOM-4. */
    @Test
    void closingFreesTheSeatsInOrderAndThenClosesWithoutAWordForEachUser() {
        given(created(4), joined(BEN, 1), joined(CARA, 2), seated(4, BEN), seated(2, CARA), published(2, CARA))
                .when(new CloseRoom(OWNER))
                .then(
                        new Closed(7, 2, atMs(7)),
                        freed(2, Status.PUBLISHING, CARA, Cause.ROOM_CLOSED),
                        freed(4, Status.PENDING_PUBLISH, BEN, Cause.ROOM_CLOSED),
                        closed(2));
    }

    /** ROOM-4, MIC-5. */
    @Test
    void aClosedRoomIsEmptyAndKeepsItsNumbersAndLocks() {
        RoomState room = given(created(3), joined(BEN, 1), locked(2), seated(3, BEN))
                .when(new CloseRoom(OWNER))
                .state();

        assertThat(room.status()).isEqualTo(Lifecycle.Status.CLOSED);
        assertThat(room.closedAtMs()).isEqualTo(atMs(5));
        assertThat(room.createdAtMs()).isEqualTo(atMs(1));
        assertThat(room.profile()).isEqualTo(PROFILE);
        assertThat(room.members()).isEmpty();
        assertThat(room.seats()).containsExactly(idle(1), new Seat(2, Status.LOCKED, MicSession.NONE), idle(3));
    }

    @Test
    void onlyTheOwnerClosesPresentOrNot() {
        given(created(), joined(BEN, 1))
                .when(new CloseRoom(BEN))
                .thenRejected(Rejection.Reason.NEED_OWNER)
                .when(new CloseRoom(OWNER))
                .then(new Closed(3, 1, atMs(3)), closed(1));
    }

    /** ROOM-3: whoever asks, the end comes before any other reason. */
    @Test
    void theEndIsToldToEverybodyWhateverElseSpeaksAgainstThem() {
        given(created(), closed(0))
                .when(new CloseRoom(BEN))
                .thenRejected(Rejection.Reason.ROOM_CLOSED)
                .when(new Presence.LeaveRoom(BEN))
                .thenRejected(Rejection.Reason.ROOM_CLOSED);
    }

    /** ROOM-5. */
    @Test
    void aRoomThatWasNeverFinishedIsClosedWithTheReason() {
        RoomState room = given().when(new HealRoom())
                .then(new Closed(1, 0, atMs(1)), new RoomClosed(CloseCause.CREATE_FAILED, 0))
                .state();

        assertThat(room.createdAtMs()).isZero();
        assertThat(room.closedAtMs()).isEqualTo(atMs(1));
    }

    /** ROOM-5. */
    @Test
    void aClosingThatWasBegunIsFinishedWithSeatsAndPresence() {
        given(created(), joined(BEN, 1), joined(CARA, 2), seated(1, CARA))
                .closingBegun()
                .when(new HealRoom())
                .then(
                        new Closed(5, 2, atMs(5)),
                        freed(1, Status.PENDING_PUBLISH, CARA, Cause.ROOM_CLOSED),
                        new RoomClosed(CloseCause.CLOSING_FINISHED, 2));
    }

    /** ROOM-5: a timer that comes too late finds nothing to heal, and what it says is true. */
    @Test
    void healingAHealthyOrAClosedRoomChangesNothing() {
        given(created(), joined(BEN, 1)).when(new HealRoom()).thenUnchanged(new Closed(2, 0, 0), Optional.empty());
        given(created(), closed(0)).when(new HealRoom()).thenUnchanged(new Closed(2, 0, atMs(2)), Optional.empty());
    }

    @Test
    void theServicesOwnCommandHasNoActor() {
        assertThat(new HealRoom().actorUserId()).isEmpty();
    }

    /** ROOM-6. */
    @Test
    void aClosedRoomsIdIsNeverUsedAgain() {
        given(created(), closed(0))
                .when(new CreateRoom(OWNER, PROFILE, 3))
                .thenRejected(Rejection.Reason.ROOM_CLOSED)
                .when(new JoinRoom(BEN))
                .thenRejected(Rejection.Reason.ROOM_CLOSED);
    }

    /** LEASE-14. */
    @Test
    void aRoomStaysLoadedWhileSomebodyIsThereOrItsLifeIsHalfWay() {
        assertThat(given().state().live()).isTrue();
        assertThat(given(created()).state().live()).isFalse();
        assertThat(given(created(), locked(1)).state().live()).isFalse();
        assertThat(given(created(), joined(BEN, 1)).state().live()).isTrue();
        assertThat(given(created(), joined(BEN, 1))
                        .when(new Presence.LeaveRoom(BEN))
                        .state()
                        .live())
                .isFalse();
        assertThat(given(created()).closingBegun().state().live()).isTrue();
        assertThat(given(created(), closed(0)).state().live()).isFalse();
    }

    @Test
    void aVersionMustFollowTheOneBefore() {
        RoomState room = given(created()).state();
        List<RoomEvent> events = List.of(joined(BEN, 1));

        for (long wrong : new long[] {0, 1, 3}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RoomDecider.evolve(room, events, new Stamp(wrong, atMs(wrong))))
                    .withMessageContaining("version " + wrong + " does not follow 1");
        }
    }

    @Test
    void anAcceptanceSaysWhatHappened() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Decision.Accepted(List.of(), new Created(1, atMs(1))));
    }

    private static Seat idle(int seatNo) {
        return Seat.idle(seatNo);
    }
}
