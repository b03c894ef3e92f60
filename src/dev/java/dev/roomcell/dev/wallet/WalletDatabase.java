package dev.roomcell.dev.wallet;

import dev.roomcell.dev.EmbeddedServers;

/**
 * Where the wallet and the lottery keep their tables.
 *
 * @param jdbcUrl names a schema, which the URL creates or which exists
 * @param user who may create tables in it
 * @param password may be empty
 */
public record WalletDatabase(String jdbcUrl, String user, String password) {
    /** The schema beside that of the rooms. */
    public static final String SCHEMA = "wallet";

    /** On the embedded MariaDB, in a schema of its own. */
    public static WalletDatabase on(EmbeddedServers servers) {
        return new WalletDatabase(servers.jdbcUrl(SCHEMA), servers.mysqlUser(), servers.mysqlPassword());
    }
}
