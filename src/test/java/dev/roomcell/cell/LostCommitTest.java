package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.testkit.PortScript.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LEASE-12: COMMIT was sent, and its answer never came. */
class LostCommitTest {
    /** Longer than a lost commit is asked after, ms. */
    private static final long UNTIL_GIVEN_UP_MS = 60_000;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    @BeforeEach
    void aRoom() {
        node.create(ROOM);
        node.script.forget();
    }

    /** LEASE-12. */
    @Test
    void itHadHappenedAndTheCallerIsToldSo() {
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));

        byte[] result = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));

        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
        assertThat(result).isEqualTo(world.loggedResult(ROOM, "join-ben"));
        assertThat(node.present(ROOM)).containsExactly("ben");
    }

    /** LEASE-12. */
    @Test
    void itHadNotHappenedAndNeverWillSoTheCallerMayTryAgain() {
        node.script.next(Call.COMMIT, PortScript.answered(UNKNOWN));

        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.STORE_UNAVAILABLE);
        assertThat(world.loggedIds(ROOM)).containsExactly("create");

        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }

    /** LEASE-12. */
    @Test
    void anEpochIsMintedBeforeTheLogIsRead() {
        long before = world.row(ROOM).epoch();
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));

        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));

        assertThat(node.script.calls())
                .containsExactly(Call.VERIFY, Call.COMMIT, Call.MINT, Call.FIND_COMMANDS, Call.RECORD_EPOCH);
        assertThat(world.row(ROOM).epoch()).isEqualTo(before + 1);
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));
        assertThat(world.log(ROOM).get(2).epoch()).isEqualTo(before + 1);
    }

    /** LEASE-12: a plain read would say "not there" of a transaction that is still open. */
    @Test
    void itIsStillOpenAndTheRoomWaitsUntilItIsOver() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        HeldRow open = world.database.holdRow(ROOM);
        commit.answerWith(UNKNOWN);
        world.advance(1_000);
        Future<Answer> cid = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.advance(1_000);
        Answers.assertWaiting(ben);
        Answers.assertWaiting(cid);
        assertThat(node.script.commits()).hasSize(2);

        open.close();
        commit.happen();
        world.advance(1_000);

        Answers.assertDone(ben);
        Answers.assertDone(cid);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben", "join-cid");
    }

    /** LEASE-12. */
    @Test
    void itIsStillOpenAndIsRolledBackInTheEnd() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        HeldRow open = world.database.holdRow(ROOM);
        commit.answerWith(UNKNOWN);
        world.advance(2_000);
        Answers.assertWaiting(ben);

        open.close();
        world.advance(1_000);

        Answers.assertRefused(ben, Refusal.STORE_UNAVAILABLE);
        assertThat(world.loggedIds(ROOM)).containsExactly("create");
    }

    /** LEASE-12: the minted epoch fences a transaction that was only late. */
    @Test
    void aTransactionThatComesAfterItWasSettledCommitsNothing() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        commit.answerWith(UNKNOWN);
        world.run();
        Answers.assertRefused(ben, Refusal.STORE_UNAVAILABLE);

        commit.happen();

        assertThat(world.loggedIds(ROOM)).containsExactly("create");
    }

    /** LEASE-12: callers get OUTCOME_UNKNOWN at their deadline, and the truth by the same id. */
    @Test
    void aCallerWhoCannotWaitLearnsTheOutcomeByTheSameId() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        HeldRow open = world.database.holdRow(ROOM);
        commit.answerWith(UNKNOWN);
        world.advance(CellNode.DEADLINE_MS + Deadlines.STEP_MS);
        Answers.assertRefused(ben, Refusal.OUTCOME_UNKNOWN);

        Future<Answer> again = node.send(ROOM, "join-ben", Wishes.join("ben"));
        open.close();
        commit.happen();
        world.advance(2_000);

        Answers.assertReplayed(again, world.loggedResult(ROOM, "join-ben"));
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }

    /** LEASE-12: the whole group is one transaction. */
    @Test
    void allRoomsOfTheTransactionLearnTheSame() {
        node.create(OTHER_ROOM);
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> cid = node.send(OTHER_ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        Answers.assertDone(ben);
        Answers.assertDone(cid);

        node.script.next(Call.COMMIT, PortScript.answered(UNKNOWN));
        Future<Answer> dan = node.send(ROOM, "join-dan", Wishes.join("dan"));
        Future<Answer> eva = node.send(OTHER_ROOM, "join-eva", Wishes.join("eva"));
        world.run();
        Answers.assertRefused(dan, Refusal.STORE_UNAVAILABLE);
        Answers.assertRefused(eva, Refusal.STORE_UNAVAILABLE);
    }

    /** LEASE-12: what was known before COMMIT left is known. */
    @Test
    void aRoomThatWasLeftOutOfTheTransactionNeedNotWaitForItsOutcome() {
        node.create(OTHER_ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> cid = node.send(OTHER_ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        HeldRow open = world.database.holdRow(ROOM);

        commit.answerWith(new GroupOutcome.Unknown(List.of(Verdict.APPENDED, Verdict.FENCED), "no answer"));
        world.run();

        Answers.assertWaiting(ben);
        Answers.assertRefused(cid, Refusal.FENCED);
        open.close();
        world.advance(1_000);
        Answers.assertRefused(ben, Refusal.STORE_UNAVAILABLE);
    }

    /** LEASE-12, LEASE-17. */
    @Test
    void theRejectionsOfItsBatchAreAnsweredWhenItHadHappened() {
        HeldCall busy = node.occupy(ROOM);
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> cid = node.send(ROOM, "leave-cid", Wishes.leave("cid"));
        busy.letGo();
        world.run();

        Answers.assertDone(ben);
        Answers.assertRejected(cid, Reason.NOT_PRESENT);
    }

    /** LEASE-12: a mint whose own answer is lost is no reason to guess. */
    @Test
    void theMintThatSettlesItMayBeLostToo() {
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));
        node.script.next(Call.MINT, PortScript.answerLost());
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));

        world.advance(1_000);

        Answers.assertReplayed(ben, world.loggedResult(ROOM, "join-ben"));
        assertThat(node.present(ROOM)).containsExactly("ben");
    }

    /** LEASE-12. */
    @Test
    void aStoreThatFailsInsteadOfAnsweringMayHaveCommitted() {
        node.script.next(Call.COMMIT, PortScript.answerLost());

        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
    }

    /** LEASE-12: the cell goes, and the next load mints all the same. */
    @Test
    void anOutcomeThatCannotBeSettledCostsTheCellAndNothingElse() {
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));
        node.script.breakDown(call -> call == Call.MINT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"), UNTIL_GIVEN_UP_MS);
        world.advance(UNTIL_GIVEN_UP_MS);
        Answers.assertRefused(ben, Refusal.OUTCOME_UNKNOWN);
        assertThat(node.loadedRooms()).isZero();

        node.script.recover();

        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), world.loggedResult(ROOM, "join-ben"));
    }

    /** LEASE-12, CMD-6: the command is in the log, but by another owner and as another version. */
    @Test
    void whatAnotherOwnerCommittedMeanwhileIsAnsweredAsItStands() {
        CellNode b = world.node("b");
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        world.redis.flush();
        Answers.assertDone(b.ask(ROOM, "join-cid", Wishes.join("cid")));
        byte[] stored = Answers.assertDone(b.ask(ROOM, "join-ben", Wishes.join("ben")));

        commit.answerWith(UNKNOWN);
        world.run();

        Answers.assertReplayed(ben, stored);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-cid", "join-ben");
        Answers.assertRefused(node.read(ROOM), Refusal.NOT_OWNER);
    }

    /** LEASE-12, CMD-8: of two lost commands, another owner has committed one. */
    @Test
    void ofABatchThatNeverHappenedOnlyWhatTheLogHoldsIsAnsweredDone() {
        CellNode b = world.node("b");
        HeldCall busy = node.occupy(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> dan = node.send(ROOM, "join-dan", Wishes.join("dan"));
        busy.letGo();
        world.run();
        world.redis.flush();
        byte[] stored = Answers.assertDone(b.ask(ROOM, "join-dan", Wishes.join("dan")));

        commit.answerWith(UNKNOWN);
        world.run();

        Answers.assertReplayed(dan, stored);
        Answers.assertRefused(ben, Refusal.STORE_UNAVAILABLE);
    }

    /** LEASE-10, LEASE-12: a room is not left before it is known what it is. */
    @Test
    void aDrainWaitsForTheOutcome() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        HeldRow open = world.database.holdRow(ROOM);
        commit.answerWith(UNKNOWN);
        Future<Void> drained = node.shard.drain();
        world.advance(1_000);
        assertThat(drained.isComplete()).isFalse();
        assertThat(node.script.calls()).doesNotContain(Call.RELEASE);

        open.close();
        commit.happen();
        world.advance(1_000);

        assertThat(drained.succeeded()).isTrue();
        Answers.assertDone(ben);
        assertThat(List.copyOf(world.database.snapshots(ROOM)).get(0).version()).isEqualTo(2);
    }

    /** LEASE-12, LEASE-17: it had happened, but the lease was gone when that was found out. */
    @Test
    void aCellThatLosesItsLeaseWhileItSettlesAnswersAndGoes() {
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));
        node.script.next(Call.RECORD_EPOCH, PortScript.answered(false));

        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));

        assertThat(node.loadedRooms()).isZero();
    }

    /** LEASE-12, LEASE-13: MySQL has said what happened, and Redis cannot be told of the new epoch. */
    @Test
    void aSilentRedisDoesNotKeepTheOutcomeFromTheCaller() {
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));
        node.script.next(Call.RECORD_EPOCH, PortScript.failed());

        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));

        assertThat(node.script.count(Call.MINT)).isEqualTo(1);
        assertThat(node.present(ROOM)).containsExactly("ben");
    }

    /** LEASE-12, CMD-3, CMD-4: what never happened does not stand in the way of another wish under its id. */
    @Test
    void anotherWishUnderTheIdOfALostCommandIsDecidedAfterIt() {
        HeldCall busy = node.occupy(ROOM);
        node.script.next(Call.COMMIT, PortScript.answered(UNKNOWN));
        Future<Answer> lost = node.send(ROOM, "join", Wishes.join("ben"));
        Future<Answer> another = node.send(ROOM, "join", Wishes.join("cid"));
        busy.letGo();
        world.run();

        Answers.assertRefused(lost, Refusal.STORE_UNAVAILABLE);
        Answers.assertDone(another);
        assertThat(node.present(ROOM)).containsExactly("cid");
    }

    /** LEASE-12: a database that is gone is not asked without a pause, nor for ever. */
    @Test
    void itIsAskedAfterLessAndLessOftenAndInTheEndNoMore() {
        node.script.next(Call.COMMIT, PortScript.answered(UNKNOWN));
        node.script.breakDown(call -> call == Call.MINT);
        node.send(ROOM, "join-ben", Wishes.join("ben"), UNTIL_GIVEN_UP_MS);
        world.run();
        int tries = 1;
        for (long pauseMs : new long[] {50, 100, 200, 400, 800, 1_000, 1_000}) {
            world.advance(pauseMs - 1);
            assertThat(node.script.count(Call.MINT)).isEqualTo(tries);
            world.advance(1);
            tries++;
            assertThat(node.script.count(Call.MINT)).as("after %d ms", pauseMs).isEqualTo(tries);
        }

        world.advance(UNTIL_GIVEN_UP_MS);

        assertThat(node.script.count(Call.MINT)).isEqualTo(25);
    }

    /** LEASE-10, LEASE-11: it is the next owner's, whatever was left to do here. */
    @Test
    void aDrainLeavesARoomAloneThatWasLostMeanwhile() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        Future<Void> drained = node.shard.drain();
        world.run();

        commit.answerWith(new GroupOutcome.Committed(List.of(Verdict.FENCED)));
        world.run();

        Answers.assertRefused(ben, Refusal.FENCED);
        assertThat(drained.succeeded()).isTrue();
        assertThat(node.script.calls()).containsExactly(Call.VERIFY, Call.COMMIT);
    }

    /** LEASE-12, LEASE-16: it was about the old epoch. */
    @Test
    void aRenewalThatWasOnItsWayWhileItWasSettledEndsNothing() {
        HeldCall renewal = node.script.holdNext(Call.RENEW);
        world.advance(Limits.TTL_MS / 3);
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(UNKNOWN));
        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));

        renewal.letGo();
        world.run();

        assertThat(node.loadedRooms()).isEqualTo(1);
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));
    }
}
