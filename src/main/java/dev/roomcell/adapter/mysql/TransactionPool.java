package dev.roomcell.adapter.mysql;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few connections for transactions, taken one at a time and given back clean. Unlike the client's own pool it can
 * end a connection instead of taking it back: one whose transaction nobody can account for must not be used again.
 * Belongs to one event loop.
 */
final class TransactionPool {
    private static final Logger log = LoggerFactory.getLogger(TransactionPool.class);
    /** Callers that may wait; one more is refused. */
    private static final int WAITING_CALLERS = 1_024;

    private final Vertx vertx;
    private final MySQLConnectOptions options;
    private final long connectTimeoutMs;
    private final long statementTimeoutMs;
    private final int size;
    private final Function<SqlConnection, Future<Void>> prepareSession;
    private final ArrayDeque<TransactionConnection> idle = new ArrayDeque<>();
    private final ArrayDeque<Promise<TransactionConnection>> waiting = new ArrayDeque<>();
    private final Set<TransactionConnection> open = new HashSet<>();
    private int connecting;
    private boolean closed;

    TransactionPool(
            Vertx vertx,
            MySQLConnectOptions options,
            long connectTimeoutMs,
            long statementTimeoutMs,
            int size,
            Function<SqlConnection, Future<Void>> prepareSession) {
        this.vertx = vertx;
        this.options = options;
        this.connectTimeoutMs = connectTimeoutMs;
        this.statementTimeoutMs = statementTimeoutMs;
        this.size = size;
        this.prepareSession = prepareSession;
    }

    Future<TransactionConnection> take() {
        TransactionConnection connection = idle.pollLast();
        if (connection != null) {
            return Future.succeededFuture(connection);
        }
        if (closed || waiting.size() >= WAITING_CALLERS) {
            return Future.failedFuture(
                    new IllegalStateException(closed ? "closed" : "too many callers wait for a MySQL connection"));
        }
        Promise<TransactionConnection> caller = Promise.promise();
        waiting.addLast(caller);
        connectIfNeeded();
        return caller.future();
    }

    private void connectIfNeeded() {
        if (waiting.size() > connecting && open.size() + connecting < size) {
            connecting++;
            Future<MySQLConnection> made = MySQLConnection.connect(vertx, options)
                    .compose(connection -> prepareSession
                            .apply(connection)
                            .onFailure(failure -> connection.close())
                            .map(connection));
            made.timeout(connectTimeoutMs, TimeUnit.MILLISECONDS)
                    .onSuccess(this::connected)
                    .onFailure(failure -> {
                        notConnected(failure);
                        // One that is made too late is nobody's.
                        made.onSuccess(MySQLConnection::close);
                    });
        }
    }

    private void connected(MySQLConnection connection) {
        connecting--;
        connection.exceptionHandler(failure -> log.debug("MySQL connection: {}", failure.toString()));
        TransactionConnection opened = new TransactionConnection(connection, statementTimeoutMs, this::forget);
        open.add(opened);
        give(opened);
    }

    private void notConnected(Throwable failure) {
        connecting--;
        Promise<TransactionConnection> caller = waiting.pollFirst();
        if (caller != null) {
            caller.fail(failure);
        }
        connectIfNeeded();
    }

    /** Takes a connection back: to be used again if its transaction is over, else to be ended. */
    void give(TransactionConnection connection) {
        if (closed || !connection.isClean() || !open.contains(connection)) {
            forget(connection);
            connection.end();
            return;
        }
        Promise<TransactionConnection> caller = waiting.pollFirst();
        if (caller != null) {
            caller.complete(connection);
        } else {
            idle.addLast(connection);
        }
    }

    private void forget(TransactionConnection connection) {
        open.remove(connection);
        idle.remove(connection);
        connectIfNeeded();
    }

    void close() {
        closed = true;
        Set.copyOf(open).forEach(connection -> {
            forget(connection);
            connection.end();
        });
        waiting.forEach(caller -> caller.fail(new IllegalStateException("closed")));
        waiting.clear();
    }
}
