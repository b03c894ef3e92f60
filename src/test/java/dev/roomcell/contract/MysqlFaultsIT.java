package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.fault.FaultProxy.CutPoint;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.LoggedCommand;
import dev.roomcell.port.CommandStore.RoomRow;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.StoreException;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a transaction between a node and MariaDB that is cut, held or silent; {@code direct} has no faults. */
final class MysqlFaultsIT {
    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    private static final RoomKey ROOM = new RoomKey("app", "room");
    /** Longer than a test holds a COMMIT. */
    private static final long SILENT_TRANSACTION_MS = 30_000;

    /** What a node waits for a connection, or an answer, while the server stands still, ms. */
    private static final long STALLED_MS = 1_000;

    private static final int ASKED_WHILE_STALLED = 6_000;

    private static final GroupOutcome APPENDED = new GroupOutcome.Committed(List.of(Verdict.APPENDED));

    private FaultProxy proxy;
    private CommandStore faulty;
    private CommandStore direct;

    @BeforeEach
    void createRoom() {
        proxy = Await.result(
                FaultProxy.startMysql(DATABASE.vertx(), SharedServers.mysql().port()));
        faulty = DATABASE.nodeThrough(proxy.port(), SILENT_TRANSACTION_MS).commands();
        direct = DATABASE.node().commands();
        Await.result(direct.insertCreating(ROOM, 0));
    }

    @AfterEach
    void closeProxy() {
        Await.result(proxy.close());
    }

    private Future<GroupOutcome> commit(long expectedVersion, long epoch, String commandId) {
        return commit(faulty, expectedVersion, epoch, commandId);
    }

    private static Future<GroupOutcome> commit(CommandStore by, long expectedVersion, long epoch, String commandId) {
        return by.commit(
                List.of(Batch.of(ROOM, expectedVersion, epoch)
                        .commands(commandId)
                        .done()),
                true);
    }

    private Future<OptionalLong> mint() {
        return direct.mint(ROOM, Batch.NODE, Batch.TOKEN, OptionalLong.empty());
    }

    private Map<String, LoggedCommand> find(String commandId) {
        return Await.result(direct.findCommands(ROOM, List.of(commandId)));
    }

    @Test
    @Tag("LEASE-12")
    void aCommitWhoseAnswerIsLostIsUnknownAndAMintMakesTheLogTellTheTruth() {
        long epoch = 1;
        long version = 0;
        for (CutPoint at : List.of(CutPoint.BEFORE_SERVER, CutPoint.AFTER_SERVER, CutPoint.BEFORE_SERVER)) {
            String commandId = "c-" + epoch;
            Future<Void> cut = proxy.cutNextCommit(at);
            assertThat(Await.result(commit(version, epoch, commandId))).isInstanceOf(GroupOutcome.Unknown.class);
            Await.result(cut);
            epoch = Await.result(mint()).orElseThrow();
            boolean stored = at == CutPoint.AFTER_SERVER;
            assertThat(find(commandId)).hasSize(stored ? 1 : 0);
            version += stored ? 1 : 0;
        }
        assertThat(Await.result(commit(version, epoch, "c-next"))).isEqualTo(APPENDED);
    }

    @Test
    @Tag("LEASE-12")
    void ofACommitWhoseAnswerIsLostOnlyTheRoomsThatMightBeWrittenAreInDoubt() {
        RoomKey fenced = new RoomKey("app", "fenced");
        Await.result(direct.insertCreating(fenced, 0));
        List<RoomBatch> group = List.of(
                Batch.of(fenced, 0, 2).commands("c-1").done(),
                Batch.of(ROOM, 0, 1).commands("c-1").done());
        Future<Void> cut = proxy.cutNextCommit(CutPoint.AFTER_SERVER);
        GroupOutcome outcome = Await.result(faulty.commit(group, true));
        Await.result(cut);
        assertThat(((GroupOutcome.Unknown) outcome).verdicts()).containsExactly(Verdict.FENCED, Verdict.APPENDED);
        assertThat(DATABASE.log(fenced)).isEmpty();
    }

