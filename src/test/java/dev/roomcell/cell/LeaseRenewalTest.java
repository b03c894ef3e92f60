package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.port.LeaseDirectory.Renewal;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryRedis.Value.Lease;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LEASE-16: one token after the other, and what becomes of a cell whose lease is not where it was. */
class LeaseRenewalTest {
    private static final long ROTATION_MS = Limits.TTL_MS / 3;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    @BeforeEach
    void aRoom() {
        node.create(ROOM);
        node.script.forget();
    }

    /** LEASE-16. */
    @Test
    void ensuringTheOwnerCostsNoCallWhileTheLeaseIsFresh() {
        node.script.breakDown(call -> call == Call.RENEW);
        world.advance(Limits.TTL_MS * 5 / 6 - 1);
        node.script.forget();

        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(node.script.calls()).containsExactly(Call.VERIFY, Call.COMMIT);
    }

    /** LEASE-16. */
    @Test
    void ensuringTheOwnerCostsNoCallHoweverOldTheRoomIs() {
        world.advance(10 * Limits.TTL_MS);
        node.script.forget();

        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(node.script.calls()).containsExactly(Call.VERIFY, Call.COMMIT);
    }

    /** LEASE-16. */
    @Test
    void theTokenRotatesEveryThirdOfTheTimeToLiveAndIsNeverTheSame() {
        Set<String> tokens = new LinkedHashSet<>();
        tokens.add(token());
        for (int i = 0; i < 30; i++) {
            world.advance(ROTATION_MS - 1);
            assertThat(tokens).contains(token());
            world.advance(1);
            assertThat(tokens.add(token())).as("a new token").isTrue();
        }
        assertThat(node.script.count(Call.RENEW)).isEqualTo(30);
        assertThat(ownershipCalls()).containsOnly(Call.RENEW);
    }

    /** What was asked about who owns the room; the room list has its own clock. */
    private List<Call> ownershipCalls() {
        return node.script.calls().stream()
                .filter(call -> call != Call.WRITE_LIST)
                .toList();
    }

    private String token() {
        return world.route(ROOM).orElseThrow().token();
    }

    /** LEASE-16. */
    @Test
    void commandsNeverRotateTheToken() {
        String token = token();
        for (int i = 0; i < 20; i++) {
            Answers.assertDone(node.ask(ROOM, "join-" + i, Wishes.join("user-" + i)));
            world.advance(10);
        }
        assertThat(token()).isEqualTo(token);
    }

    @Test
    void theLeasesOfManyRoomsAreRenewedInOneCall() {
        node.create(OTHER_ROOM);
        node.script.forget();

        world.advance(ROTATION_MS);

        assertThat(ownershipCalls()).containsExactly(Call.RENEW);
    }

    @Test
    void aRenewalThatFailedIsTriedAgainBeforeTheLeaseRunsOut() {
        String token = token();
        node.script.breakDown(Call::toRedis);
        world.advance(ROTATION_MS + 1);
        assertThat(token()).isEqualTo(token);
        node.script.recover();

        world.advance(Limits.TTL_MS / 6);

        assertThat(token()).isNotEqualTo(token);
    }

