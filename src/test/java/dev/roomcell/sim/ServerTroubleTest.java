package dev.roomcell.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.LeaseDirectory.Acquisition;
import dev.roomcell.port.LeaseDirectory.LeaseStoreException;
import dev.roomcell.port.LeaseDirectory.Proof;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The simulated servers are in trouble as the real ones are. */
class ServerTroubleTest {
    private static final RoomKey ROOM = new RoomKey("lala", "room");
    private static final long TTL_MS = 6_000;
    private static final int SOON_MS = 50;
    private static final int LOCK_WAIT_MS = 1_000;

    private final Surroundings around = new Surroundings(1, false, Flaw.NONE);
    private final SteppedLoop loop = around.time.newLoop();
    private final Links links = Links.clear();
    private final Link toRedis = links.redis();
    private final LoopWire wire = new LoopWire(around, "a", loop, links, call -> {}, TTL_MS);
    private final WiredDatabase database = new WiredDatabase(around.database, wire);
    private final WiredLeases leases = new WiredLeases(new MemoryLeases(around.redis, "a", TTL_MS), wire);

    @BeforeEach
    void aRoomAtVersionZeroOfEpochOne() {
        assertThat(around.database.insertCreating(ROOM, 0).result()).isTrue();
    }

    private <T> Future<T> call(Supplier<Future<T>> call) {
        List<Future<T>> made = new ArrayList<>();
        loop.execute(() -> made.add(call.get()));
        around.time.runUntilIdle();
        return made.get(0);
    }

    private <T> Future<T> soon(Supplier<Future<T>> call) {
        Future<T> made = call(call);
        around.time.advance(SOON_MS);
        return made;
    }

    private static RoomBatch batch() {
        RoomBatch.LogRow row = new RoomBatch.LogRow(
                1, "c-1", new byte[16], "JOIN_ROOM", "ben", 1, new byte[0], new byte[0], new byte[0], List.of());
        return new RoomBatch(
                ROOM,
                0,
                1,
                "a",
                "token",
                List.of(row),
                Lifecycle.Status.ACTIVE,
                true,
                false,
                List.of(),
                List.of(),
                Optional.empty());
    }

    private Future<GroupOutcome> commit() {
        return call(() -> database.commit(List.of(batch()), false));
    }

    private int versions() {
        return around.database.log(ROOM).size();
    }

    private static GroupOutcome undone(Future<GroupOutcome> commit, Cause cause) {
        assertThat(commit.result())
                .isInstanceOfSatisfying(
                        GroupOutcome.RolledBack.class,
                        rolledBack -> assertThat(rolledBack.cause()).isEqualTo(cause));
        return commit.result();
    }

    @Test
    void inFairWeatherACommitTakesThreeJourneys() {
        Future<GroupOutcome> commit = commit();
        around.time.advance(2);
        assertThat(versions()).isZero();
        around.time.advance(SOON_MS);
        assertThat(commit.result()).isEqualTo(new GroupOutcome.Committed(List.of(Verdict.APPENDED)));
        assertThat(versions()).isEqualTo(1);
    }

    /** LEASE-12. */
    @Test
    void aCommitWhoseAnswerIsLostIsDoneAndUnknown() {
        around.lostCommitPercent = 100;
        Future<GroupOutcome> commit = commit();
        around.time.advance(SOON_MS);
        assertThat(commit.result())
                .isInstanceOfSatisfying(
                        GroupOutcome.Unknown.class,
                        unknown -> assertThat(unknown.verdicts()).containsExactly(Verdict.APPENDED));
        assertThat(versions()).isEqualTo(1);
    }

    @Test
    void aDeadlockUndoesTheTransaction() {
        around.deadlockPercent = 100;
        Future<GroupOutcome> commit = commit();
        around.time.advance(SOON_MS);
        assertThat(undone(commit, Cause.TRANSIENT).toString()).contains("1213");
        assertThat(versions()).isZero();
    }

    @Test
    void aReadOnlyServerRefusesWritesAndAnswersReads() {
        around.mysqlServer.readOnly(true);
        Future<GroupOutcome> commit = commit();
        around.time.advance(SOON_MS);
        assertThat(undone(commit, Cause.UNAVAILABLE).toString()).contains("1290");
        assertThat(soon(() -> database.mint(ROOM, "a", "token", OptionalLong.empty()))
                        .cause())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("1290");
        assertThat(soon(() -> database.find(ROOM)).result()).isPresent();
        around.mysqlServer.readOnly(false);
        assertThat(soon(() -> database.mint(ROOM, "a", "token", OptionalLong.empty()))
                        .result())
                .hasValue(2);
    }