    @Test
    @Tag("LEASE-12")
    void aMintWaitsForATransactionThatIsStillOpen() {
        Future<Void> held = proxy.holdNextCommit();
        Future<GroupOutcome> commit = commit(0, 1, "c-1");
        Await.result(held);
        assertThat(find("c-1")).as("a plain read lies").isEmpty();
        Future<OptionalLong> mint = mint();
        Await.until("the mint waits for the row", () -> DATABASE.tables().lockWaits() > 0 || mint.isComplete());
        assertThat(mint.succeeded()).isFalse();
        Await.result(proxy.releaseHeldCommit());
        // Its lock wait may have run out before: then it has done nothing, and the next one tells the truth.
        Await.result(mint.recover(failure -> mint()));
        assertThat(find("c-1")).hasSize(1);
        assertThat(Await.result(commit)).isEqualTo(APPENDED);
    }

    @Test
    @Tag("LEASE-15")
    void aTransactionThatFallsSilentIsEndedByTheServerAndItsRowIsFree() {
        CommandStore silent = DATABASE.nodeThrough(proxy.port(), 1_000).commands();
        Future<Void> held = proxy.holdNextCommit();
        Future<GroupOutcome> commit = commit(silent, 0, 1, "c-1");
        Await.result(held);
        // The node itself would wait for much longer than this does.
        Await.until(
                "another node has the room",
                () -> Await.result(mint().map(OptionalLong::isPresent).otherwise(false)));
        assertThat(Await.failure(proxy.releaseHeldCommit())).isInstanceOf(IllegalStateException.class);
        assertThat(Await.result(commit)).isInstanceOf(GroupOutcome.Unknown.class);
        assertThat(find("c-1")).isEmpty();
        assertThat(Await.result(commit(silent, 0, 2, "c-2"))).isEqualTo(APPENDED);
    }

    /** B92. */
    @Test
    @Tag("LEASE-15")
    void transactionsReadWhatIsCommitted() {
        Future<Void> held = proxy.holdNextCommit();
        Future<GroupOutcome> commit = commit(0, 1, "c-1");
        Await.result(held);
        assertThat(DATABASE.tables().openTransactions()).containsExactly("READ COMMITTED");
        Await.result(proxy.releaseHeldCommit());
        assertThat(Await.result(commit)).isEqualTo(APPENDED);
    }

    @Test
    void aConnectionLostBeforeTheCommitLeavesNothing() {
        List<RoomBatch> group = List.of(Batch.of(ROOM, 0, 1).commands("c-1").done());
        HeldRow row = DATABASE.holdRow(ROOM);
        try {
            Future<GroupOutcome> commit = faulty.commit(group, false);
            Await.until("the transaction waits", () -> DATABASE.tables().lockWaits() > 0 || commit.isComplete());
            proxy.reset();
            assertUnavailable(commit);
        } finally {
            row.close();
        }
        // Not skipping: the server may still be about to notice that the first one's client is gone.
        assertThat(Await.result(faulty.commit(group, false))).isEqualTo(APPENDED);
    }

    @Test
    void aDatabaseThatCannotBeReachedIsUnavailableAndServesAgainByItself() {
        proxy.refuse();
        assertUnavailable(commit(0, 1, "c-1"));
        assertThat(Await.failure(faulty.find(ROOM))).isInstanceOf(StoreException.class);
        assertThat(Await.failure(faulty.mint(ROOM, Batch.NODE, Batch.TOKEN, OptionalLong.empty())))
                .isInstanceOf(StoreException.class);
        assertThat(Await.failure(faulty.insertCreating(new RoomKey("app", "other"), 0)))
                .isInstanceOf(StoreException.class);
        proxy.pass();
        assertThat(Await.result(faulty.find(ROOM))).isPresent();
        assertThat(Await.result(commit(0, 1, "c-1"))).isEqualTo(APPENDED);
    }

