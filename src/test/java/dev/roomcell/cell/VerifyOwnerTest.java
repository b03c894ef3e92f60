package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryRedis.Value.Lease;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The check in Redis that stands before every transaction. */
class VerifyOwnerTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** LEASE-6. */
    @Test
    void everyTransactionHasItsOwnVerificationJustBeforeIt() {
        node.create(ROOM);
        node.script.forget();

        Answers.assertDone(node.ask(ROOM, "join-1", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "join-2", Wishes.join("cid")));

        assertThat(node.script.calls()).containsExactly(Call.VERIFY, Call.COMMIT, Call.VERIFY, Call.COMMIT);
    }

    /** LEASE-6. */
    @Test
    void aLeaseThatIsNotFreshIsRenewedBeforeTheCommandIsDecided() {
        node.create(ROOM);
        node.script.breakDown(call -> call == Call.RENEW);
        world.advance(Limits.TTL_MS * 5 / 6);
        node.script.recover();
        node.script.forget();

        Answers.assertDone(node.ask(ROOM, "join-1", Wishes.join("ben")));

        assertThat(node.script.calls()).containsExactly(Call.RENEW, Call.VERIFY, Call.COMMIT);
    }

    /** LEASE-7. */
    @Test
    void nothingIsWrittenWhenTheLeaseHasExpired() {
        node.create(ROOM);
        world.redis.delete(ROOM.routeKey());

        assertNothingIsWritten();
    }

    /** LEASE-7. */
    @Test
    void nothingIsWrittenWhenTheTokenHasChanged() {
        node.create(ROOM);
        Lease ours = world.route(ROOM).orElseThrow();
        world.redis.set(ROOM.routeKey(), new Lease(ours.nodeId(), ours.epoch(), "another-token"), Limits.TTL_MS);

        assertNothingIsWritten();
    }

    /** LEASE-7. */
    @Test
    void nothingIsWrittenWhenAnotherNodeHasTheLease() {
        node.create(ROOM);
        Lease ours = world.route(ROOM).orElseThrow();
        world.redis.set(ROOM.routeKey(), new Lease("b", ours.epoch(), ours.token()), Limits.TTL_MS);

        assertNothingIsWritten();
    }

    private void assertNothingIsWritten() {
        List<String> logged = world.loggedIds(ROOM);
        int facts = world.database.outbox(ROOM).size();
        node.script.forget();

        Future<Answer> join = node.send(ROOM, "join-1", Wishes.join("ben"));
        world.run();

        Answers.assertRefused(join, Refusal.LEASE_LOST);
        assertThat(node.script.count(Call.COMMIT)).isZero();
        assertThat(world.loggedIds(ROOM)).isEqualTo(logged);
        assertThat(world.database.outbox(ROOM)).hasSize(facts);
    }

    @Test
    void whoeverLostTheLeaseLoadsTheRoomAnewForTheNextCommand() {
        node.create(ROOM);
        world.redis.delete(ROOM.routeKey());
        Answers.assertRefused(node.ask(ROOM, "join-1", Wishes.join("ben")), Refusal.LEASE_LOST);

        Answers.assertDone(node.ask(ROOM, "join-1", Wishes.join("ben")));

        assertThat(node.present(ROOM)).containsExactly("ben");
    }

    /** LEASE-8. */
    @Test
    void everyLogRowSaysWhoCommittedItUnderWhichTokenAndEpoch() {
        node.createWith(ROOM, "ben");
        Lease first = world.route(ROOM).orElseThrow();
        world.advance(Limits.TTL_MS / 3);
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));
        Lease rotated = world.route(ROOM).orElseThrow();

        assertThat(rotated.token()).isNotEqualTo(first.token());
        LogFields before = world.log(ROOM).get(1);
        assertThat(before.nodeId()).isEqualTo("a");
        assertThat(before.leaseToken()).isEqualTo(first.token());
        assertThat(before.epoch()).isEqualTo(first.epoch());
        LogFields after = world.log(ROOM).get(2);
        assertThat(after.nodeId()).isEqualTo("a");
        assertThat(after.leaseToken()).isEqualTo(rotated.token());
        assertThat(after.epoch()).isEqualTo(world.row(ROOM).epoch());
    }

    /** LEASE-16. */
    @Test
    void aTokenThatRedisTookButNeverConfirmedPasses() {
        node.create(ROOM);
        String confirmed = world.route(ROOM).orElseThrow().token();
        node.script.next(Call.RENEW, PortScript.answerLost());
        world.advance(Limits.TTL_MS / 3);
        assertThat(world.route(ROOM).orElseThrow().token()).isNotEqualTo(confirmed);

        Answers.assertDone(node.ask(ROOM, "join-1", Wishes.join("ben")));
    }

    /** LEASE-16. */
    @Test
    void theConfirmedTokenPassesWhileARenewalIsOnItsWay() {
        node.create(ROOM);
        HeldCall renewal = node.script.holdNext(Call.RENEW);
        world.advance(Limits.TTL_MS / 3);
        assertThat(renewal.arrived()).isTrue();

        Answers.assertDone(node.ask(ROOM, "join-1", Wishes.join("ben")));
    }

    /** LEASE-16: Redis may get to a renewal late, after one that was sent later and confirmed. */
    @Test
    void aRenewalThatRedisGetsToLateCostsNothing() {
        node.create(ROOM);
        HeldCall late = node.script.holdNext(Call.RENEW);
        world.advance(Limits.TTL_MS / 3);
        late.fail();
        world.advance(Limits.TTL_MS / 12);
        String confirmed = world.route(ROOM).orElseThrow().token();

        late.happen();

        assertThat(world.route(ROOM).orElseThrow().token()).isNotEqualTo(confirmed);
        Answers.assertDone(node.ask(ROOM, "join-1", Wishes.join("ben")));
        assertThat(node.script.count(Call.MINT)).as("loads").isEqualTo(1);
    }

    /** LEASE-16: between the proof and its answer a renewal may have come through. */
    @Test
    void aRoomThatSeemsLostIsAskedAboutOnceMore() {
        node.create(ROOM);
        node.create(OTHER_ROOM);
        node.script.next(Call.VERIFY, PortScript.answered(List.of(true, false)));
        node.script.forget();
        Future<Answer> first = node.send(ROOM, "join-1", Wishes.join("ben"));
        Future<Answer> doubtful = node.send(OTHER_ROOM, "join-1", Wishes.join("ben"));

        world.run();

        Answers.assertDone(first);
        Answers.assertDone(doubtful);
        assertThat(node.script.calls()).containsExactly(Call.VERIFY, Call.VERIFY, Call.COMMIT);
    }

    /** LEASE-16, B04: what is proved is what is held when the call leaves, not when the batch began to wait. */
    @Test
    void aTokenThatRotatesWhileABatchWaitsForItsTransactionCostsNothing() {
        node.create(ROOM);
        node.create(OTHER_ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> first = node.send(OTHER_ROOM, "join-1", Wishes.join("ben"));
        world.run();
        Future<Answer> waiting = node.send(ROOM, "join-1", Wishes.join("ben"));
        world.run();
        String before = world.route(ROOM).orElseThrow().token();
        world.advance(Limits.TTL_MS / 3);
        assertThat(world.route(ROOM).orElseThrow().token()).isNotEqualTo(before);

        commit.letGo();
        world.run();

        Answers.assertDone(first);
        Answers.assertDone(waiting);
    }

    /** LEASE-16: and so it is for each further try of a transaction that a deadlock undid. */
    @Test
    void aTokenThatRotatesBetweenTwoTriesOfATransactionCostsNothing() {
        node.create(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> join = node.send(ROOM, "join-1", Wishes.join("ben"));
        world.run();
        world.advance(Limits.TTL_MS / 3);

        commit.answerWith(GroupScene.TRANSIENT);
        world.advance(100);

        Answers.assertDone(join);
    }
}
