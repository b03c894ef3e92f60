package dev.roomcell.dev.wallet;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.check.WalletMovement.Kind;
import dev.roomcell.dev.wallet.OpenBooks.Account;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The accounts of all users and their ledger. Each movement goes between a user and the house, so that the balances of an
 * app's accounts add up to 0. The users' rows are locked first, and thereby all of a user's movements have an order, also
 * when several processes keep the same books.
 */
final class WalletTables implements GroupCommit.Tables<WalletMovement, OpenBooks> {
    static final String USER = "user/";
    /** One row an app is enough, as one group after the other changes it. */
    private static final String HOUSE = "house/0";

    static final List<String> TABLES = List.of("""
            CREATE TABLE IF NOT EXISTS wallet_accounts (
              app_code VARBINARY(32) NOT NULL,
              account VARBINARY(80) NOT NULL,
              balance DECIMAL(38, 0) NOT NULL,
              PRIMARY KEY (app_code, account),
              CHECK (LEFT(account, 6) = 'house/' OR balance BETWEEN 0 AND 9223372036854775807)
            ) ENGINE = InnoDB
            """, """
            CREATE TABLE IF NOT EXISTS wallet_ledger (
              seq BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
              movement_key VARBINARY(200) NOT NULL,
              kind VARBINARY(8) NOT NULL,
              app_code VARBINARY(32) NOT NULL,
              user_id VARBINARY(64) NOT NULL,
              house VARBINARY(80) NOT NULL,
              coins BIGINT NOT NULL,
              balance_after BIGINT NOT NULL,
              debit_key VARBINARY(200) NULL,
              UNIQUE KEY (movement_key),
              UNIQUE KEY (debit_key),
              CHECK (coins >= 0 AND balance_after >= 0)
            ) ENGINE = InnoDB
            """);

    static final String COLUMNS =
            "SELECT movement_key, kind, app_code, user_id, coins, balance_after, debit_key FROM wallet_ledger";

    @Override
    public OpenBooks load(Connection connection, List<WalletMovement> calls) throws SQLException {
        return new OpenBooks(lock(connection, calls), known(connection, calls));
    }

    /** Locks the users' accounts, which are made if they are not there; their balances. */
    private static Map<Account, Long> lock(Connection connection, List<WalletMovement> calls) throws SQLException {
        Map<String, Set<String>> usersByApp = new TreeMap<>();
        calls.forEach(call -> usersByApp
                .computeIfAbsent(call.appCode(), app -> new TreeSet<>())
                .add(call.userId()));
        Map<Account, Long> balances = locked(connection, usersByApp);
        List<Object> missing = new ArrayList<>();
        usersByApp.forEach((app, users) -> users.forEach(user -> {
            if (!balances.containsKey(new Account(app, user))) {
                missing.addAll(List.of(app, USER + user));
            }
        }));
        if (missing.isEmpty()) {
            return balances;
        }
        Row.change(
                connection,
                "INSERT INTO wallet_accounts (app_code, account, balance) VALUES "
                        + Row.repeat("(?, ?, 0)", missing.size() / 2) + " ON DUPLICATE KEY UPDATE balance = balance",
                missing.toArray());
        return locked(connection, usersByApp);
    }

    /** By the primary key and in its order, so that two processes never wait for each other. */
    private static Map<Account, Long> locked(Connection connection, Map<String, Set<String>> usersByApp)
            throws SQLException {
        List<String> conditions = new ArrayList<>();
        List<Object> parameters = new ArrayList<>();
        usersByApp.forEach((app, users) -> {
            conditions.add("(app_code = ? AND account IN (" + Row.repeat("?", users.size()) + "))");
            parameters.add(app);
            users.forEach(user -> parameters.add(USER + user));
        });
        Map<Account, Long> balances = new LinkedHashMap<>();
        Row.all(
                        connection,
                        "SELECT app_code, account, balance FROM wallet_accounts FORCE INDEX (PRIMARY) WHERE "
                                + String.join(" OR ", conditions) + " ORDER BY app_code, account FOR UPDATE",
                        row -> Map.entry(
                                new Account(
                                        Row.text(row, "app_code"),
                                        Row.text(row, "account").substring(USER.length())),
                                row.getLong("balance")),
                        parameters.toArray())
                .forEach(row -> balances.put(row.getKey(), row.getValue()));
        return balances;
    }

