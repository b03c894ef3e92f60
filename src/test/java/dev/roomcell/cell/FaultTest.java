package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.assertSameRoom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bug of ours in one place leaves nobody waiting, and no room with a memory that is not the log. */
class FaultTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    @BeforeEach
    void twoRooms() {
        node.create(ROOM);
        node.create(OTHER_ROOM);
    }

    private void assertBothRoomsGoOn() {
        Answers.assertDone(node.ask(ROOM, "join-zoe", Wishes.join("zoe")));
        Answers.assertDone(node.ask(OTHER_ROOM, "join-zoe", Wishes.join("zoe")));
        assertSameRoom(node.room(ROOM), world.replayed(ROOM));
        assertSameRoom(node.room(OTHER_ROOM), world.replayed(OTHER_ROOM));
    }

    @Test
    void aFaultWhileABatchIsDecidedCostsItsRoomTheCell() {
        node.clock.breakOnce();

        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.OUTCOME_UNKNOWN);

        assertThat(world.loggedIds(ROOM)).containsExactly("create");
        assertBothRoomsGoOn();
    }

    /** Nothing was begun that would answer. */
    @Test
    void aFaultOnTheWayToARoomIsToldToItsCaller() {
        CommandRequest join = node.request(ROOM, "join-ben", Wishes.join("ben"), Limits.TTL_MS);
        node.clock.breakMonotonicOnce();
        Future<Answer> ben = node.shard.submit(join);
        world.run();
        assertThat(ben.cause()).hasMessage("the clock is broken");
        assertBothRoomsGoOn();
    }

    @Test
    void aFaultWhileAGroupIsVerifiedIsSettledLikeALostCommit() {
        node.script.next(Call.VERIFY, PortScript.thrown());
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> cid = node.send(OTHER_ROOM, "join-cid", Wishes.join("cid"));
        world.run();

        Answers.assertRefused(ben, Refusal.STORE_UNAVAILABLE);
        Answers.assertRefused(cid, Refusal.STORE_UNAVAILABLE);
        assertBothRoomsGoOn();
    }

    @Test
    void aFaultWhileAGroupIsCommittedIsSettledLikeALostCommit() {
        node.script.next(Call.COMMIT, PortScript.thrown());
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> cid = node.send(OTHER_ROOM, "join-cid", Wishes.join("cid"));
        world.run();

        Answers.assertRefused(ben, Refusal.STORE_UNAVAILABLE);
        Answers.assertRefused(cid, Refusal.STORE_UNAVAILABLE);
        assertBothRoomsGoOn();
    }

    @Test
    void aFaultWhileARoomIsLookedUpIsToldToItsCallers() {
        node.script.next(Call.FIND, PortScript.thrown());

        Answers.assertRefused(
                node.ask(CellWorld.THIRD_ROOM, "join-ben", Wishes.join("ben")), Refusal.STORE_UNAVAILABLE);

        node.create(CellWorld.THIRD_ROOM);
    }

    private static <T> Future<T> failsOn(Future<T> answer) {
        return answer.onComplete(told -> {
            throw new IllegalStateException("a caller's bug");
        });
    }

    @Test
    void aCallerWhoFailsOnAnAnswerCostsTheOthersNothing() {
        CellNode other = world.node("b");
        node.outcome(node.shard.drain());
        failsOn(other.shard.read(ROOM));
        Future<ReadAnswer> second = other.shard.read(ROOM);
        world.run();
        assertThat(second.result()).isInstanceOf(ReadAnswer.Found.class);
    }

    @Test
    void aFaultWhileAClosedRoomIsReadIsToldToItsReaders() {
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        world.run();
        CellNode other = world.node("b");
        other.script.next(Call.LOAD, PortScript.thrown());
        Future<ReadAnswer> first = other.shard.read(ROOM);
        Future<ReadAnswer> second = other.shard.read(ROOM);
        world.run();
        Answers.assertRefused(first.result(), Refusal.STORE_UNAVAILABLE);
        assertThat(second.result()).isInstanceOf(ReadAnswer.Found.class);
    }

    /** LEASE-16. */
    @Test
    void aFaultWhileLeasesAreRenewedIsNotTheEndOfRenewals() {
        node.script.next(Call.RENEW, PortScript.thrown());
        world.advance(10 * Limits.TTL_MS);
        assertThat(world.route(ROOM)).isPresent();
        assertBothRoomsGoOn();
    }

    /** LEASE-16: the leases of a loop are renewed together. */
    @Test
    void aCallerWhoFailsOnARenewalCostsTheOtherRoomsNothing() {
        node.script.always(call -> call == Call.RENEW ? PortScript.answerLost() : PortScript.passed());
        world.advance(Limits.TTL_MS);
        node.script.recover();
        HeldCall renewal = node.script.holdNext(Call.RENEW);
        world.advance(Limits.TTL_MS / 12 + 1);
        assertThat(renewal.arrived()).isTrue();
        failsOn(node.shard.read(ROOM));
        Future<ReadAnswer> other = node.shard.read(OTHER_ROOM);
        world.run();

        renewal.letGo();
        world.advance(Limits.TTL_MS);

        assertThat(other.isComplete()).isTrue();
        assertBothRoomsGoOn();
    }
}
