package dev.roomcell.adapter.mysql;

/**
 * Where the database is, and how long it may take.
 *
 * @param host its host
 * @param port its port
 * @param user who connects
 * @param password with what
 * @param schema the schema that holds the tables
 * @param readConnections connections for reads and mints, an event loop
 * @param connectTimeoutMs how long a connection may take to be made, ms
 * @param statementTimeoutMs how long a statement may take, ms
 * @param silentTransactionMs after how long the server ends a connection that is silent inside a transaction, at most
 *     half a lease's time to live, ms (LEASE-15)
 */
public record MysqlSettings(
        String host,
        int port,
        String user,
        String password,
        String schema,
        int readConnections,
        long connectTimeoutMs,
        long statementTimeoutMs,
        long silentTransactionMs) {

    /** The server counts in whole seconds; at least one. */
    long silentTransactionSeconds() {
        return Math.max(1, silentTransactionMs / 1000);
    }

    @Override
    public String toString() {
        return user + "@" + host + ":" + port + "/" + schema;
    }
}
