package dev.roomcell.cell;

import static dev.roomcell.cell.OutboxWorld.USUAL;
import static dev.roomcell.cell.OutboxWorld.neighbourOf;
import static dev.roomcell.cell.OutboxWorld.room;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryOutbox.Status;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From the outbox to the queue, whatever goes wrong between them. */
class OutboxWorkerTest {
    private static final RoomKey ROOM = room("a");

    private final OutboxWorld world = new OutboxWorld();
    private final ScriptedQueue queue = world.queue;

    private OutboxWorld.Node started() {
        OutboxWorld.Node node = world.worker();
        world.time.advance(1);
        return node;
    }

    @Test
    @Tag("OUT-3")
    void whatIsCommittedArrivesWithinOnePoll() {
        OutboxWorld.Node node = started();
        List<FactId> facts = world.facts(ROOM, 3);
        world.time.advance(USUAL.pollMs());
        assertThat(queue.arrived).isEqualTo(facts);
        assertThat(facts).allSatisfy(id -> assertThat(world.status(id)).isEqualTo(Status.DELIVERED));
        assertThat(node.worker().figures().delivered()).isEqualTo(3);
    }

    @Test
    void whileThereIsWorkNoPollIsWaitedFor() {
        List<FactId> facts = world.facts(ROOM, 160);
        started();
        world.time.advance(20);
        assertThat(queue.arrived).isEqualTo(facts);
        assertThat(queue.calls).hasSize(10).containsOnly(16);
    }

    @Test
    void whenNothingIsDueTheDatabaseIsAskedOnceAPoll() {
        OutboxWorld.Node node = started();
        node.script.forget();
        world.time.advance(10 * USUAL.pollMs());
        assertThat(node.script.count(Call.CLAIM_FACTS)).isEqualTo(10);
        assertThat(node.script.count(Call.FINISH_FACTS)).isZero();
    }

    /** B76. */
    @Test
    @Tag("OUT-4")
    @Tag("OUT-6")
    void aRefusedFactIsTriedAgainLaterAndItsRoomWaitsBehindIt() {
        List<FactId> facts = world.facts(ROOM, 3);
        queue.refuse(facts.get(0), 2);
        FactId other = world.facts(room("b"), 1).get(0);
        OutboxWorld.Node node = started();
        world.time.advance(1);
        assertThat(queue.arrived).containsExactly(other);
        assertThat(world.row(facts.get(0)).lastError()).isEqualTo("not this one");
        assertThat(world.row(facts.get(0)).attempts()).isEqualTo(1);
        assertThat(world.row(facts.get(1)).attempts()).isZero();

        world.time.advance(900);
        assertThat(queue.calls).hasSize(1);
        world.time.advance(400);
        assertThat(queue.calls).as("after one second").hasSize(2);
        world.time.advance(1_600);
        assertThat(queue.calls).hasSize(2);
        world.time.advance(700);
        assertThat(queue.calls).as("after two more").hasSize(3);
        assertThat(queue.first(ROOM)).isEqualTo(facts);
        assertThat(node.worker().figures().refused()).isEqualTo(2);
    }

    /** B74, B75: by refusals, and by those only. */
    @Test
    @Tag("OUT-4")
    void aFactThatIsRefusedTooOftenIsParkedAndItsRoomGoesOn() {
        List<FactId> facts = world.facts(ROOM, 3);
        queue.refuse(facts.get(1), Integer.MAX_VALUE);
        OutboxWorld.Node node = started();
        world.time.advance(1_200_000);
        assertThat(queue.arrived).containsExactly(facts.get(0), facts.get(2));
        assertThat(world.status(facts.get(1))).isEqualTo(Status.FAILED);
        assertThat(world.row(facts.get(1)).attempts()).isEqualTo(USUAL.maxTries());
        assertThat(world.row(facts.get(1)).lastError()).isEqualTo("not this one");
        assertThat(node.worker().figures().parked()).isEqualTo(1);
        assertThat(node.worker().figures().refused()).isEqualTo(USUAL.maxTries());
    }

