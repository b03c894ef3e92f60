package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.atMs;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.freed;
import static dev.roomcell.domain.Story.given;
import static dev.roomcell.domain.Story.joined;
import static dev.roomcell.domain.Story.left;
import static dev.roomcell.domain.Story.seated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.Presence.JoinRoom;
import dev.roomcell.domain.Presence.Joined;
import dev.roomcell.domain.Presence.LeaveRoom;
import dev.roomcell.domain.Presence.Left;
import dev.roomcell.domain.Presence.Member;
import io.vavr.collection.HashMap;
import io.vavr.collection.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PresenceTest {
    @Test
    void joiningMakesPresentAndCounts() {
        RoomState room = given(created())
                .when(new JoinRoom(BEN))
                .then(new Joined(2, atMs(2), 1), joined(BEN, 1))
                .when(new JoinRoom(CARA))
                .then(new Joined(3, atMs(3), 2), joined(CARA, 2))
                .state();

        assertThat(room.onlineCount()).isEqualTo(2);
        assertThat(room.member(BEN)).contains(new Member(BEN, atMs(2), 2, atMs(2)));
        assertThat(room.member(CARA)).contains(new Member(CARA, atMs(3), 3, atMs(3)));
        assertThat(room.member(OWNER)).isEmpty();
    }

    /** PRES-1. */
    @Test
    void joiningAgainIsASignOfLifeAndNoSecondEvent() {
        given(created(), joined(BEN, 1), joined(CARA, 2))
                .when(new JoinRoom(BEN))
                .thenUnchanged(new Joined(3, atMs(2), 2), Optional.of(BEN));
    }

    /** PRES-1. */
    @Test
    void aSignOfLifeMovesOnlyTheLastSignOfThatUserAndOnlyForward() {
        RoomState room = given(created(), joined(BEN, 1), joined(CARA, 2))
                .seen(BEN, atMs(9))
                .seen(BEN, atMs(7))
                .state();

        assertThat(room.version()).isEqualTo(3);
        assertThat(room.member(BEN)).contains(new Member(BEN, atMs(2), 2, atMs(9)));
        assertThat(room.member(CARA)).contains(new Member(CARA, atMs(3), 3, atMs(3)));
    }

    /** PRES-2. */
    @Test
    void aSignOfLifeMakesNobodyPresent() {
        RoomState neverJoined = given(created(), joined(BEN, 1)).state();
        RoomState hasLeft =
                given(created(), joined(CARA, 1), left(CARA, atMs(2), 0)).state();

        assertThat(Presence.seen(neverJoined, CARA, atMs(9))).isSameAs(neverJoined);
        assertThat(Presence.seen(hasLeft, CARA, atMs(9))).isSameAs(hasLeft);
    }

    /** PRES-3. */
    @Test
    void leavingFreesTheSeatFirstAndThenEndsThePresence() {
        RoomState room = given(created(), joined(BEN, 1), joined(CARA, 2), seated(1, CARA), seated(3, BEN))
                .when(new LeaveRoom(BEN))
                .then(new Left(6, 1), freed(3, Status.PENDING_PUBLISH, BEN, Cause.USER_LEFT), left(BEN, atMs(2), 1))
                .state();

        assertThat(MicSeats.seatOf(room, BEN)).isEmpty();
        assertThat(MicSeats.seatOf(room, CARA)).isPresent();
        assertThat(room.member(BEN)).isEmpty();
    }

    @Test
    void leavingWithoutASeatIsOneEvent() {
        given(created(), joined(BEN, 1)).when(new LeaveRoom(BEN)).then(new Left(3, 0), left(BEN, atMs(2), 0));
    }

    @Test
    void whoIsNotThereCannotLeave() {
        given(created(), joined(CARA, 1))
                .when(new LeaveRoom(BEN))
                .thenRejected(Rejection.Reason.NOT_PRESENT)
                .when(new LeaveRoom(CARA))
                .then(new Left(3, 0), left(CARA, atMs(2), 0))
                .when(new LeaveRoom(CARA))
                .thenRejected(Rejection.Reason.NOT_PRESENT);
    }

    @Test
    void whoHasLeftMayComeBackToANewStay() {
        RoomState room = given(created(), joined(BEN, 1), left(BEN, atMs(2), 0))
                .when(new JoinRoom(BEN))
                .then(new Joined(4, atMs(4), 1), joined(BEN, 1))
                .state();

        assertThat(room.member(BEN)).contains(new Member(BEN, atMs(4), 4, atMs(4)));
    }

    @Test
    void aFullRoomRefusesTheNewcomerAndNobodyElse() {
        RoomState full = crowded(Presence.MAX_PRESENT);
        Stamp stamp = new Stamp(full.version() + 1, atMs(2));

        assertThat(RoomDecider.decide(full, new JoinRoom(BEN), stamp))
                .isInstanceOfSatisfying(
                        Decision.Rejected.class,
                        rejected -> assertThat(rejected.rejection().reason()).isEqualTo(Rejection.Reason.ROOM_FULL));
        assertThat(RoomDecider.decide(full, new JoinRoom("user-7"), stamp)).isInstanceOf(Decision.Unchanged.class);

        RoomState oneFree = crowded(Presence.MAX_PRESENT - 1);
        assertThat(RoomDecider.decide(oneFree, new JoinRoom(BEN), stamp)).isInstanceOf(Decision.Accepted.class);
    }

    @Test
    void inACrowdACommandMakesAFewNodesNewAndSharesTheRest() {
        RoomState crowd = crowded(10_000);
        Stamp stamp = new Stamp(crowd.version() + 1, atMs(2));

        for (RoomCommand command : new RoomCommand[] {new JoinRoom(BEN), new LeaveRoom("user-7")}) {
            Decision.Accepted accepted = (Decision.Accepted) RoomDecider.decide(crowd, command, stamp);
            RoomState after =
                    RoomDecider.evolve(crowd, accepted.events(), stamp).checked();

            assertThat(after.onlineCount()).isNotEqualTo(crowd.onlineCount());
            assertThat(Sharing.notSharedWith(crowd, after)).as("%s", command).isLessThan(200);
        }
        assertThat(Sharing.notSharedWith(crowd, Presence.seen(crowd, "user-7", atMs(9))))
                .isBetween(1, 200);
        assertThat(Sharing.notSharedWith(crowd, copied(crowd))).as("a copy").isGreaterThan(10_000);
    }

    private static RoomState copied(RoomState state) {
        Map<String, Member> members = HashMap.empty();
        for (Member member : state.members().values()) {
            members = members.put(member.userId(), member);
        }
        return state.withMembers(members);
    }

    private static RoomState crowded(int users) {
        Map<String, Member> members = HashMap.empty();
        for (int i = 0; i < users; i++) {
            members = members.put("user-" + i, new Member("user-" + i, atMs(1), 1, atMs(1)));
        }
        return given(created()).state().withMembers(members);
    }
}