    /** B86: a lock wait that runs out undoes its own statement only, and a COMMIT after it would keep the others. */
    @ParameterizedTest
    @ValueSource(strings = {"room_command_log", "room_outbox", "room_timers"})
    @Tag("LEASE-15")
    void whenOneStatementWaitsTooLongForALockNothingOfTheTransactionStays(String table) {
        RoomKey room = new RoomKey("app", "waits for " + table);
        Await.result(direct.insertCreating(room, 0));
        List<RoomBatch> group = List.of(Batch.of(room, 0, 1)
                .commands("c-1")
                .timer(TimerStore.Kind.MIC_DEADLINE, 1)
                .done());
        HeldRow gap = DATABASE.tables().holdGap(table, room);
        try {
            assertRolledBack(direct.commit(group, true), Cause.TRANSIENT);
        } finally {
            gap.close();
        }
        assertThat(DATABASE.room(room).orElseThrow().version()).isZero();
        assertThat(DATABASE.log(room)).isEmpty();
        assertThat(DATABASE.outbox(room)).isEmpty();
        assertThat(DATABASE.timers(room)).doesNotContainKey(TimerStore.Kind.MIC_DEADLINE);
        // On the same connection.
        assertThat(Await.result(direct.commit(group, true))).isEqualTo(APPENDED);
        assertThat(DATABASE.outbox(room)).hasSize(1);
    }

    /** B89. */
    @Test
    void aConnectionThatTheServerClosedForBeingIdleIsNotTheOneThatIsUsedNext() {
        int before = DATABASE.tables().connections();
        long usualSeconds = DATABASE.tables().swapWaitTimeout(1);
        CommandStore idle;
        try {
            idle = DATABASE.nodeThrough(SharedServers.mysql().port(), SILENT_TRANSACTION_MS)
                    .commands();
            assertThat(Await.result(commit(idle, 0, 1, "c-1"))).isEqualTo(APPENDED);
            assertThat(Await.result(idle.find(ROOM))).isPresent();
            assertThat(DATABASE.tables().connections()).isGreaterThan(before);
        } finally {
            DATABASE.tables().swapWaitTimeout(usualSeconds);
        }
        Await.until(
                "the server closes idle connections", () -> DATABASE.tables().connections() <= before);
        assertThat(Await.result(commit(idle, 1, 1, "c-2"))).isEqualTo(APPENDED);
        assertThat(Await.result(idle.find(ROOM))).isPresent();
    }

    /** B90: the queue for connections has an end, and so has the time in it; neither costs a connection. */
    @Test
    void whileTheServerStandsStillFewWaitAndNoneForLong() {
        CommandStore impatient =
                DATABASE.impatientNodeThrough(proxy.port(), STALLED_MS).commands();
        assertThat(Await.result(impatient.find(ROOM))).isPresent();
        proxy.hold();
        AtomicInteger refusedAtOnce = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        List<Future<Optional<RoomRow>>> reads = new ArrayList<>();
        for (int i = 0; i < ASKED_WHILE_STALLED; i++) {
            reads.add(impatient.find(ROOM).onFailure(failure -> {
                failed.incrementAndGet();
                if (failure.toString().contains("too many callers wait")) {
                    refusedAtOnce.incrementAndGet();
                }
            }));
        }
        // Within the connect and the statement timeout, however long the server stands still.
        Await.result(Future.join(reads).otherwiseEmpty());
        assertThat(failed).hasValue(ASKED_WHILE_STALLED);
        assertThat(refusedAtOnce).hasValueGreaterThan(ASKED_WHILE_STALLED - 4_096 - 2 * MysqlBackend.READ_CONNECTIONS);
        proxy.release();
        Await.until(
                "it serves again",
                () -> Await.result(impatient.find(ROOM).map(Optional::isPresent).otherwise(false)));
        // As many at once as there are connections, and more: none was lost.
        List<Future<Optional<RoomRow>>> after = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            after.add(impatient.find(ROOM));
        }
        Await.result(Future.join(after));
        assertThat(Await.result(commit(impatient, 0, 1, "c-1"))).isEqualTo(APPENDED);
    }

    private static void assertUnavailable(Future<GroupOutcome> commit) {
        assertRolledBack(commit, Cause.UNAVAILABLE);
    }

    private static void assertRolledBack(Future<GroupOutcome> commit, Cause cause) {
        assertThat(Await.result(commit))
                .isInstanceOfSatisfying(
                        GroupOutcome.RolledBack.class,
                        rolledBack -> assertThat(rolledBack.cause()).isEqualTo(cause));
    }
}