    /** LEASE-15. */
    @Test
    void whoeverWaitsForARowGetsItWhenItIsFreeOrGivesUpAfterASecond() throws Exception {
        MemoryDatabase.HeldRow held = around.database.holdRow(ROOM);
        Future<OptionalLong> mint = call(() -> database.mint(ROOM, "a", "token", OptionalLong.empty()));
        around.time.advance(LOCK_WAIT_MS - SOON_MS);
        assertThat(mint.isComplete()).isFalse();
        held.close();
        around.time.advance(SOON_MS);
        assertThat(mint.result()).hasValue(2);

        MemoryDatabase.HeldRow again = around.database.holdRow(ROOM);
        Future<OptionalLong> late = call(() -> database.mint(ROOM, "a", "token", OptionalLong.empty()));
        around.time.advance(LOCK_WAIT_MS + SOON_MS);
        assertThat(late.cause()).hasMessageContaining("1205");
        again.close();
        assertThat(around.database.room(ROOM).orElseThrow().epoch()).isEqualTo(2);
    }

    /** LEASE-15: a stopped node can't keep a room locked. */
    @Test
    void aNodeThatStopsInsideItsTransactionLosesItAndItsLocks() {
        Future<GroupOutcome> commit = commit();
        around.time.advance(3);
        loop.freeze();
        around.time.advance(SOON_MS);
        assertThat(around.database.tryHoldRow(ROOM)).isEmpty();

        around.time.advance(TTL_MS / 2);
        assertThat(around.database.tryHoldRow(ROOM)).isPresent();
        loop.thaw();
        around.time.advance(SOON_MS);
        assertThat(commit.result()).isNotInstanceOf(GroupOutcome.Committed.class);
        assertThat(versions()).isZero();
    }

    @Test
    void aKilledServerForgetsWhatWasNotCommittedAndLosesItsCallers() {
        Future<GroupOutcome> commit = commit();
        around.time.advance(3);
        around.killMysql();
        assertThat(around.database.tryHoldRow(ROOM)).isPresent();
        around.time.advance(SOON_MS);
        undone(commit, Cause.UNAVAILABLE);
        assertThat(soon(() -> database.find(ROOM)).cause()).isInstanceOf(StoreException.class);

        around.mysqlServer.start();
        assertThat(soon(() -> database.find(ROOM)).result()).isPresent();
        assertThat(versions()).isZero();
    }

    @Test
    void aStalledServerDoesEverythingInTheEnd() {
        around.mysqlServer.stallUntil(around.time.nowMs() + 10_000);
        Future<OptionalLong> mint = call(() -> database.mint(ROOM, "a", "token", OptionalLong.empty()));
        around.time.advance(5_000);
        assertThat(mint.cause()).hasMessageContaining("no answer in time");
        assertThat(around.database.room(ROOM).orElseThrow().epoch()).isEqualTo(1);
        around.time.advance(5_000);
        assertThat(around.database.room(ROOM).orElseThrow().epoch()).isEqualTo(2);
    }

    @Test
    void nothingPassesACutLinkInTime() {
        toRedis.cut();
        Future<Acquisition> acquired = call(() -> leases.acquire(ROOM, "token"));
        around.time.advance(TTL_MS / 6);
        assertThat(acquired.cause()).isInstanceOf(LeaseStoreException.class);
        assertThat(soon(() -> database.find(ROOM)).result()).isPresent();
        toRedis.heal();
        assertThat(soon(() -> leases.acquire(ROOM, "token")).result()).isEqualTo(new Acquisition.Acquired());
    }

    @Test
    void aLossyLinkLosesRequestsAndAnswersAndLetsSomeHappenLate() {
        toRedis.lossy(100);
        for (int i = 0; i < 100; i++) {
            Future<Acquisition> lost = call(() -> leases.acquire(ROOM, "token"));
            around.time.advance(TTL_MS / 6);
            assertThat(lost.cause()).isInstanceOf(LeaseStoreException.class);
        }
        assertThat(around.redis.get(ROOM.routeKey())).isPresent();
    }

    @Test
    void aFailoverLosesTheNewestAndAFlushEverything() {
        MemoryRedis.Replica replica = around.redis.replica();
        assertThat(soon(() -> leases.acquire(ROOM, "token")).succeeded()).isTrue();
        around.redis.failOverTo(replica);
        assertThat(around.redis.keys()).isEmpty();
        assertThat(soon(() -> leases.acquire(ROOM, "token")).succeeded()).isTrue();
        assertThat(soon(() -> leases.verify(List.of(new Proof(ROOM, 0, Set.of("token")))))
                        .result())
                .containsExactly(true);
        around.redis.flush();
        assertThat(around.redis.keys()).isEmpty();
    }

    /** LEASE-6. */
    @Test
    void aTransactionWithoutVerifyOwnerIsFoundOut() {
        assertThat(soon(() -> leases.acquire(ROOM, "token")).succeeded()).isTrue();
        assertThat(soon(() -> leases.recordEpoch(ROOM, "token", 1)).result()).isTrue();
        assertThat(soon(() -> leases.verify(List.of(new Proof(ROOM, 1, Set.of("token")))))
                        .result())
                .containsExactly(true);
        commit();
        assertThat(around.violations()).isEmpty();
        commit();
        assertThat(around.violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.toString())
                        .isEqualTo("LEASE-6 lala/room: a writes version 1, and VerifyOwner has not passed"));
    }
}