    /** B74. */
    @Test
    @Tag("OUT-6")
    void aRoomThatIsStuckIsInNobodysWay() {
        List<FactId> stuck = world.facts(ROOM, 500);
        stuck.forEach(id -> queue.refuse(id, Integer.MAX_VALUE));
        List<FactId> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            others.addAll(world.facts(neighbourOf(ROOM, i), 20));
        }
        started();
        world.time.advance(1_000);
        assertThat(queue.arrived).containsExactlyInAnyOrderElementsOf(others);
        assertThat(queue.calls.size()).as("calls").isLessThan(40);
    }

    /** B75. */
    @Test
    @Tag("OUT-4")
    void anOutageCountsForNothingAndIsOverSoonAfterItIsOver() {
        List<FactId> facts = world.facts(ROOM, 200);
        queue.out(true);
        started();
        world.time.advance(600_000);
        assertThat(queue.calls.size()).as("calls in ten minutes").isLessThan(200);
        assertThat(queue.calls.subList(1, queue.calls.size())).containsOnly(1);
        assertThat(facts).allSatisfy(id -> {
            assertThat(world.row(id).attempts()).isZero();
            assertThat(world.status(id)).isNotEqualTo(Status.FAILED);
        });
        assertThat(world.row(facts.get(0)).lastError()).contains("connection refused");

        queue.out(false);
        world.time.advance(6_000);
        assertThat(queue.arrived).isEqualTo(facts);
    }

    /** B79: the same facts again, under the same names. */
    @Test
    @Tag("OUT-4")
    void factsWhoseArrivalWasNotConfirmedAreSentAgain() {
        List<FactId> facts = world.facts(ROOM, 3);
        queue.deaf(true);
        started();
        world.time.advance(100);
        assertThat(queue.arrived).isEqualTo(facts);
        assertThat(facts).noneMatch(id -> world.status(id) == Status.DELIVERED);
        queue.deaf(false);
        world.time.advance(10_000);
        assertThat(queue.first(ROOM)).isEqualTo(facts);
        assertThat(facts).allMatch(id -> world.status(id) == Status.DELIVERED);
    }

    /** B77. */
    @Test
    @Tag("OUT-2")
    void whoIsTooSlowLosesTheFactsAndChangesNothingAnyMore() {
        List<FactId> facts = world.facts(ROOM, 3);
        Promise<Void> slow = queue.holdNext();
        OutboxWorld.Node first = started();
        OutboxWorld.Node second = world.worker();
        world.time.advance(USUAL.claimMs() - 1_000);
        assertThat(queue.arrived).isEmpty();
        world.time.advance(2_000);
        assertThat(queue.arrived).isEqualTo(facts);
        assertThat(second.worker().figures().delivered()).isEqualTo(3);

        slow.complete();
        world.time.advance(1_000);
        assertThat(queue.arrived).hasSize(6);
        assertThat(queue.first(ROOM)).isEqualTo(facts);
        assertThat(facts).allMatch(id -> world.status(id) == Status.DELIVERED);
        assertThat(first.script.count(Call.FINISH_FACTS)).isPositive();
        assertThat(world.row(facts.get(0)).dueMs())
                .as("delivered when the second said so")
                .isLessThan(1_700_000_000_000L + USUAL.claimMs() + 1_500);
    }

    /** B81. */
    @Test
    @Tag("OUT-2")
    void whatADeadWorkerHadIsDeliveredByAnother() {
        List<FactId> facts = world.facts(ROOM, 20);
        HeldCall finish = dyingInTheMiddle();
        OutboxWorld.Node other = world.worker();
        world.time.advance(USUAL.claimMs() + 2 * USUAL.pollMs());
        assertThat(finish.arrived()).isTrue();
        assertThat(queue.first(ROOM)).isEqualTo(facts);
        assertThat(queue.arrived).as("at most one batch twice").hasSize(20 + 16);
        assertThat(other.worker().figures().delivered()).isEqualTo(20);
    }

    private HeldCall dyingInTheMiddle() {
        OutboxWorld.Node node = world.worker();
        HeldCall finish = node.script.holdNext(Call.FINISH_FACTS);
        world.time.advance(1);
        node.loop.freeze();
        return finish;
    }

    @Test
    @Tag("OUT-2")
    void aFinishThatFailsIsRepeatedUntilItIsDone() {
        List<FactId> facts = world.facts(ROOM, 3);
        OutboxWorld.Node node = world.worker();
        node.script.next(Call.FINISH_FACTS, PortScript.failed());
        node.script.next(Call.FINISH_FACTS, PortScript.failed());
        world.time.advance(4_000);
        assertThat(queue.arrived).as("sent once").isEqualTo(facts);
        assertThat(facts).allMatch(id -> world.status(id) == Status.DELIVERED);
        assertThat(node.worker().figures().delivered()).isEqualTo(3);
    }

    @Test
    @Tag("OUT-2")
    void aFinishThatFailsForTooLongLeavesTheFactsToTheNextClaim() {
        List<FactId> facts = world.facts(ROOM, 3);
        OutboxWorld.Node node = world.worker();
        node.script.breakDown(call -> call == Call.FINISH_FACTS);
        world.time.advance(USUAL.claimMs() - 100);
        assertThat(queue.arrived).isEqualTo(facts);
        node.script.recover();
        world.time.advance(10_000);
        assertThat(queue.first(ROOM)).isEqualTo(facts);
        assertThat(facts).allMatch(id -> world.status(id) == Status.DELIVERED);
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsAskedLessOften() {
        OutboxWorld.Node node = started();
        node.script.breakDown(call -> true);
        node.script.forget();
        world.time.advance(60_000);
        assertThat(node.script.calls().size()).isLessThan(40);
        List<FactId> facts = world.facts(ROOM, 1);
        node.script.recover();
        world.time.advance(5_500);
        assertThat(queue.arrived).isEqualTo(facts);
    }

    /** B80. */
    @Test
    @Tag("OUT-7")
    void aClockThatIsWrongStealsNothingAndKeepsNothing() {
        List<FactId> facts = world.facts(ROOM, 3);
        Promise<Void> slow = queue.holdNext();
        started();
        OutboxWorld.Node fast = world.worker();
        fast.wrongBy(600_000);
        OutboxWorld.Node behind = world.worker();
        behind.wrongBy(-600_000);
        world.time.advance(USUAL.claimMs() - 1_000);
        assertThat(queue.calls).hasSize(1);
        world.time.advance(2_000);
        assertThat(queue.arrived).isEqualTo(facts);
        slow.fail("at last");
        world.time.advance(1);
    }

    @Test
    void workersShareTheWork() {
        OutboxWorld.Node first = started();
        OutboxWorld.Node second = world.worker();
        world.time.advance(2 * USUAL.leaseMs());
        for (int i = 0; i < 100; i++) {
            world.facts(room("room-" + i), 2);
        }
        world.time.advance(1_000);
        assertThat(queue.arrived).hasSize(200).doesNotHaveDuplicates();
        assertThat(first.worker().figures().delivered()).isBetween(40L, 160L);
        assertThat(second.worker().figures().delivered()).isBetween(40L, 160L);
    }

    @Test
    void whoStopsFinishesItsBatchAndLetsItsShareGo() {
        List<FactId> facts = world.facts(ROOM, 40);
        Promise<Void> slow = queue.holdNext();
        OutboxWorld.Node first = started();
        OutboxWorld.Node second = world.worker();
        world.time.advance(5_000);
        Future<Void> stopped = first.stop();
        world.time.advance(1_000);
        assertThat(stopped.isComplete()).isFalse();
        slow.complete();
        world.time.advance(1);
        assertThat(stopped.succeeded()).isTrue();
        assertThat(first.worker().figures().delivered()).isEqualTo(16);
        world.time.advance(2_000);
        assertThat(queue.arrived).isEqualTo(facts);
        assertThat(second.worker().figures().delivered()).isEqualTo(24);

        first.script.forget();
        world.time.advance(60_000);
        assertThat(first.script.calls()).isEmpty();
    }

    @Test
    void whoStopsWhileItWaitsStopsAtOnce() {
        OutboxWorld.Node node = started();
        assertThat(node.stop().succeeded()).isTrue();
        assertThat(node.script.calls()).contains(Call.RELEASE_PARTITIONS);
        assertThat(node.stop().succeeded()).as("said again").isTrue();
    }

    /** B83. */
    @Test
    @Tag("OUT-7")
    void whatWasDeliveredLongAgoIsPurgedAThousandAtATime() {
        List<FactId> facts = world.facts(ROOM, 2_500);
        OutboxWorld.Node first = started();
        world.worker();
        world.time.advance(USUAL.keptMs() - 1_000);
        assertThat(world.database.delivery().rows(ROOM)).hasSize(facts.size());
        first.script.forget();
        world.time.advance(15_000);
        assertThat(world.database.delivery().rows(ROOM)).isEmpty();
        assertThat(first.script.count(Call.PURGE_FACTS)).isBetween(3, 6);
    }

    @Test
    void whatIsLeftIsCountedNowAndThen() {
        FactId stuck = world.facts(ROOM, 5).get(0);
        queue.refuse(stuck, 5);
        OutboxWorld.Node node = started();
        assertThat(node.worker().figures().backlog()).isEqualTo(5);
        world.time.advance(60_000);
        assertThat(node.worker().figures().backlog()).isZero();
    }
}
