package dev.roomcell.adapter.mysql;

import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few sessions, taken by one user at a time and given back clean. Unlike the client's own pool it can end a connection
 * instead of taking it back: one whose transaction or statement nobody can account for must not be used again, and must
 * not keep its place either. Belongs to one event loop.
 */
final class SessionPool {
    private static final Logger log = LoggerFactory.getLogger(SessionPool.class);
    /** Callers that may wait; one more is refused. */
    private static final int WAITING_CALLERS = 4_096;

    private final Vertx vertx;
    private final MySQLConnectOptions options;
    private final long connectTimeoutMs;
    private final long statementTimeoutMs;
    private final int size;
    private final Function<SqlConnection, Future<Void>> prepareSession;
    private final Runnable onReadOnly;
    private final ArrayDeque<Session> idle = new ArrayDeque<>();
    private final ArrayDeque<Promise<Session>> waiting = new ArrayDeque<>();
    private final Set<Session> open = new HashSet<>();
    private int connecting;
    private boolean closed;

    SessionPool(
            Vertx vertx,
            MySQLConnectOptions options,
            long connectTimeoutMs,
            long statementTimeoutMs,
            int size,
            Function<SqlConnection, Future<Void>> prepareSession,
            Runnable onReadOnly) {
        this.vertx = vertx;
        this.options = options;
        this.connectTimeoutMs = connectTimeoutMs;
        this.statementTimeoutMs = statementTimeoutMs;
        this.size = size;
        this.prepareSession = prepareSession;
        this.onReadOnly = onReadOnly;
    }

    /** A session, as soon as there is one; fails when there is none for as long as a statement may take. */
    Future<Session> take() {
        Session session = idle.pollLast();
        if (session != null) {
            return Future.succeededFuture(session);
        }
        if (closed || waiting.size() >= WAITING_CALLERS) {
            return Future.failedFuture(
                    new StoreException(closed ? "closed" : "too many callers wait for a MySQL connection"));
        }
        Promise<Session> caller = Promise.promise();
        waiting.addLast(caller);
        long timer = vertx.setTimer(statementTimeoutMs, over -> {
            if (waiting.remove(caller)) {
                caller.fail(new StoreException("no MySQL connection within " + statementTimeoutMs + " ms"));
            }
        });
        connectIfNeeded();
        return caller.future().onComplete(taken -> vertx.cancelTimer(timer));
    }

    private void connectIfNeeded() {
        if (!closed && waiting.size() > connecting && open.size() + connecting < size) {
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
        Session opened = new Session(connection, statementTimeoutMs, this::lost, onReadOnly);
        open.add(opened);
        give(opened);
    }

    private void notConnected(Throwable failure) {
        connecting--;
        Promise<Session> caller = waiting.pollFirst();
        if (caller != null) {
            caller.fail(failure);
        }
        connectIfNeeded();
    }

    /** Takes a connection back: to be used again if its transaction is over, else to be ended. */
    void give(Session connection) {
        if (closed || !connection.isClean() || !open.contains(connection)) {
            forget(connection);
            connection.end();
            return;
        }
        Promise<Session> caller = waiting.pollFirst();
        if (caller != null) {
            caller.complete(connection);
        } else {
            idle.addLast(connection);
        }
    }

    private void lost(Session session) {
        forget(session);
        // The client keeps a lost connection until it is closed.
        session.end();
    }

    private void forget(Session connection) {
        open.remove(connection);
        idle.remove(connection);
        connectIfNeeded();
    }

    /** Uses no connection again that was made so far; those that somebody has end when they are given back. */
    void retireAll() {
        open.forEach(Session::retire);
        List.copyOf(idle).forEach(this::give);
    }

    void close() {
        closed = true;
        Set.copyOf(open).forEach(connection -> {
            forget(connection);
            connection.end();
        });
        waiting.forEach(caller -> caller.fail(new StoreException("closed")));
        waiting.clear();
    }
}
