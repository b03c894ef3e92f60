package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.NodeDrain.Progress;
import dev.roomcell.cell.NodeDrain.State;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node out of service, and back (LEASE-10). */
final class NodeDrainTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");
    private final List<Boolean> told = new ArrayList<>();
    private Future<Void> telling = Future.succeededFuture();
    private final NodeDrain drain = new NodeDrain(new CommandRouter(List.of(node.shard)), node.clock, draining -> {
        told.add(draining);
        return telling;
    });

    private Progress progress() {
        return node.outcome(drain.progress());
    }

    @Test
    void theOthersAreToldBeforeARoomLeaves() {
        node.create(ROOM);
        HeldCall snapshot = node.script.holdNext(Call.SAVE_SNAPSHOT);
        assertThat(progress()).isEqualTo(new Progress(State.SERVING, 1, 0));
        Future<Void> drained = drain.begin();
        world.run();
        assertThat(told).containsExactly(true);
        assertThat(progress()).isEqualTo(new Progress(State.DRAINING, 1, world.nowMs()));
        assertThat(drained.isComplete()).isFalse();
        snapshot.letGo();
        world.run();
        assertThat(drained.succeeded()).isTrue();
        assertThat(progress().state()).isEqualTo(State.DRAINED);
        assertThat(progress().loadedRooms()).isZero();
    }

    @Test
    void beginningAgainChangesNothing() {
        node.create(ROOM);
        Future<Void> first = drain.begin();
        assertThat(drain.begin()).isSameAs(first);
        world.run();
        assertThat(told).containsExactly(true);
        assertThat(drain.begin()).isSameAs(first);
    }

    @Test
    void roomsLeaveAlsoIfTheOthersCannotBeTold() {
        node.create(ROOM);
        telling = Future.failedFuture("Redis is gone");
        node.outcome(drain.begin());
        assertThat(progress().state()).isEqualTo(State.DRAINED);
    }

    @Test
    void aDrainThatIsCalledOffIsOver() {
        node.create(ROOM);
        node.outcome(drain.begin());
        node.outcome(drain.undo());
        assertThat(told).containsExactly(true, false);
        assertThat(progress()).isEqualTo(new Progress(State.SERVING, 0, 0));
        node.room(ROOM);
        node.outcome(drain.begin());
        assertThat(told).containsExactly(true, false, true);
        assertThat(progress().state()).isEqualTo(State.DRAINED);
    }

    @Test
    void aNodeThatServesHasNothingToCallOff() {
        node.outcome(drain.undo());
        assertThat(told).isEmpty();
    }

    /** The last word to the others is what holds, however the turns fall. */
    @Test
    void aDrainThatBeginsWhileAnotherIsCalledOffIsWhatTheOthersAreTold() {
        node.create(ROOM);
        node.outcome(drain.begin());
        Future<Void> calledOff = drain.undo();
        Future<Void> again = drain.begin();
        world.run();
        assertThat(calledOff.isComplete()).isTrue();
        assertThat(again.isComplete()).isTrue();
        assertThat(told.get(told.size() - 1)).isTrue();
        assertThat(progress().state()).isEqualTo(State.DRAINED);
    }

    /** Whoever waits for the node to be empty must not be told so by a drain that was called off. */
    @Test
    void aDrainThatIsCalledOffDoesNotEndTheNextOne() {
        node.create(ROOM);
        HeldCall snapshot = node.script.holdNext(Call.SAVE_SNAPSHOT);
        Future<Void> first = drain.begin();
        world.run();
        Future<Void> calledOff = drain.undo();
        Future<Void> second = drain.begin();
        world.run();
        assertThat(first.isComplete()).isTrue();
        assertThat(calledOff.isComplete()).isTrue();
        assertThat(progress()).isEqualTo(new Progress(State.DRAINING, 1, world.nowMs()));
        assertThat(second.isComplete()).isFalse();
        snapshot.letGo();
        world.run();
        assertThat(second.succeeded()).isTrue();
        assertThat(progress().state()).isEqualTo(State.DRAINED);
    }

    /** A node on its way out must take no room again: nobody would renew its lease. */
    @Test
    void theDrainOfANodeThatEndsCannotBeCalledOff() {
        node.create(ROOM);
        HeldCall snapshot = node.script.holdNext(Call.SAVE_SNAPSHOT);
        Future<Void> drained = drain.beginForGood();
        world.run();
        node.outcome(drain.undo());
        assertThat(told).containsExactly(true);
        assertThat(drained.isComplete()).isFalse();
        snapshot.letGo();
        world.run();
        assertThat(drained.succeeded()).isTrue();
        assertThat(progress().state()).isEqualTo(State.DRAINED);
        Answers.assertRefused(node.read(ROOM), Answer.Refusal.DRAINING);
    }
}
