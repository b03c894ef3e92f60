package dev.roomcell.adapter.mysql;

import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop's connections to MySQL: a lane for its group commits, a few for other transactions, and a pool for
 * reads and mints. All sessions use READ COMMITTED and a lock wait of 1 s, and the server ends those that fall silent
 * inside a transaction, so that a stopped node can't keep rooms locked (LEASE-15).
 */
public final class Connections {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);
    /** Reads that may wait for a connection; one more fails at once. */
    private static final int WAITING_READS = 4_096;
    /** Transactions beside the group commits: rooms tried alone, creations, timer claims. */
    private static final int SIDE_TRANSACTIONS = 6;
    /** Statements in flight on a connection: enough to send all writes of a transaction at once. */
    private static final int PIPELINED_STATEMENTS = 64;
    /** Prepared statements that a connection keeps. */
    private static final int PREPARED_STATEMENTS = 256;

    private final MysqlSettings settings;
    private final Pool reads;
    private final TransactionPool lane;
    private final TransactionPool side;

    /** Connections of the calling event loop; nothing connects before it is needed. */
    public Connections(Vertx vertx, MysqlSettings settings) {
        this.settings = settings;
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(settings.host())
                .setPort(settings.port())
                .setUser(settings.user())
                .setPassword(settings.password())
                .setDatabase(settings.schema())
                .setCharset("utf8mb4")
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(PREPARED_STATEMENTS)
                // The default leaves out long texts: just the multi-row inserts that are worth it most.
                .setPreparedStatementCacheSqlFilter(sql -> true);
        this.reads = readPool(vertx, options);
        this.lane = transactions(vertx, options, 1);
        this.side = transactions(vertx, options, SIDE_TRANSACTIONS);
    }

    private TransactionPool transactions(Vertx vertx, MySQLConnectOptions options, int size) {
        return new TransactionPool(
                vertx,
                new MySQLConnectOptions(options).setPipeliningLimit(PIPELINED_STATEMENTS),
                settings.connectTimeoutMs(),
                settings.statementTimeoutMs(),
                size,
                connection -> prepareSession(connection, false));
    }

    private Pool readPool(Vertx vertx, MySQLConnectOptions options) {
        PoolOptions pool = new PoolOptions()
                .setMaxSize(settings.readConnections())
                .setMaxWaitQueueSize(WAITING_READS)
                .setConnectionTimeout((int) settings.connectTimeoutMs())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        return MySQLBuilder.pool()
                .with(pool)
                .connectingTo(options)
                .using(vertx)
                .withConnectHandler(connection -> prepareSession(connection, true)
                        .onFailure(failure -> log.warn("MySQL session not prepared: {}", failure.toString()))
                        // Back into the pool, whose statements fail if the session's did.
                        .eventually(connection::close))
                .build();
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
        return deadline(reads.preparedQuery(sql).execute(parameters))
                .recover(failure ->
                        Future.failedFuture(new StoreException(String.valueOf(failure.getMessage()), failure)));
    }

    /** Runs a group commit, after the one before it. */
    <T> Future<T> inLane(Function<TransactionConnection, Future<T>> transaction) {
        return in(lane, transaction);
    }

    /** Runs a transaction of its own, beside the group commits. */
    <T> Future<T> beside(Function<TransactionConnection, Future<T>> transaction) {
        return in(side, transaction);
    }

    private static <T> Future<T> in(TransactionPool pool, Function<TransactionConnection, Future<T>> transaction) {
        return pool.take()
                .compose(connection -> transaction.apply(connection).onComplete(over -> pool.give(connection)));
    }

    private <T> Future<T> deadline(Future<T> call) {
        return call.timeout(settings.statementTimeoutMs(), TimeUnit.MILLISECONDS);
    }

    /** Closes everything; transactions that are open are rolled back by the server. */
    public Future<Void> close() {
        lane.close();
        side.close();
        return reads.close();
    }
}
