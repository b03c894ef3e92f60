package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.fault.FaultProxy.CutPoint;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.LoggedCommand;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.StoreException;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a transaction between a node and MariaDB that is cut, held or silent; {@code direct} has no faults. */
final class MysqlFaultsIT {
    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    private static final RoomKey ROOM = new RoomKey("app", "room");
    /** Longer than a test holds a COMMIT. */
    private static final long SILENT_TRANSACTION_MS = 30_000;

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

    private static void assertUnavailable(Future<GroupOutcome> commit) {
        assertThat(Await.result(commit))
                .isInstanceOfSatisfying(
                        GroupOutcome.RolledBack.class,
                        rolledBack -> assertThat(rolledBack.cause()).isEqualTo(Cause.UNAVAILABLE));
    }
}
