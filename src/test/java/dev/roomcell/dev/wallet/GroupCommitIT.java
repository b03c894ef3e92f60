package dev.roomcell.dev.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.check.WalletMovement.Kind;
import dev.roomcell.port.Wallet.DebitAnswer;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which calls share a transaction, and what becomes of them if it fails. */
final class GroupCommitIT {
    private static final DebitAnswer VOIDED = new DebitAnswer.Voided();
    private static final DebitAnswer INSUFFICIENT = new DebitAnswer.InsufficientBalance();

    private static final int PAYERS = 7;

    /** Transactions that are to be run, when the test says so. */
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    /** How many calls each transaction had, in their order; those that failed too. */
    private final List<Integer> groups = new ArrayList<>();

    private WalletDatabase database;
    private Transactions transactions;
    private WalletBooks others;
    private Ledger ledger;

    @BeforeEach
    void writeBooks() {
        SharedServers.MysqlServer server = SharedServers.mysql();
        database = new WalletDatabase(server.jdbcUrl(SharedServers.newSchema()), server.user(), server.password());
        transactions = new Transactions(database);
        others = new WalletBooks(transactions, Runnable::run);
        ledger = new Ledger(transactions);
        others.open("app", "ann", 100);
        others.open("app", "bob", 100);
    }

    @AfterEach
    void itAllAddsUp() throws SQLException {
        assertThat(ledger.audit()).isEmpty();
        transactions.close();
    }

    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    /** The tables; something else happens after the first group is read, or written. */
    private final class Watched implements GroupCommit.Tables<WalletMovement, OpenBooks> {
        private final WalletTables tables = new WalletTables();
        private final Step afterFirstLoad;
        private final Step afterFirstStore;

        Watched(Step afterFirstLoad, Step afterFirstStore) {
            this.afterFirstLoad = afterFirstLoad;
            this.afterFirstStore = afterFirstStore;
        }

        Watched() {
            this(connection -> {}, connection -> {});
        }

        @Override
        public OpenBooks load(Connection connection, List<WalletMovement> calls) throws SQLException {
            groups.add(calls.size());
            OpenBooks loaded = tables.load(connection, calls);
            first(afterFirstLoad, connection);
            return loaded;
        }

        @Override
        public void store(Connection connection, OpenBooks books) throws SQLException {
            tables.store(connection, books);
            first(afterFirstStore, connection);
        }

        private void first(Step step, Connection connection) throws SQLException {
            if (groups.size() == 1) {
                step.on(connection);
            }
        }
    }

    private GroupCommit<WalletMovement, OpenBooks> group(Watched tables, int waiting, int together) {
        return new GroupCommit<>(tasks::add, transactions, tables, new GroupCommit.Limits(waiting, together));
    }

