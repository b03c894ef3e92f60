package dev.roomcell.adapter.mysql;

import dev.roomcell.port.CommandStore;
import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.function.Function;

/**
 * One event loop's connections to MySQL: two for its group commits, a few for other transactions, and some for reads
 * and mints. All sessions use READ COMMITTED and a lock wait of 1 s, and the server ends those that fall silent inside a
 * transaction, so that a stopped node can't keep rooms locked (LEASE-15).
 */
public final class Connections {
    /** Transactions beside the group commits: rooms tried alone, creations, timer claims. */
    private static final int SIDE_TRANSACTIONS = 6;
    /** Statements in flight on a connection: enough to send all writes of a transaction at once. */
    private static final int PIPELINED_STATEMENTS = 64;
    /** Prepared statements that a connection keeps. */
    private static final int PREPARED_STATEMENTS = 256;

    private final Vertx vertx;
    private final MysqlSettings settings;
    private final SessionPool reads;
    private final SessionPool lane;
    private final SessionPool side;

    /** Connections of the calling event loop; nothing connects before it is needed. */
    public Connections(Vertx vertx, MysqlSettings settings) {
        this.vertx = vertx;
        this.settings = settings;
        this.reads = pool(settings.readConnections(), true);
        this.lane = pool(CommandStore.GROUPS_AT_ONCE, false);
        this.side = pool(SIDE_TRANSACTIONS, false);
    }

    private SessionPool pool(int size, boolean autocommit) {
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(settings.host())
                .setPort(settings.port())
                .setUser(settings.user())
                .setPassword(settings.password())
                .setDatabase(settings.schema())
                .setCharset("utf8mb4")
                .setPipeliningLimit(PIPELINED_STATEMENTS)
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(PREPARED_STATEMENTS)
                // The default leaves out long texts: just the multi-row inserts that are worth it most.
                .setPreparedStatementCacheSqlFilter(sql -> true);
        return new SessionPool(
                vertx,
                options,
                settings.connectTimeoutMs(),
                settings.statementTimeoutMs(),
                size,
                connection -> prepareSession(connection, autocommit),
                this::retireAll);
    }

    /** After a failover connections may still lead to the server of before: what that says of rooms is old. */
    private void retireAll() {
        reads.retireAll();
        lane.retireAll();
        side.retireAll();
    }

    private Future<Void> prepareSession(SqlConnection connection, boolean autocommit) {
        // MySQL has no limit for silence inside a transaction: there, every silent session ends.
        String silence = isMariaDb(connection) ? "idle_transaction_timeout" : "wait_timeout";
        return connection
                .query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
                .execute()
                .compose(isolated -> connection
                        .query("SET SESSION innodb_lock_wait_timeout = 1, autocommit = " + (autocommit ? 1 : 0) + ", "
                                + silence + " = " + settings.silentTransactionSeconds())
                        .execute())
                .mapEmpty();
    }

    private static boolean isMariaDb(SqlConnection connection) {
        return connection.databaseMetadata().productName().contains("MariaDB")
                || connection.databaseMetadata().fullVersion().contains("MariaDB");
    }

    /** A statement outside any transaction. */
    Future<RowSet<Row>> read(String sql, Tuple parameters) {
        return in(reads, session -> session.ask(sql, parameters))
                .recover(failure ->
                        Future.failedFuture(new StoreException(String.valueOf(failure.getMessage()), failure)));
    }

    /** Runs a group commit. */
    <T> Future<T> inLane(Function<Session, Future<T>> transaction) {
        return in(lane, transaction);
    }

    /** Runs a transaction of its own, beside the group commits. */
    <T> Future<T> beside(Function<Session, Future<T>> transaction) {
        return in(side, transaction);
    }

    private static <T> Future<T> in(SessionPool pool, Function<Session, Future<T>> use) {
        return pool.take()
                .compose(session -> Future.<Void>succeededFuture()
                        .compose(taken -> use.apply(session))
                        .onComplete(over -> pool.give(session)));
    }

    /** Closes everything; transactions that are open are rolled back by the server. */
    public Future<Void> close() {
        lane.close();
        side.close();
        reads.close();
        return Future.succeededFuture();
    }
}