    /** The movements of every key that the calls name, and the refunds of those keys. */
    private static List<WalletMovement> known(Connection connection, List<WalletMovement> calls) throws SQLException {
        Set<String> keys = new LinkedHashSet<>();
        for (WalletMovement call : calls) {
            keys.add(call.key());
            if (call.kind() == Kind.REFUND) {
                keys.add(call.debitKey());
            }
        }
        String places = Row.repeat("?", keys.size());
        List<Object> twice = new ArrayList<>(keys);
        twice.addAll(keys);
        return Row.all(
                connection,
                COLUMNS + " FORCE INDEX (movement_key) WHERE movement_key IN (" + places + ") UNION ALL " + COLUMNS
                        + " FORCE INDEX (debit_key) WHERE debit_key IN (" + places + ")",
                WalletTables::movement,
                twice.toArray());
    }

    static WalletMovement movement(ResultSet row) throws SQLException {
        return new WalletMovement(
                Row.text(row, "movement_key"),
                Kind.valueOf(Row.text(row, "kind")),
                Row.text(row, "app_code"),
                Row.text(row, "user_id"),
                row.getLong("coins"),
                row.getLong("balance_after"),
                Row.text(row, "debit_key"));
    }

    @Override
    public void store(Connection connection, OpenBooks books) throws SQLException {
        List<WalletMovement> made = books.made();
        if (!made.isEmpty()) {
            writeMovements(connection, made);
            writeBalances(connection, made);
        }
    }

    private static void writeMovements(Connection connection, List<WalletMovement> made) throws SQLException {
        List<Object> parameters = new ArrayList<>();
        for (WalletMovement movement : made) {
            parameters.addAll(List.of(
                    movement.key(),
                    movement.kind().name(),
                    movement.appCode(),
                    movement.userId(),
                    movement.coins(),
                    movement.balanceAfter(),
                    movement.debitKey()));
        }
        Row.change(
                connection,
                "INSERT INTO wallet_ledger"
                        + " (movement_key, kind, app_code, user_id, house, coins, balance_after, debit_key) VALUES "
                        + Row.repeat("(?, ?, ?, ?, '" + HOUSE + "', ?, ?, NULLIF(?, ''))", made.size()),
                parameters.toArray());
    }

    /** A user's row is locked, so that its balance is what it was found to be; to the house's others may have added. */
    private static void writeBalances(Connection connection, Collection<WalletMovement> made) throws SQLException {
        Map<Account, Long> users = new LinkedHashMap<>();
        Map<String, BigDecimal> houses = new TreeMap<>();
        for (WalletMovement movement : made) {
            users.put(Account.of(movement), movement.balanceAfter());
            houses.merge(
                    movement.appCode(), BigDecimal.valueOf(movement.change()).negate(), BigDecimal::add);
        }
        List<Object> parameters = new ArrayList<>();
        users.forEach((user, balance) -> parameters.addAll(List.of(user.appCode(), USER + user.userId(), balance)));
        // Last, as other processes may wait for these rows until the commit.
        houses.forEach((app, change) -> parameters.addAll(List.of(app, HOUSE, change)));
        Row.change(
                connection,
                "INSERT INTO wallet_accounts (app_code, account, balance) VALUES "
                        + Row.repeat("(?, ?, ?)", users.size() + houses.size())
                        + " ON DUPLICATE KEY UPDATE balance ="
                        + " IF(account = '" + HOUSE + "', balance + VALUES(balance), VALUES(balance))",
                parameters.toArray());
    }
}
