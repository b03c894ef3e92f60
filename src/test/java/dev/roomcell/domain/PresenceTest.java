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
import static dev.roomcell.domain.Story.robotJoined;
import static dev.roomcell.domain.Story.seated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.Presence.JoinRoom;
import dev.roomcell.domain.Presence.Joined;
import dev.roomcell.domain.Presence.LeaveRoom;
import dev.roomcell.domain.Presence.Left;
import dev.roomcell.domain.Presence.Member;
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
        assertThat(room.member(BEN)).contains(new Member(BEN, Presence.MemberKind.USER, atMs(2), 2, atMs(2)));
        assertThat(room.member(CARA)).contains(new Member(CARA, Presence.MemberKind.USER, atMs(3), 3, atMs(3)));
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
        assertThat(room.member(BEN)).contains(new Member(BEN, Presence.MemberKind.USER, atMs(2), 2, atMs(9)));
        assertThat(room.member(CARA)).contains(new Member(CARA, Presence.MemberKind.USER, atMs(3), 3, atMs(3)));
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

        assertThat(room.member(BEN)).contains(new Member(BEN, Presence.MemberKind.USER, atMs(4), 4, atMs(4)));
    }

    @Test
    void aFullRoomRefusesTheNewcomerAndNobodyElse() {
        RoomState full = crowded(Presence.MAX_PRESENT);
        Stamp stamp = new Stamp(full.version() + 1, atMs(2));

        assertThat(RoomDecider.decide(full, new JoinRoom(BEN), stamp, RoomPolicy.STANDARD))
                .isInstanceOfSatisfying(
                        Decision.Rejected.class,
                        rejected -> assertThat(rejected.rejection().reason()).isEqualTo(Rejection.Reason.ROOM_FULL));
        assertThat(RoomDecider.decide(full, new JoinRoom("user-7"), stamp, RoomPolicy.STANDARD))
                .isInstanceOf(Decision.Unchanged.class);

        RoomState oneFree = crowded(Presence.MAX_PRESENT - 1);
        assertThat(RoomDecider.decide(oneFree, new JoinRoom(BEN), stamp, RoomPolicy.STANDARD))
                .isInstanceOf(Decision.Accepted.class);
    }

    /** PRES-8. */
    @Test
    void aRobotIsPresentAndInNoCount() {
        RoomState room = given(created(), joined(BEN, 1))
                .when(new JoinRoom("r2", Presence.MemberKind.ROBOT))
                .then(new Joined(3, atMs(3), 1), robotJoined("r2", 1))
                .state();

        assertThat(room.member("r2")).contains(new Member("r2", Presence.MemberKind.ROBOT, atMs(3), 3, atMs(3)));
        assertThat(room.onlineCount()).isEqualTo(1);
        assertThat(room.robots()).isEqualTo(1);
    }

    /** PRES-8: what robots do is no fact for others. */
    @Test
    void ofRobotsNothingIsDurableAndOfUsersAll() {
        assertThat(robotJoined("r2", 0).durable()).isFalse();
        assertThat(new Presence.RoomUserLeft("r2", Presence.MemberKind.ROBOT, Presence.LeaveCause.LEFT, 1, 0).durable())
                .isFalse();
        assertThat(joined(BEN, 1).durable()).isTrue();
        assertThat(left(BEN, 1, 0).durable()).isTrue();
        assertThat(created().durable()).isTrue();
    }

    /** PRES-8, LEASE-14: robots alone keep no room loaded, and no user out. */
    @Test
    void robotsAloneKeepNoRoom() {
        Story story = given(created(), robotJoined("r2", 0));
        assertThat(story.state().live()).isFalse();

        story.when(new JoinRoom(BEN));
        assertThat(story.state().live()).isTrue();

        story.when(new LeaveRoom("r2")).when(new LeaveRoom(BEN));
        assertThat(story.state().live()).isFalse();
        assertThat(story.state().robots()).isZero();
    }

    @Test
    void robotsHaveALimitOfTheirOwn() {
        RoomState full = given(created()).state();
        for (int i = 0; i < Presence.MAX_ROBOTS; i++) {
            full = full.withMember(new Member("robot-" + i, Presence.MemberKind.ROBOT, atMs(1), 1, atMs(1)));
        }
        Stamp stamp = new Stamp(full.version() + 1, atMs(2));

        assertThat(RoomDecider.decide(full, new JoinRoom("r2", Presence.MemberKind.ROBOT), stamp, RoomPolicy.STANDARD))
                .isInstanceOf(Decision.Rejected.class);
        assertThat(RoomDecider.decide(full, new JoinRoom(BEN), stamp, RoomPolicy.STANDARD))
                .isInstanceOf(Decision.Accepted.class);
    }

    @Test
    void inACrowdACommandMakesAFewNodesNewAndSharesTheRest() {
        RoomState crowd = crowded(10_000);
        Stamp stamp = new Stamp(crowd.version() + 1, atMs(2));

        for (RoomCommand command : new RoomCommand[] {new JoinRoom(BEN), new LeaveRoom("user-7")}) {
            Decision.Accepted accepted =
                    (Decision.Accepted) RoomDecider.decide(crowd, command, stamp, RoomPolicy.STANDARD);
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
        RoomState copy = given(created()).state();
        for (Member member : state.members().values()) {
            copy = copy.withMember(member);
        }
        return copy;
    }

    private static RoomState crowded(int users) {
        RoomState crowd = given(created()).state();
        for (int i = 0; i < users; i++) {
            crowd = crowd.withMember(new Member("user-" + i, Presence.MemberKind.USER, atMs(1), 1, atMs(1)));
        }
        return crowd;
    }
}
