package dev.roomcell.dev.wallet;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that share transactions: those that come in while one is under way wait for it, and go into the next together,
 * in the order in which they came. A call that finds nothing under way is committed at once. Thread-safe.
 *
 * @param <C> what of a call says which rows it concerns
 * @param <W> the rows that a group concerns, in memory: the calls are decided on it one after the other
 */
final class GroupCommit<C, W> {
    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

    private final Executor executor;
    private final Transactions transactions;
    private final Tables<C, W> tables;
    private final Limits limits;
    private final Queue<Waiting<C, W, ?>> waiting = new ArrayDeque<>();
    /** Whether a group is under way, or about to be; at most one is. */
    private boolean running;

    /**
     * How much goes together.
     *
     * @param waiting calls that wait for a transaction, at least 1; one more is refused, and nothing has happened
     * @param together calls in a transaction, at least 1
     */
    record Limits(int waiting, int together) {
        static final Limits STANDARD = new Limits(4_096, 128);
    }

    /** Where the rows are. */
    interface Tables<C, W> {
        /** Reads all rows that the calls concern, and locks what no other process may change meanwhile. */
        W load(Connection connection, List<C> calls) throws SQLException;

        /** Writes what the calls have changed. */
        void store(Connection connection, W working) throws SQLException;
    }

    private record Waiting<C, W, A>(C call, Function<W, A> decision, Promise<A> promise) {
        /** What tells the caller, once the transaction is committed. */
        Runnable decide(W working) {
            try {
                A answer = decision.apply(working);
                return () -> promise.complete(answer);
            } catch (ServiceRefusal refusal) {
                return () -> promise.fail(refusal);
            }
        }
    }

    /** Nothing waits yet; every transaction runs on the executor. */
    GroupCommit(Executor executor, Transactions transactions, Tables<C, W> tables, Limits limits) {
        this.executor = executor;
        this.transactions = transactions;
        this.tables = tables;
        this.limits = limits;
    }

    /**
     * Has a call decided, in its turn; the answer comes after the commit, on the executor's thread. Fails with
     * {@link ServiceRefusal} if nothing has happened; else nobody knows.
     *
     * @param decision changes the rows or, by throwing {@link ServiceRefusal}, leaves them as they are; it may be asked
     *     again, on rows that were read anew
     */
    <A> Future<A> submit(C call, Function<W, A> decision) {
        Promise<A> promise = Promise.promise();
        synchronized (this) {
            if (waiting.size() >= limits.waiting) {
                return Future.failedFuture(ServiceRefusal.busy());
            }
            waiting.add(new Waiting<>(call, decision, promise));
            if (running) {
                return promise.future();
            }
            running = true;
        }
        proceed();
        return promise.future();
    }

    private void proceed() {
        try {
            executor.execute(this::commitNext);
        } catch (RejectedExecutionException closed) {
            log.debug("the books are closed: {}", closed.getMessage());
            endQueue().forEach(late -> late.promise.fail(ServiceRefusal.busy()));
        }
    }

    private synchronized List<Waiting<C, W, ?>> endQueue() {
        running = false;
        return take(waiting.size());
    }

    private synchronized List<Waiting<C, W, ?>> take(int atMost) {
        List<Waiting<C, W, ?>> taken = new ArrayList<>();
        while (taken.size() < atMost && !waiting.isEmpty()) {
            taken.add(waiting.remove());
        }
        return taken;
    }

    private void commitNext() {
        List<Waiting<C, W, ?>> group = take(limits.together);
        try {
            Optional<List<Runnable>> answers = group.size() > 1 ? together(group) : Optional.empty();
            if (answers.isPresent()) {
                answers.get().forEach(Runnable::run);
            } else {
                group.forEach(call -> alone(call).run());
            }
        } finally {
            if (staysRunning()) {
                proceed();
            }
        }
    }

    private synchronized boolean staysRunning() {
        running = !waiting.isEmpty();
        return running;
    }

    /**
     * All calls in one transaction; empty if it failed. It may have been committed even then: a call that is made again
     * finds what it did by its key.
     */
    private Optional<List<Runnable>> together(List<Waiting<C, W, ?>> group) {
        try {
            return Optional.of(transactions.once(connection -> decide(connection, group)));
        } catch (SQLException | RuntimeException failure) {
            log.debug("{} calls are made one by one: {}", group.size(), failure.toString());
            return Optional.empty();
        }
    }

    private Runnable alone(Waiting<C, W, ?> call) {
        try {
            return transactions
                    .run(connection -> decide(connection, List.of(call)))
                    .get(0);
        } catch (RuntimeException failure) {
            return () -> call.promise.fail(failure);
        }
    }

    private List<Runnable> decide(Connection connection, List<Waiting<C, W, ?>> group) throws SQLException {
        List<C> calls = new ArrayList<>();
        group.forEach(waiter -> calls.add(waiter.call));
        W working = tables.load(connection, calls);
        List<Runnable> answers = new ArrayList<>();
        group.forEach(waiter -> answers.add(waiter.decide(working)));
        tables.store(connection, working);
        return answers;
    }
}
