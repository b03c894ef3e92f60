package dev.roomcell.dev.wallet;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Transactions on a database, each on a connection of its own. They block. Thread-safe; as many at once as callers. */
final class Transactions implements AutoCloseable {
    private static final int TRIES = 8;
    /** Texts of statements that a connection keeps apart into their pieces. */
    private static final int TEXTS = 1_024;
    /** The longest of them, characters. */
    private static final int LONGEST_TEXT = 64 * 1024;

    private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    /** Deadlock, lock wait timeout, and a key that somebody else has just written: it is there at the next try. */
    private static final Set<Integer> TRY_AGAIN = Set.of(1213, 1205, 1062);

    private final WalletDatabase database;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    Transactions(WalletDatabase database) {
        this.database = database;
    }

    /** What happens in a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    /** Creates what is not there yet. */
    void createTables(List<String> statements) {
        run(connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            }
            return true;
        });
    }

    /**
     * Runs a transaction and commits it; again, from its start, if another one was in its way.
     *
     * @throws IllegalStateException if the database fails: then nobody knows whether it was committed
     */
    <T> T run(Work<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (SQLException e) {
                if (!TRY_AGAIN.contains(e.getErrorCode()) || attempt == TRIES) {
                    throw new IllegalStateException("the wallet's database failed: " + e.getMessage(), e);
                }
                LockSupport.parkNanos(FIRST_PAUSE_NS << attempt);
            }
        }
    }

    /** Runs a transaction and commits it, or rolls it back; if the commit itself fails, nobody knows which. */
    <T> T once(Work<T> work) throws SQLException {
        Connection taken = idle.poll();
        Connection connection = taken != null ? taken : open();
        boolean usable = false;
        try {
            T result = work.in(connection);
            connection.commit();
            usable = true;
            return result;
        } finally {
            if (usable || rolledBack(connection)) {
                giveBack(connection);
            } else {
                connection.close();
            }
        }
    }

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(
                // A statement for many calls is sent whole, in one round trip; there is one for each number of calls.
                database.jdbcUrl() + "&useServerPrepStmts=false&cachePrepStmts=true&prepStmtCacheSize=" + TEXTS
                        + "&prepStmtCacheSqlLimit=" + LONGEST_TEXT,
                database.user(),
                database.password());
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        return connection;
    }

    /** A connection that can't be rolled back is closed, which rolls back too. */
    private static boolean rolledBack(Connection connection) {
        try {
            connection.rollback();
            return true;
        } catch (SQLException lost) {
            return false;
        }
    }

    private void giveBack(Connection connection) throws SQLException {
        idle.add(connection);
        if (closed) {
            close();
        }
    }

    /** Closes the connections that nobody uses; the others follow when they are given back. */
    @Override
    public void close() throws SQLException {
        closed = true;
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            connection.close();
        }
    }
}
