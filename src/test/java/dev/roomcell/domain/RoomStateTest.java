package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.PROFILE;
import static dev.roomcell.domain.Story.ROOM;
import static dev.roomcell.domain.Story.atMs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.Presence.Member;
import io.vavr.collection.HashMap;
import io.vavr.collection.HashSet;
import io.vavr.collection.Set;
import io.vavr.collection.Vector;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RoomStateTest {
    private static final Seat IDLE = seat(1, MicSeats.Status.IDLE, "", "");
    private static final Seat TAKEN = seat(1, MicSeats.Status.PUBLISHING, BEN, "mic-1");

    @Test
    void aRoomWithBenOnASeatIsAsItShouldBe() {
        RoomState room = room(Lifecycle.Status.ACTIVE, 3, BEN, TAKEN, seat(2, MicSeats.Status.LOCKED, "", ""));

        assertThat(room.checked()).isSameAs(room);
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of(
                        "seat numbers are 1..n",
                        room(Lifecycle.Status.ACTIVE, 3, BEN, seat(2, MicSeats.Status.IDLE, "", ""))),
                Arguments.of("seat numbers are 1..n", room(Lifecycle.Status.ACTIVE, 3, BEN, IDLE, IDLE)),
                Arguments.of(
                        "a seat has a user when it is occupied",
                        room(Lifecycle.Status.ACTIVE, 3, BEN, seat(1, MicSeats.Status.PUBLISHING, "", "mic-1"))),
                Arguments.of(
                        "a seat has a user when it is occupied",
                        room(Lifecycle.Status.ACTIVE, 3, BEN, seat(1, MicSeats.Status.IDLE, BEN, ""))),
                Arguments.of(
                        "a seat has a user when it is occupied",
                        room(Lifecycle.Status.ACTIVE, 3, BEN, seat(1, MicSeats.Status.LOCKED, BEN, ""))),
                Arguments.of(
                        "an occupied seat has a mic session",
                        room(Lifecycle.Status.ACTIVE, 3, BEN, seat(1, MicSeats.Status.PENDING_PUBLISH, BEN, ""))),
                Arguments.of(
                        "an occupied seat has a mic session",
                        room(Lifecycle.Status.ACTIVE, 3, BEN, seat(1, MicSeats.Status.IDLE, "", "mic-1"))),
                Arguments.of("whoever sits is present", room(Lifecycle.Status.ACTIVE, 3, "cara", TAKEN)),
                Arguments.of(
                        "a user has one seat",
                        room(
                                Lifecycle.Status.ACTIVE,
                                3,
                                BEN,
                                TAKEN,
                                seat(2, MicSeats.Status.PENDING_PUBLISH, BEN, "mic-2"))),
                Arguments.of(
                        "a publish deadline runs while a seat is pending",
                        room(Lifecycle.Status.ACTIVE, 3, BEN, withDeadline(TAKEN, atMs(9)))),
                Arguments.of(
                        "a publish deadline runs while a seat is pending",
                        room(
                                Lifecycle.Status.ACTIVE,
                                3,
                                BEN,
                                withDeadline(seat(1, MicSeats.Status.PENDING_PUBLISH, BEN, "mic-2"), 0))),
                Arguments.of("the owner is no admin", ruled(HashSet.of(OWNER), HashSet.empty())),
                Arguments.of("whoever is shut out is no admin", ruled(HashSet.of(BEN), HashSet.of(BEN))),
                Arguments.of("a closed room is empty", room(Lifecycle.Status.CLOSED, 3, BEN, IDLE)),
                Arguments.of("a closed room is empty", room(Lifecycle.Status.CLOSED, 3, BEN, TAKEN)),
                Arguments.of("a room being created is empty", room(Lifecycle.Status.CREATING, 0, BEN)),
                Arguments.of(
                        "a room being created is empty",
                        RoomState.creating(ROOM).atVersion(1)));
    }

    /** MIC-6. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void aStateThatNoRoomCanBeInIsNamed(String rule, RoomState broken) {
        assertThatIllegalStateException()
                .isThrownBy(broken::checked)
                .withMessage("room lala/room-1 at version " + broken.version() + ": " + rule);
    }

    private static RoomState room(Lifecycle.Status status, long version, String member, Seat... seats) {
        return new RoomState(
                ROOM,
                version,
                status,
                PROFILE,
                atMs(1),
                0,
                HashMap.of(member, new Member(member, Presence.MemberKind.USER, atMs(1), 1, atMs(1))),
                0,
                Vector.of(seats),
                HouseRules.INITIAL,
                GiftBoard.EMPTY,
                Optional.empty());
    }

    private static Seat seat(int seatNo, MicSeats.Status status, String userId, String micSessionId) {
        long deadlineMs = status == MicSeats.Status.PENDING_PUBLISH ? atMs(9) : 0;
        return new Seat(seatNo, status, new MicSession(micSessionId, userId, 2, atMs(2), deadlineMs, false, 0));
    }

    private static Seat withDeadline(Seat seat, long deadlineMs) {
        MicSession session = seat.session();
        return new Seat(
                seat.seatNo(),
                seat.status(),
                new MicSession(
                        session.id(),
                        session.userId(),
                        session.roomVersion(),
                        session.startedAtMs(),
                        deadlineMs,
                        session.streaming(),
                        0));
    }

    private static RoomState ruled(Set<String> admins, Set<String> banned) {
        return Story.given(Story.created())
                .state()
                .withHouseRules(new HouseRules(true, admins, banned, HashMap.empty()));
    }
}
