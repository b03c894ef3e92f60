package dev.roomcell.sim;

import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A group commit as the MySQL adapter leads it: three statements, each a journey of its own, and the node may be stopped
 * or dead between them. The server ends a transaction that it hears nothing of for a while (LEASE-15).
 */
final class WiredTransaction {
    /** A server notices within so many ms that a connection was closed. */
    private static final int CLOSE_NOTICED_MS = 50;

    private final Surroundings around;
    private final LoopWire wire;
    private final Link link;
    private final MemoryTransaction transaction;
    private final String about;
    private final long silentMs;
    private int statements;

    /** What stood in the way of a statement, as the server put it. */
    private static final class Undone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient GroupOutcome outcome;

        Undone(GroupOutcome outcome) {
            super(outcome.toString(), null, false, false);
            this.outcome = outcome;
        }
    }

    WiredTransaction(
            Surroundings around,
            LoopWire wire,
            Link link,
            MemoryTransaction transaction,
            List<RoomBatch> batches,
            long silentMs) {
        this.around = around;
        this.wire = wire;
        this.link = link;
        this.transaction = transaction;
        this.silentMs = silentMs;
        this.about = batches.stream().map(WiredTransaction::told).collect(Collectors.joining(", "));
    }

    private static String told(RoomBatch batch) {
        return batch.key() + " to v" + batch.versionAfter() + " e" + batch.epoch();
    }

    /** Never fails. */
    Future<GroupOutcome> run() {
        return wire.pass(Call.COMMIT, "locks " + about, this::lock)
                .compose(verdicts -> verdicts.contains(Verdict.APPENDED)
                        ? wire.pass(Call.COMMIT, "writes " + about, this::write).compose(written -> commit(verdicts))
                        : rollback().map(new GroupOutcome.Committed(verdicts)))
                .recover(failure -> {
                    abandon();
                    return Future.succeededFuture(outcomeOf(failure));
                });
    }

    private static GroupOutcome outcomeOf(Throwable failure) {
        return failure instanceof Undone undone
                ? undone.outcome
                : new GroupOutcome.RolledBack(Cause.UNAVAILABLE, String.valueOf(failure.getMessage()));
    }

    private Future<List<Verdict>> lock() {
        if (!transaction.isOpen()) {
            return sessionGone();
        }
        if (around.dice.percent(around.deadlockPercent)) {
            return undone(Cause.TRANSIENT, "1213: Deadlock found when trying to get lock");
        }
        return transaction
                .lock()
                .recover(lockWait -> undone(Cause.TRANSIENT, String.valueOf(lockWait.getMessage())))
                .onSuccess(locked -> heard());
    }

    private Future<Void> write() {
        if (!transaction.isOpen()) {
            return sessionGone();
        }
        if (around.mysqlServer.isReadOnly()) {
            return undone(Cause.UNAVAILABLE, "1290: the server is read-only");
        }
        if (around.dice.percent(around.badStatementPercent)) {
            return undone(Cause.STATEMENT, "1366: Incorrect value");
        }
        heard();
        return transaction
                .write()
                .<Future<Void>>map(refused -> Future.failedFuture(new Undone(refused)))
                .orElseGet(Future::succeededFuture);
    }

    /** From the moment COMMIT leaves, only its answer tells whether it happened (LEASE-12). */
    private Future<GroupOutcome> commit(List<Verdict> verdicts) {
        boolean answered = !around.dice.percent(around.lostCommitPercent);
        return wire.pass(Call.COMMIT, "COMMIT " + about, () -> {
                    if (!transaction.isOpen()) {
                        return WiredTransaction.<Void>sessionGone();
                    }
                    transaction.commit();
                    return answered ? Future.<Void>succeededFuture() : WiredTransaction.<Void>sessionGone();
                })
                .<GroupOutcome>map(done -> new GroupOutcome.Committed(verdicts))
                .otherwise(failure -> new GroupOutcome.Unknown(verdicts, String.valueOf(failure.getMessage())));
    }

    private Future<Void> rollback() {
        return wire.pass(Call.COMMIT, "ROLLBACK " + about, () -> {
                    transaction.rollback();
                    return Future.<Void>succeededFuture();
                })
                .otherwiseEmpty();
    }

    private <T> Future<T> undone(Cause cause, String detail) {
        transaction.rollback();
        return Future.failedFuture(new Undone(new GroupOutcome.RolledBack(cause, detail)));
    }

    private static <T> Future<T> sessionGone() {
        return Future.failedFuture(Call.COMMIT.failure("2013: Lost connection to the server"));
    }

    /** The server has heard a statement; from now on it listens for the next one. */
    private void heard() {
        int heardNow = ++statements;
        around.time.later(silentMs, () -> {
            if (heardNow == statements && transaction.isOpen()) {
                around.trace.note("mysql ends a silent transaction: " + about);
                transaction.rollback();
            }
        });
    }

    /** The node closes the connection, which the server notices soon, or not before it misses the next statement. */
    private void abandon() {
        if (!link.isCut()) {
            around.time.later(1 + around.dice.below(CLOSE_NOTICED_MS), transaction::rollback);
        }
    }
}