    private GroupCommit<WalletMovement, OpenBooks> group() {
        return group(new Watched(), 100, 100);
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private static WalletMovement movement(Kind kind, String user, String key, long coins, String debitKey) {
        return new WalletMovement(key, kind, "app", user, coins, 0, debitKey);
    }

    private static Future<DebitAnswer> debit(
            GroupCommit<WalletMovement, OpenBooks> group, String user, String key, long coins) {
        WalletMovement wanted = movement(Kind.DEBIT, user, key, coins, "");
        return group.submit(wanted, books -> books.debit(wanted));
    }

    private static Future<Long> credit(
            GroupCommit<WalletMovement, OpenBooks> group, String user, String key, long coins) {
        WalletMovement wanted = movement(Kind.CREDIT, user, key, coins, "");
        return group.submit(wanted, books -> books.give(wanted));
    }

    private static Future<Long> refund(
            GroupCommit<WalletMovement, OpenBooks> group, String user, String key, String debitKey) {
        WalletMovement asked = movement(Kind.REFUND, user, key, 0, debitKey);
        return group.submit(asked, books -> books.refund(asked));
    }

    private static void assertDebited(Future<DebitAnswer> call, long balanceAfter) {
        assertThat(call.result()).isEqualTo(new DebitAnswer.Debited(balanceAfter));
    }

    private static void assertRefused(GrpcStatus status, Future<?> call) {
        assertThat(call.cause())
                .isInstanceOfSatisfying(
                        ServiceRefusal.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(status));
    }

    @Test
    void callsThatWaitShareATransactionAndAreMadeInTheirOrder() {
        GroupCommit<WalletMovement, OpenBooks> group = group();
        Future<DebitAnswer> first = debit(group, "ann", "a", 60);
        Future<DebitAnswer> tooMuch = debit(group, "ann", "b", 60);
        Future<Long> given = credit(group, "new", "c", 7);
        Future<DebitAnswer> ofNew = debit(group, "new", "d", 7);
        Future<DebitAnswer> last = debit(group, "ann", "e", 40);
        assertThat(first.isComplete()).isFalse();
        runAll();
        assertThat(groups).containsExactly(5);
        assertDebited(first, 40);
        assertThat(tooMuch.result()).isEqualTo(INSUFFICIENT);
        assertThat(given.result()).isEqualTo(7);
        assertDebited(ofNew, 0);
        assertDebited(last, 0);
        assertThat(ledger.movements()).extracting(WalletMovement::key).endsWith("a", "c", "d", "e");
        assertThat(ledger.movements()).extracting(WalletMovement::balanceAfter).endsWith(40L, 7L, 0L, 0L);
        assertThat(others.balance("app", "ann")).isZero();
    }

    @Test
    void aCallThatFindsNothingUnderWayIsCommittedAtOnceAndAlone() {
        GroupCommit<WalletMovement, OpenBooks> idle =
                new GroupCommit<>(Runnable::run, transactions, new Watched(), GroupCommit.Limits.STANDARD);
        assertDebited(debit(idle, "ann", "a", 60), 40);
        assertDebited(debit(idle, "ann", "b", 10), 30);
        assertThat(groups).containsExactly(1, 1);
    }

    @Test
    void aTransactionHasSoManyCallsAndNoMore() {
        GroupCommit<WalletMovement, OpenBooks> group = group(new Watched(), 100, 3);
        for (int i = 1; i <= 7; i++) {
            debit(group, "ann", "a-" + i, 10);
        }
        runAll();
        assertThat(groups).containsExactly(3, 3, 1);
        assertThat(others.balance("app", "ann")).isEqualTo(30);
    }

    @Test
    void aCallThatFindsTooManyWaitingIsRefusedAndNothingHasHappened() {
        GroupCommit<WalletMovement, OpenBooks> group = group(new Watched(), 2, 100);
        Future<DebitAnswer> first = debit(group, "ann", "a", 10);
        Future<DebitAnswer> second = debit(group, "ann", "b", 10);
        assertRefused(GrpcStatus.UNAVAILABLE, debit(group, "ann", "c", 10));
        runAll();
        assertDebited(first, 90);
        assertDebited(second, 80);
        assertThat(ledger.movement("c")).isEmpty();
        Future<DebitAnswer> again = debit(group, "ann", "c", 10);
        runAll();
        assertDebited(again, 70);
    }

    @Test
    void whatWaitsWhenTheBooksAreClosedIsRefused() {
        Executor closed = task -> {
            throw new RejectedExecutionException("closed");
        };
        GroupCommit<WalletMovement, OpenBooks> group =
                new GroupCommit<>(closed, transactions, new Watched(), GroupCommit.Limits.STANDARD);
        assertRefused(GrpcStatus.UNAVAILABLE, debit(group, "ann", "a", 10));
        assertRefused(GrpcStatus.UNAVAILABLE, debit(group, "ann", "a", 10));
        assertThat(groups).isEmpty();
    }

    @Test
    @Tag("GIFT-4")
    void aRefundAndTheLateDebitInOneTransactionTakeNothing() {
        GroupCommit<WalletMovement, OpenBooks> group = group();
        Future<Long> early = refund(group, "ann", "r", "a");
        Future<DebitAnswer> late = debit(group, "ann", "a", 10);
        Future<DebitAnswer> taken = debit(group, "bob", "b", 10);
        Future<Long> back = refund(group, "bob", "s", "b");
        Future<DebitAnswer> again = debit(group, "bob", "b", 10);
        runAll();
        assertThat(groups).containsExactly(5);
        assertThat(early.result()).isZero();
        assertThat(late.result()).isEqualTo(VOIDED);
        assertDebited(taken, 90);
        assertThat(back.result()).isEqualTo(10);
        assertThat(again.result()).isEqualTo(VOIDED);
        Future<DebitAnswer> later = debit(group, "ann", "a", 10);
        Future<Long> repeated = refund(group, "bob", "s", "b");
        runAll();
        assertThat(later.result()).isEqualTo(VOIDED);
        assertThat(repeated.result()).isEqualTo(10);
    }

    @Test
    @Tag("GIFT-1")
    void aKeyThatComesTwiceInOneTransactionMovesOnce() {
        GroupCommit<WalletMovement, OpenBooks> group = group();
        Future<DebitAnswer> first = debit(group, "ann", "a", 10);
        Future<DebitAnswer> other = debit(group, "ann", "b", 10);
        Future<DebitAnswer> second = debit(group, "ann", "a", 10);
        Future<DebitAnswer> conflict = debit(group, "bob", "a", 10);
        runAll();
        assertThat(groups).containsExactly(4);
        assertDebited(first, 90);
        assertDebited(other, 80);
        assertDebited(second, 90);
        assertRefused(GrpcStatus.FAILED_PRECONDITION, conflict);
        assertThat(others.balance("app", "bob")).isEqualTo(100);
    }

    @Test
    void aCallThatCannotBeDecidedFailsAlone() {
        GroupCommit<WalletMovement, OpenBooks> group = group();
        Future<DebitAnswer> before = debit(group, "ann", "a", 10);
        Future<Long> bad = group.submit(movement(Kind.DEBIT, "ann", "b", 10, ""), books -> {
            throw new IllegalStateException("bad");
        });
        Future<DebitAnswer> after = debit(group, "ann", "c", 10);
        runAll();
        assertThat(groups).containsExactly(3, 1, 1, 1);
        assertDebited(before, 90);
        assertThat(bad.cause()).hasMessage("bad");
        assertDebited(after, 80);
    }

    @Test
    void aKeyThatAnotherProcessHasJustUsedIsRefusedAndTheOtherCallsAreMade() {
        Watched tables =
                new Watched(connection -> assertDebited(others.debit("app", "bob", "b", 10), 90), connection -> {});
        GroupCommit<WalletMovement, OpenBooks> group = group(tables, 100, 100);
        Future<DebitAnswer> before = debit(group, "ann", "a", 10);
        Future<DebitAnswer> taken = debit(group, "ann", "b", 10);
        Future<DebitAnswer> after = debit(group, "ann", "c", 10);
        runAll();
        assertThat(groups).startsWith(3, 1);
        assertDebited(before, 90);
        assertRefused(GrpcStatus.FAILED_PRECONDITION, taken);
        assertDebited(after, 80);
        assertThat(others.balance("app", "bob")).isEqualTo(90);
    }

    /** As when the connection is lost under the commit. */
    @Test
    @Tag("GIFT-1")
    void aTransactionThatWasCommittedAndIsThoughtToHaveFailedMovesOnce() {
        Watched tables = new Watched(connection -> {}, connection -> {
            connection.commit();
            throw new SQLException("lost");
        });
        GroupCommit<WalletMovement, OpenBooks> group = group(tables, 100, 100);
        Future<DebitAnswer> debited = debit(group, "ann", "a", 10);
        Future<Long> given = credit(group, "ann", "b", 5);
        Future<Long> back = refund(group, "ann", "r", "a");
        runAll();
        assertThat(groups).containsExactly(3, 1, 1, 1);
        // The refund is there already, so that the debit's caller hears of it.
        assertThat(debited.result()).isEqualTo(VOIDED);
        assertThat(given.result()).isEqualTo(95);
        assertThat(back.result()).isEqualTo(10);
        assertThat(ledger.movements()).hasSize(5);
        assertThat(others.balance("app", "ann")).isEqualTo(105);
    }

    @Test
    @Tag("B32")
    void twoProcessesThatKeepTheSameBooksMoveEveryKeyOnce() throws SQLException {
        int debits = 300;
        for (int i = 0; i < PAYERS; i++) {
            others.open("app", payer(i), 1_000);
        }
        try (Transactions theirs = new Transactions(database)) {
            ExecutorService one = Executors.newSingleThreadExecutor();
            ExecutorService two = Executors.newSingleThreadExecutor();
            try {
                WalletBooks ours = new WalletBooks(transactions, one);
                WalletBooks other = new WalletBooks(theirs, two);
                List<Future<DebitAnswer>> our = new ArrayList<>();
                List<Future<DebitAnswer>> their = new ArrayList<>();
                for (int i = 0; i < debits; i++) {
                    our.add(debit(ours, i));
                    their.add(debit(other, debits - 1 - i));
                }
                for (int i = 0; i < debits; i++) {
                    DebitAnswer answer = Await.result(our.get(i));
                    assertThat(Await.result(their.get(debits - 1 - i))).isEqualTo(answer);
                    assertThat(answer).isInstanceOf(DebitAnswer.Debited.class);
                }
            } finally {
                one.shutdownNow();
                two.shutdownNow();
            }
        }
        assertThat(ledger.movements()).hasSize(2 + PAYERS + debits);
    }

    private static Future<DebitAnswer> debit(WalletBooks books, int i) {
        return books.debit("app", payer(i), "debit/" + i, 10);
    }

    private static String payer(int i) {
        return "payer-" + i % PAYERS;
    }
}
