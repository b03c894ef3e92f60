package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.NodeDirectory.Announced;
import dev.roomcell.port.Peer;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** LEASE-10: a node goes, and its rooms with it, one by one and in order. */
class DrainTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** LEASE-10. */
    @Test
    void theBatchInFlightIsAnsweredThenTheSnapshotIsTakenThenTheLeaseReleased() {
        node.createWith(ROOM, "ben");
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> inFlight = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        Future<Void> drained = node.shard.drain();
        world.run();
        Answers.assertWaiting(inFlight);
        assertThat(node.script.calls()).doesNotContain(Call.SAVE_SNAPSHOT, Call.RELEASE);
        HeldCall snapshot = node.script.holdNext(Call.SAVE_SNAPSHOT);

        commit.letGo();
        world.run();
        Answers.assertDone(inFlight);
        assertThat(snapshot.arrived()).isTrue();
        assertThat(world.route(ROOM)).as("the lease").isPresent();
        assertThat(drained.isComplete()).isFalse();

        snapshot.letGo();
        world.run();
        assertThat(world.route(ROOM)).as("the lease").isEmpty();
        assertThat(drained.succeeded()).isTrue();
        assertThat(world.database.snapshots(ROOM))
                .singleElement()
                .satisfies(saved -> assertThat(saved.version()).isEqualTo(3));
    }

    /** LEASE-10. */
    @Test
    void commandsThatWaitAreToldToGoElsewhereAndHaveNoEffect() {
        node.create(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> inFlight = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        Future<Answer> waiting = node.send(ROOM, "join-cid", Wishes.join("cid"));
        Future<Void> drained = node.shard.drain();
        world.run();
        Future<Answer> late = node.send(ROOM, "join-dan", Wishes.join("dan"));
        world.run();

        commit.letGo();
        world.run();

        Answers.assertDone(inFlight);
        Answers.assertRefused(waiting, Refusal.DRAINING);
        Answers.assertRefused(late, Refusal.DRAINING);
        assertThat(drained.succeeded()).isTrue();
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }

    /** LEASE-10. */
    @Test
    void aDrainingNodeLoadsNoRoomAndCreatesNone() {
        node.create(ROOM);
        assertThat(node.shard.drain().isComplete()).isFalse();
        world.run();
        node.script.forget();

        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.DRAINING);
        Answers.assertRefused(node.ask(OTHER_ROOM, "create", Wishes.create()), Refusal.DRAINING);
        Answers.assertRefused(node.read(ROOM), Refusal.DRAINING);

        assertThat(node.script.calls()).isEmpty();
        assertThat(world.database.rooms()).containsExactly(ROOM);
    }

    /** LEASE-10. */
    @Test
    void anotherNodeNeedNotWaitForTheLeaseToExpire() {
        node.createWith(ROOM, "ben");
        CellNode b = world.node("b");
        node.outcome(node.shard.drain());

        Answers.assertDone(b.ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(b.present(ROOM)).containsExactly("ben", "cid");
    }

    /** LEASE-10. */
    @Test
    void theLinesOfTheRoomListAreWrittenBeforeTheNodeGoes() {
        node.createWith(ROOM, "ben");

        node.outcome(node.shard.drain());

        assertThat(world.database.listEntry(ROOM).orElseThrow().onlineCount()).isEqualTo(1);
    }

    @Test
    void aNodeWithoutARoomIsDrainedAtOnce() {
        assertThat(node.shard.shutDown().isComplete()).isFalse();
        world.run();
        assertThat(world.time.isAtRest()).as("no timer is left").isTrue();
        assertThat(node.outcome(node.shard.shutDown())).isNull();
    }

    @Test
    void aDrainedNodeCallsNobodyAndHasNoTimerLeft() {
        node.createWith(ROOM, "ben");
        node.outcome(node.shard.shutDown());
        node.script.forget();

        world.advance(CellNode.DEADLINE_MS + Deadlines.STEP_MS);

        assertThat(node.script.calls()).isEmpty();
        assertThat(world.time.isAtRest()).isTrue();
    }

    /** LEASE-10: a room that is being passivated is waited for too. */
    @Test
    void aRoomThatIsOnItsWayOutAlreadyIsWaitedFor() {
        node.create(ROOM);
        HeldCall snapshot = node.script.holdNext(Call.SAVE_SNAPSHOT);
        world.advance(310_000);
        assertThat(snapshot.arrived()).isTrue();

        Future<Void> drained = node.shard.drain();
        world.run();
        assertThat(drained.isComplete()).isFalse();

        snapshot.letGo();
        world.run();
        assertThat(drained.succeeded()).isTrue();
        assertThat(world.route(ROOM)).as("the lease").isEmpty();
    }

    /** LEASE-10: a room that is being loaded when the drain begins is not kept. */
    @Test
    void aRoomThatWasBeingLoadedIsGivenUpAndWaitedFor() {
        anotherNodesRoom(ROOM);
        HeldCall load = node.script.holdNext(Call.LOAD);
        Future<Answer> join = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        assertThat(load.arrived()).isTrue();
        Future<Void> drained = node.shard.drain();
        world.run();
        assertThat(drained.isComplete()).isFalse();

        load.letGo();
        world.run();

        Answers.assertRefused(join, Refusal.DRAINING);
        assertThat(drained.succeeded()).isTrue();
        assertThat(world.route(ROOM)).as("the lease").isEmpty();
        assertThat(node.loadedRooms()).isZero();
        assertThat(world.loggedIds(ROOM)).containsExactly("create");
    }

    /** LEASE-10: whoever is sent to the successor finds the lease free. */
    @Test
    void aRoomThatWasBeingLoadedIsGivenUpBeforeAnybodyIsSentOn() {
        anotherNodesRoom(ROOM);
        HeldCall load = node.script.holdNext(Call.LOAD);
        Future<Answer> join = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        Future<Void> drained = node.shard.drain();
        HeldCall release = node.script.holdNext(Call.RELEASE);
        load.letGo();
        world.run();
        assertThat(release.arrived()).isTrue();
        Answers.assertWaiting(join);
        assertThat(drained.isComplete()).isFalse();

        release.letGo();
        world.run();
        Answers.assertRefused(join, Refusal.DRAINING);
        assertThat(drained.succeeded()).isTrue();
    }

    /** LEASE-10, B08: a lease that ran out while the room leaves is not taken again for a reader. */
    @Test
    void aReaderDoesNotBringBackTheLeaseOfARoomThatLeaves() {
        node.create(ROOM);
        node.script.breakDown(call -> call == Call.RENEW);
        world.advance(2 * Limits.TTL_MS);
        assertThat(world.route(ROOM)).as("the lease").isEmpty();
        node.script.recover();
        HeldCall snapshot = node.script.holdNext(Call.SAVE_SNAPSHOT);
        Future<Void> drained = node.shard.drain();
        world.run();
        assertThat(snapshot.arrived()).isTrue();
        HeldCall acquire = node.script.holdNext(Call.ACQUIRE);
        Future<ReadAnswer> read = node.shard.read(ROOM);
        world.run();
        assertThat(acquire.arrived()).isFalse();
        Answers.assertRefused(read.result(), Refusal.LEASE_LOST);

        snapshot.letGo();
        world.run();
        assertThat(drained.succeeded()).isTrue();
        assertThat(world.route(ROOM)).as("the lease").isEmpty();
    }

    private void anotherNodesRoom(RoomKey key) {
        CellNode b = world.node("b");
        b.create(key);
        b.outcome(b.shard.drain());
    }

    /** LEASE-10: the outside parts are there, but the room is not made any more. */
    @Test
    void aRoomInCreationIsLeftToWhoeverIsAskedNext() {
        HeldCall prepare = node.script.holdNext(Call.PREPARE);
        Future<Answer> create = node.send(ROOM, "create", Wishes.create());
        world.run();
        node.outcome(node.shard.drain());

        prepare.letGo();
        world.run();

        Answers.assertRefused(create, Refusal.DRAINING);
        Answers.assertDone(world.node("b").ask(ROOM, "create", Wishes.create()));
        assertThat(world.loggedIds(ROOM)).containsExactly("create");
    }

    /** CMD-3, LEASE-10: a batch that is to be decided again, and won't be here, leaves nobody without an answer. */
    @Test
    void whoeverWaitsForAnEqualIdIsToldTooWhenTheRoomIsLeft() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> first = node.send(ROOM, "id-1", Wishes.join("ben"));
        Future<Answer> second = node.send(ROOM, "id-1", Wishes.join("ben"));
        Future<Answer> other = node.send(ROOM, "id-2", Wishes.join("cid"));
        busy.letGo();
        world.run();
        assertThat(commit.arrived()).isTrue();
        Future<Void> drained = node.shard.drain();
        world.run();

        commit.answerWith(new GroupOutcome.RolledBack(Cause.STATEMENT, "Data too long"));
        world.run();

        assertThat(drained.isComplete()).isTrue();
        Answers.assertRefused(first, Refusal.DRAINING);
        Answers.assertRefused(second, Refusal.DRAINING);
        Answers.assertRefused(other, Refusal.DRAINING);
    }

    /** LEASE-10: a room whose turn has not come serves as ever; so none waits longer than its own leaving takes. */
    @Test
    void roomsLeaveAFewAtATimeAndTheOthersGoOn() {
        List<RoomKey> rooms = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            RoomKey room = new RoomKey("lala", "many-" + i);
            node.create(room);
            rooms.add(room);
        }
        List<HeldCall> snapshots = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            snapshots.add(node.script.holdNext(Call.SAVE_SNAPSHOT));
        }
        Future<Void> drained = node.shard.drain();
        world.run();
        assertThat(snapshots).allMatch(HeldCall::arrived);
        List<Future<Answer>> joins = rooms.stream()
                .map(room -> node.send(room, "join-ben", Wishes.join("ben")))
                .toList();
        world.run();
        assertThat(joins.stream().filter(Future::isComplete)).hasSize(4).allSatisfy(Answers::assertDone);

        snapshots.forEach(HeldCall::letGo);
        world.run();
        assertThat(drained.succeeded()).isTrue();
        assertThat(node.loadedRooms()).isZero();
        assertThat(rooms).allMatch(room -> world.route(room).isEmpty());
    }

    /** LEASE-10: the hint is the room's next owner, whoever asks. */
    @Test
    void whoIsTurnedAwayIsToldWhereTheRoomGoes() {
        CellNode b = world.node("b");
        CellNode c = world.node("c");
        node.create(ROOM);
        node.cluster.learn(List.of(announced("a", false), announced("b", false), announced("c", true)));
        node.outcome(node.shard.drain());

        Answer turnedAway = node.ask(ROOM, "join-ben", Wishes.join("ben"));
        assertThat(((Answer.Refused) turnedAway).owner())
                .as("c takes no room, and a is this node")
                .contains(announced("b", false).peer());
        world.members.remove("b");
        assertThat(((Answer.Refused) node.ask(ROOM, "join-ben", Wishes.join("ben"))).owner())
                .as("b lives no more")
                .isEmpty();
        assertThat(b.loadedRooms() + c.loadedRooms()).isZero();
    }

    private static Announced announced(String nodeId, boolean draining) {
        return new Announced(new Peer(nodeId, nodeId + ":7400"), draining);
    }

    @Test
    void aNodeThatIsNotDrainedAnyMoreTakesRoomsAgain() {
        node.createWith(ROOM, "ben");
        node.outcome(node.shard.drain());
        node.outcome(node.shard.undrain());
        assertThat(node.present(ROOM)).containsExactly("ben");
        Answers.assertDone(node.ask(OTHER_ROOM, "create", Wishes.create()));

        node.outcome(node.shard.drain());
        assertThat(node.loadedRooms()).isZero();
    }

    @Test
    void aDrainThatIsCalledOffKeepsTheRoomsThatHaveNotLeft() {
        for (int i = 0; i < 20; i++) {
            node.create(new RoomKey("lala", "many-" + i));
        }
        HeldCall snapshot = node.script.holdNext(Call.SAVE_SNAPSHOT);
        for (int i = 1; i < 16; i++) {
            node.script.holdNext(Call.SAVE_SNAPSHOT);
        }
        Future<Void> drained = node.shard.drain();
        world.run();
        node.outcome(node.shard.undrain());
        assertThat(drained.succeeded())
                .as("nobody waits for a drain that is off")
                .isTrue();
        assertThat(node.loadedRooms()).isEqualTo(20);
        snapshot.letGo();
        world.run();
        assertThat(node.loadedRooms()).isEqualTo(19);
    }
}