    /** LEASE-16, B07. */
    @Test
    void aLeaseThatRedisLostIsTakenAgainThroughAMintAndTheCellIsKept() {
        world.redis.flush();
        long epoch = world.row(ROOM).epoch();

        world.advance(ROTATION_MS);

        assertThat(ownershipCalls()).containsExactly(Call.RENEW, Call.ACQUIRE, Call.MINT, Call.RECORD_EPOCH);
        assertThat(world.row(ROOM).epoch()).isEqualTo(epoch + 1);
        assertThat(world.route(ROOM).orElseThrow().epoch()).isEqualTo(epoch + 1);
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));
        assertThat(node.script.count(Call.LOAD)).as("loads").isZero();
        assertThat(node.present(ROOM)).containsExactly("cid");
    }

    /** LEASE-16. */
    @Test
    void aLeaseThatRedisLostIsTakenAgainForACommandToo() {
        node.script.breakDown(Call::toRedis);
        world.advance(Limits.TTL_MS);
        world.redis.flush();
        node.script.recover();

        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(node.script.count(Call.LOAD)).as("loads").isZero();
        assertThat(node.script.count(Call.MINT)).isEqualTo(1);
    }

    /** LEASE-16: somebody else may have written under the epoch that is there now. */
    @Test
    void aLeaseThatRedisLostIsNotTakenAgainWhenTheEpochHasMoved() {
        world.redis.flush();
        world.database.mint(ROOM, "b", "token-of-b", OptionalLong.empty());
        long fencedBy = world.row(ROOM).epoch();

        world.advance(ROTATION_MS);

        assertThat(node.loadedRooms()).isZero();
        assertThat(world.row(ROOM).epoch()).as("nobody is fenced by it").isEqualTo(fencedBy);
    }

    /** LEASE-16, B14. */
    @Test
    void aLeaseThatIsAnothersEndsTheCell() {
        world.redis.set(ROOM.routeKey(), new Lease("b", 9, "token-of-b"), Limits.TTL_MS);

        world.advance(ROTATION_MS);

        assertThat(node.loadedRooms()).isZero();
        assertThat(node.script.count(Call.MINT)).isZero();
        Answers.assertRefused(node.ask(ROOM, "join-cid", Wishes.join("cid")), Refusal.NOT_OWNER);
    }

    /** LEASE-6: no command runs before the owner is ensured. */
    @Test
    void aCommandForARoomThatIsAnothersIsNotEvenDecided() {
        node.script.breakDown(call -> call == Call.RENEW);
        world.advance(Limits.TTL_MS * 5 / 6);
        world.redis.set(ROOM.routeKey(), new Lease("b", 9, "token-of-b"), Limits.TTL_MS);
        node.script.recover();
        node.script.forget();

        Answers.assertRefused(node.ask(ROOM, "join-cid", Wishes.join("cid")), Refusal.LEASE_LOST);

        assertThat(node.script.calls()).containsExactly(Call.RENEW);
    }

    /** B10: whose clock is wrong, and by how much, decides nothing. */
    @Test
    void nobodyTakesALeaseThatIsRenewedWhateverTheClocksSay() {
        long epoch = world.row(ROOM).epoch();
        CellNode ahead = world.node("ahead");
        CellNode behind = world.node("behind");
        ahead.clock.wrongBy(120_000);
        behind.clock.wrongBy(-120_000);
        for (int i = 0; i < 10; i++) {
            world.advance(Limits.TTL_MS);
            Answers.assertRefused(ahead.ask(ROOM, "a" + i, Wishes.join("ahead" + i)), Refusal.NOT_OWNER);
            Answers.assertRefused(behind.ask(ROOM, "b" + i, Wishes.join("behind" + i)), Refusal.NOT_OWNER);
        }
        assertThat(world.row(ROOM).epoch()).isEqualTo(epoch);
    }

    /** LEASE-16: renewal compares the epoch. */
    @Test
    void aLeaseOfAnotherEpochEndsTheCellThoughTheNodeIsTheSame() {
        Lease ours = world.route(ROOM).orElseThrow();
        world.redis.set(ROOM.routeKey(), new Lease("a", ours.epoch() + 1, ours.token()), Limits.TTL_MS);

        world.advance(ROTATION_MS);

        assertThat(node.loadedRooms()).isZero();
    }

    /** LEASE-16: renewal does not compare the token. */
    @Test
    void aLeaseOfAnotherTokenIsRenewed() {
        Lease ours = world.route(ROOM).orElseThrow();
        world.redis.set(ROOM.routeKey(), new Lease("a", ours.epoch(), "a-token-whose-answer-was-lost"), Limits.TTL_MS);

        world.advance(ROTATION_MS);

        assertThat(node.loadedRooms()).isEqualTo(1);
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));
        assertThat(node.script.count(Call.LOAD)).isZero();
    }

    /** LEASE-16: while a lease is taken again, the room takes no batch. */
    @Test
    void commandsWaitWhileTheLeaseIsTakenAgain() {
        world.redis.flush();
        HeldCall mint = node.script.holdNext(Call.MINT);
        world.advance(ROTATION_MS);
        assertThat(mint.arrived()).isTrue();
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        Answers.assertWaiting(join);

        mint.letGo();
        world.run();

        Answers.assertDone(join);
        assertThat(world.log(ROOM).get(1).epoch()).isEqualTo(world.row(ROOM).epoch());
    }

    @Test
    void whoeverCouldNotTakeTheLeaseAgainCommitsNothingUnderTheOldEpoch() {
        world.redis.flush();
        node.script.next(Call.RECORD_EPOCH, PortScript.failed());
        world.advance(ROTATION_MS);

        Answer first = node.ask(ROOM, "join-cid", Wishes.join("cid"));
        assertThat(first).isInstanceOf(Answer.Refused.class);
        assertThat(world.loggedIds(ROOM)).containsExactly("create");

        world.advance(ROTATION_MS);
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));
    }

    /** LEASE-17: once the lease has run out, a read asks first. */
    @Test
    void aReadThatFindsTheLeaseInOtherHandsEndsTheCell() {
        node.script.breakDown(call -> call == Call.RENEW);
        world.advance(Limits.TTL_MS);
        world.redis.set(ROOM.routeKey(), new Lease("b", 9, "token-of-b"), Limits.TTL_MS);
        node.script.recover();

        Answers.assertRefused(node.read(ROOM), Refusal.LEASE_LOST);

        assertThat(node.loadedRooms()).isZero();
    }

    /** LEASE-17, LEASE-16: the lease could be taken again, but the room has been loaded elsewhere meanwhile. */
    @Test
    void aReadThatFindsTheEpochMovedEndsTheCell() {
        node.script.breakDown(call -> call == Call.RENEW);
        world.advance(Limits.TTL_MS);
        world.database.mint(ROOM, "b", "token-of-b", OptionalLong.empty());
        node.script.recover();

        Answers.assertRefused(node.read(ROOM), Refusal.LEASE_LOST);

        assertThat(node.loadedRooms()).isZero();
    }

    /** LEASE-17. */
    @Test
    void whatWaitsForAReadThatHadToAskGoesOnAfterIt() {
        node.script.breakDown(call -> call == Call.RENEW);
        world.advance(Limits.TTL_MS);
        node.script.recover();
        HeldCall renewal = node.script.holdNext(Call.RENEW);
        Future<ReadAnswer> read = node.shard.read(ROOM);
        world.run();
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        assertThat(read.isComplete()).isFalse();
        Answers.assertWaiting(join);

        renewal.letGo();
        world.run();

        assertThat(read.result()).isInstanceOf(ReadAnswer.Found.class);
        Answers.assertDone(join);
    }

    /** LEASE-17: nor is there ever more than one batch of a room on its way. */
    @Test
    void aReadUnderALeaseThatHasRunOutWaitsForNoBatchAndDisturbsNone() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"), 2 * Limits.TTL_MS);
        world.run();
        node.script.breakDown(call -> call == Call.RENEW);
        world.advance(Limits.TTL_MS);
        node.script.recover();
        node.script.forget();

        Answers.assertRefused(node.read(ROOM), Refusal.LEASE_LOST);
        Future<Answer> next = node.send(ROOM, "join-dan", Wishes.join("dan"), 2 * Limits.TTL_MS);
        world.run();
        assertThat(node.script.calls()).isEmpty();

        commit.letGo();
        world.run();
        Answers.assertDone(join);
        Answers.assertDone(next);
    }

    /** LEASE-16: a mint would fence the rightful owner. */
    @Test
    void whoeverFindsTheLeaseTakenMeanwhileMintsNothing() {
        world.redis.flush();
        HeldCall acquire = node.script.holdNext(Call.ACQUIRE);
        world.advance(ROTATION_MS);
        world.redis.set(ROOM.routeKey(), new Lease("b", 9, "token-of-b"), Limits.TTL_MS);

        acquire.letGo();
        world.run();

        assertThat(node.script.count(Call.MINT)).isZero();
        assertThat(node.loadedRooms()).isZero();
    }

    /**
     * LEASE-17: a process that was stopped while a renewal was on its way may see to a reader first, and to the answer,
     * which is older than the lease lives, after that.
     */
    @Test
    void aReaderWhoJoinsAnOldRenewalIsNotShownWhatMayBeOver() {
        HeldCall renewal = node.script.holdNext(Call.RENEW);
        world.advance(ROTATION_MS);
        assertThat(renewal.arrived()).isTrue();
        renewal.happen();
        node.loop.freeze();
        world.advance(Limits.TTL_MS);
        Answers.assertDone(world.node("b").ask(ROOM, "join-ben", Wishes.join("ben")));
        Future<ReadAnswer> read = node.shard.read(ROOM);
        node.loop.thaw();
        world.run();

        renewal.answerWith(List.of(Renewal.KEPT));
        world.run();

        Answers.assertRefused(read.result(), Refusal.LEASE_LOST);
    }
}
