package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LEASE-17: an answer that needs no commit is only as good as the ownership behind it. */
class AnswersAfterCommitTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    @BeforeEach
    void aRoomWithBen() {
        node.createWith(ROOM, "ben");
    }

    /** LEASE-17. */
    @Test
    void aRejectionWaitsForTheCommitOfItsBatch() {
        HeldCall busy = node.occupy(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> rejected = node.send(ROOM, "leave-cid", Wishes.leave("cid"));
        Future<Answer> accepted = node.send(ROOM, "join-dan", Wishes.join("dan"));
        busy.letGo();
        world.run();
        assertThat(commit.arrived()).isTrue();
        Answers.assertWaiting(rejected);
        Answers.assertWaiting(accepted);

        commit.letGo();
        world.run();

        Answers.assertRejected(rejected, Reason.NOT_PRESENT);
        Answers.assertDone(accepted);
    }

    /** LEASE-17: it was decided on a state that never came to be. */
    @Test
    void aRejectionIsRefusedWhenTheCommitOfItsBatchFails() {
        HeldCall busy = node.occupy(ROOM);
        node.script.next(
                Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "no connection")));
        Future<Answer> left = node.send(ROOM, "leave-ben", Wishes.leave("ben"));
        Future<Answer> leftTwice = node.send(ROOM, "leave-ben-again", Wishes.leave("ben"));
        Future<Answer> unchanged = node.send(ROOM, "join-ben-again", Wishes.join("ben"));
        busy.letGo();
        world.run();

        Answers.assertRefused(left, Refusal.STORE_UNAVAILABLE);
        Answers.assertRefused(leftTwice, Refusal.STORE_UNAVAILABLE);
        Answers.assertRefused(unchanged, Refusal.STORE_UNAVAILABLE);
        assertThat(node.present(ROOM)).containsExactly("ben");
    }

    /** LEASE-17. */
    @Test
    void aNoOpWaitsForTheCommitOfItsBatch() {
        HeldCall busy = node.occupy(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> unchanged = node.send(ROOM, "join-ben-again", Wishes.join("ben"));
        Future<Answer> accepted = node.send(ROOM, "join-dan", Wishes.join("dan"));
        busy.letGo();
        world.run();
        Answers.assertWaiting(unchanged);

        commit.letGo();
        world.run();

        Answers.assertDone(unchanged);
        Answers.assertDone(accepted);
    }

    /** LEASE-17. */
    @Test
    void aBatchWithNothingToCommitIsVerifiedAllTheSame() {
        node.script.forget();

        Answers.assertRejected(node.ask(ROOM, "leave-cid", Wishes.leave("cid")), Reason.NOT_PRESENT);
        Answers.assertDone(node.ask(ROOM, "join-ben-again", Wishes.join("ben")));

        assertThat(node.script.count(Call.VERIFY)).isEqualTo(2);
        assertThat(node.script.count(Call.COMMIT)).isZero();
    }

    /** LEASE-17. */
    @Test
    void aRejectionByWhoeverLostTheLeaseIsNotGiven() {
        world.redis.flush();

        Answers.assertRefused(node.ask(ROOM, "leave-cid", Wishes.leave("cid")), Refusal.LEASE_LOST);
    }

    /** LEASE-17. */
    @Test
    void aNoOpByWhoeverLostTheLeaseIsNotGiven() {
        world.redis.flush();

        Answers.assertRefused(node.ask(ROOM, "join-ben-again", Wishes.join("ben")), Refusal.LEASE_LOST);
    }

    /** LEASE-17. */
    @Test
    void aReaderIsServedUntilTheLeaseMayHaveRunOutAndNotLonger() {
        node.script.breakDown(Call::toRedis);

        world.advance(Limits.TTL_MS - 1);
        assertThat(node.present(ROOM)).containsExactly("ben");

        world.advance(1);
        Answers.assertRefused(node.read(ROOM), Refusal.LEASE_LOST);
    }

    /** LEASE-17. */
    @Test
    void aHeartbeatIsTakenUntilTheLeaseMayHaveRunOutAndNotLonger() {
        node.script.breakDown(Call::toRedis);

        world.advance(Limits.TTL_MS - 1);
        assertThat(node.outcome(node.shard.heartbeat(ROOM, "ben", MicSign.SILENT)))
                .isInstanceOf(ReadAnswer.Found.class);

        world.advance(1);
        Answers.assertRefused(node.outcome(node.shard.heartbeat(ROOM, "ben", MicSign.SILENT)), Refusal.LEASE_LOST);
    }

    /** LEASE-17: the age of a lease counts from when its renewal was sent. */
    @Test
    void aSlowRenewalMakesTheLeaseNoYounger() {
        HeldCall renewal = node.script.holdNext(Call.RENEW);
        world.advance(Limits.TTL_MS / 3);
        assertThat(renewal.arrived()).isTrue();
        world.advance(Limits.TTL_MS / 3);
        renewal.letGo();
        node.script.breakDown(Call::toRedis);

        world.advance(2 * Limits.TTL_MS / 3 - 1);
        assertThat(node.read(ROOM)).isInstanceOf(ReadAnswer.Found.class);

        world.advance(1);
        Answers.assertRefused(node.read(ROOM), Refusal.LEASE_LOST);
    }

    /** LEASE-17: the reader of a room whose lease ran out waits for the lease, and is served when it comes. */
    @Test
    void aReaderIsServedAgainAsSoonAsTheLeaseIsConfirmed() {
        node.script.breakDown(Call::toRedis);
        world.advance(Limits.TTL_MS);
        node.script.recover();

        assertThat(node.present(ROOM)).containsExactly("ben");
    }
}
