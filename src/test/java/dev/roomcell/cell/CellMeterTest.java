package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.testkit.PortScript.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.port.CellMeter.Drop;
import dev.roomcell.port.CellMeter.Load;
import dev.roomcell.port.CellMeter.Settled;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What operators are told of the rooms. */
class CellMeterTest {
    /** Longer than a lost commit is asked after, ms. */
    private static final long UNTIL_GIVEN_UP_MS = 60_000;

    private final CellWorld world = new CellWorld();
    private final CellNode a = world.node("a");
    private final CellNode b = world.node("b");

    @Test
    void everyAnswerIsCountedOnceByKindAndResult() {
        a.create(ROOM);
        a.ask(ROOM, "join", Wishes.join("ben"));
        a.ask(ROOM, "join", Wishes.join("ben"));
        a.ask(ROOM, "join", Wishes.join("cid"));
        a.ask(OTHER_ROOM, "leave", Wishes.leave("ben"));
        b.ask(ROOM, "join-dan", Wishes.join("dan"));

        assertThat(a.counts.answered)
                .containsExactly(
                        "CREATE_ROOM DONE",
                        "JOIN_ROOM DONE",
                        "JOIN_ROOM REPLAYED",
                        "JOIN_ROOM REJECTED",
                        "LEAVE_ROOM REJECTED");
        assertThat(b.counts.answered).containsExactly("JOIN_ROOM REFUSED");
    }

    @Test
    void aCallerToldByTheDeadlineIsNotCountedAgainWhenTheOutcomeComes() {
        a.create(ROOM);
        a.counts.forget();
        HeldCall commit = a.script.holdNext(Call.COMMIT);
        Future<Answer> late = a.send(ROOM, "join", Wishes.join("ben"), 1_000);
        world.run();
        world.advance(2_000);
        Answers.assertRefused(late, Refusal.OUTCOME_UNKNOWN);

        commit.letGo();
        world.run();

        assertThat(a.counts.answered).containsExactly("JOIN_ROOM UNKNOWN");
        assertThat(a.counts.transactions).containsExactly("COMMITTED 1 2000");
    }

    @Test
    void aBatchTellsHowManyWaitedAndForHowLongTheFirstDid() {
        a.create(ROOM);
        HeldCall busy = a.occupy(ROOM);
        a.counts.forget();
        a.send(ROOM, "join-1", Wishes.join("ben"));
        world.advance(70);
        a.send(ROOM, "join-2", Wishes.join("cid"));
        a.send(ROOM, "join-3", Wishes.join("dan"));
        world.advance(30);

        busy.letGo();
        world.run();

        assertThat(a.counts.taken).containsExactly("3 100");
        assertThat(a.counts.batches).containsExactly(3);
    }

    @Test
    void aTransactionTellsItsRoomsAndEachOfThemItsCommands() {
        a.create(ROOM);
        a.create(OTHER_ROOM);
        a.counts.forget();
        a.send(ROOM, "join-1", Wishes.join("ben"));
        a.send(OTHER_ROOM, "join-2", Wishes.join("cid"));
        world.run();

        assertThat(a.counts.transactions).containsExactly("COMMITTED 2 0");
        assertThat(a.counts.batches).containsExactly(1, 1);
    }

    @Test
    void aTransactionThatWasRolledBackCommittedNoBatch() {
        a.create(ROOM);
        a.counts.forget();
        a.script.next(Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "read-only")));

        Answers.assertRefused(a.ask(ROOM, "join", Wishes.join("ben")), Refusal.STORE_UNAVAILABLE);

        assertThat(a.counts.transactions).containsExactly("ROLLED_BACK 1 0");
        assertThat(a.counts.batches).isEmpty();
        assertThat(a.counts.drops).isEmpty();
    }

    @Test
    void aLoadTellsWhetherAnotherNodeHadTheRoomBefore() {
        a.create(ROOM);
        b.read(ROOM);
        a.outcome(a.shard.release(ROOM));
        a.read(ROOM);
        a.outcome(a.shard.release(ROOM));
        b.read(ROOM);

        assertThat(a.counts.loads).containsExactly(Load.LOADED, Load.LOADED);
        assertThat(b.counts.loads).containsExactly(Load.OWNED_ELSEWHERE, Load.TAKEN_OVER);
    }

    @Test
    void aLoadThatFailedIsCountedAsOne() {
        a.create(ROOM);
        a.outcome(a.shard.release(ROOM));
        b.script.next(Call.MINT, PortScript.failed());

        b.read(ROOM);

        assertThat(b.counts.loads).containsExactly(Load.FAILED);
    }

    @Test
    void aCellFencedByTheDatabaseIsDroppedAsFenced() {
        a.create(ROOM);
        world.redis.flush();
        b.create(OTHER_ROOM);
        Answers.assertDone(b.ask(ROOM, "join-cid", Wishes.join("cid")));
        a.script.next(Call.VERIFY, PortScript.answered(List.of(true)));

        Answers.assertRefused(a.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.FENCED);

        assertThat(a.counts.drops).containsExactly(Drop.FENCED);
        assertThat(b.counts.drops).isEmpty();
    }

    @Test
    void aCellWhoseLeaseIsGoneBeforeItsCommitIsDroppedAsSuch() {
        a.create(ROOM);
        world.redis.delete(ROOM.routeKey());

        Answers.assertRefused(a.ask(ROOM, "join", Wishes.join("ben")), Refusal.LEASE_LOST);

        assertThat(a.counts.drops).containsExactly(Drop.LEASE_LOST);
    }

    @Test
    void aLeaseThatRedisForgotIsTakenAgainOrLost() {
        a.create(ROOM);
        world.redis.flush();
        world.advance(Limits.TTL_MS / 2);
        assertThat(a.counts.retakes).containsExactly(true);

        world.redis.flush();
        world.database.mint(ROOM, "b", "token-of-b", OptionalLong.empty());
        world.advance(Limits.TTL_MS / 2);

        assertThat(a.counts.retakes).containsExactly(true, false);
        assertThat(a.counts.drops).containsExactly(Drop.LEASE_LOST);
    }

    @Test
    void aLostCommitTellsWhatBecameOfIt() {
        a.create(ROOM);
        a.counts.forget();
        a.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));
        Answers.assertDone(a.ask(ROOM, "join-1", Wishes.join("ben")));
        a.script.next(Call.COMMIT, PortScript.answered(UNKNOWN));
        Answers.assertRefused(a.ask(ROOM, "join-2", Wishes.join("cid")), Refusal.STORE_UNAVAILABLE);

        assertThat(a.counts.settled).containsExactly(Settled.COMMITTED, Settled.NOT_COMMITTED);
        assertThat(a.counts.transactions).containsExactly("UNKNOWN 1 0", "UNKNOWN 1 0");
        assertThat(a.counts.batches).isEmpty();
        assertThat(a.counts.drops).isEmpty();
    }

    @Test
    void aLostCommitThatNobodyCanBeAskedAboutCostsTheCell() {
        a.create(ROOM);
        a.counts.forget();
        a.script.next(Call.COMMIT, PortScript.answered(UNKNOWN));
        a.script.breakDown(call -> call == Call.MINT);
        a.send(ROOM, "join", Wishes.join("ben"));
        world.run();

        world.advance(UNTIL_GIVEN_UP_MS);

        assertThat(a.counts.settled).containsExactly(Settled.GIVEN_UP);
        assertThat(a.counts.drops).containsExactly(Drop.UNKNOWN_OUTCOME);
    }
}
