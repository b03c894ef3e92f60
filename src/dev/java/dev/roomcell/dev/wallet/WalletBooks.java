package dev.roomcell.dev.wallet;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.check.WalletMovement.Kind;
import dev.roomcell.port.Wallet.DebitAnswer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The accounts of all users and their ledger. Each movement goes between a user and the house, so that the balances of an
 * app's accounts add up to 0; the house has several accounts, as one row would make everybody wait for everybody. The
 * user's row is locked first, and thereby all of a user's movements have an order. Blocking; thread-safe.
 */
public final class WalletBooks {
    static final String HOUSE = "house/";
    static final String USER = "user/";
    private static final int HOUSE_ACCOUNTS = 64;
    private static final int APP_BYTES = 32;
    private static final int ID_BYTES = 64;
    private static final int KEY_BYTES = 200;

    private static final List<String> TABLES = List.of("""
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
              KEY (app_code, user_id, seq),
              CHECK (coins >= 0 AND balance_after >= 0)
            ) ENGINE = InnoDB
            """);

    static final String COLUMNS =
            "SELECT movement_key, kind, app_code, user_id, coins, balance_after, debit_key FROM wallet_ledger";

    private final Transactions transactions;

    /** The books in a database; makes their tables. */
    WalletBooks(Transactions transactions) {
        this.transactions = transactions;
        transactions.createTables(TABLES);
    }

    /** Gives a user coins to begin with, once; a second opening must be of as many. */
    public void open(String appCode, String userId, long coins) {
        grant(appCode, userId, "opening/" + appCode + "/" + userId, coins);
    }

    /** Gives a user coins out of nothing, once a key; returns the balance after it. */
    public long grant(String appCode, String userId, String key, long coins) {
        return give(new WalletMovement(key, Kind.OPENING, appCode, userId, coins, 0, ""));
    }

    long credit(String appCode, String userId, String key, long coins) {
        return give(new WalletMovement(key, Kind.CREDIT, appCode, userId, coins, 0, ""));
    }

    private long give(WalletMovement wanted) {
        check(wanted);
        ServiceRefusal.requirePositive("coins", wanted.coins());
        return transactions.run(connection -> {
            long balance = lock(connection, wanted);
            Optional<WalletMovement> made = made(connection, wanted);
            return made.isPresent() ? made.get().balanceAfter() : move(connection, wanted, balance);
        });
    }

    DebitAnswer debit(String appCode, String userId, String key, long coins) {
        WalletMovement wanted = new WalletMovement(key, Kind.DEBIT, appCode, userId, coins, 0, "");
        check(wanted);
        ServiceRefusal.requirePositive("coins", coins);
        return transactions.run(connection -> {
            long balance = lock(connection, wanted);
            Optional<WalletMovement> made = made(connection, wanted);
            Optional<WalletMovement> refund = find(connection, " WHERE debit_key = ?", key);
            if (refund.isPresent()) {
                requireSameUser(refund.get(), wanted, key);
                return new DebitAnswer.Voided();
            }
            if (made.isPresent()) {
                return new DebitAnswer.Debited(made.get().balanceAfter());
            }
            return balance < coins
                    ? new DebitAnswer.InsufficientBalance()
                    : new DebitAnswer.Debited(move(connection, wanted, balance));
        });
    }

    /** The row is written also when there was nothing to give back: it is what later debits find (GIFT-4). */
    long refund(String appCode, String userId, String key, String debitKey) {
        ServiceRefusal.requireText("debit_key", debitKey, KEY_BYTES);
        WalletMovement asked = new WalletMovement(key, Kind.REFUND, appCode, userId, 0, 0, debitKey);
        check(asked);
        return transactions.run(connection -> {
            long balance = lock(connection, asked);
            Optional<WalletMovement> made = made(connection, asked);
            if (made.isPresent()) {
                return made.get().coins();
            }
            if (find(connection, " WHERE debit_key = ?", debitKey).isPresent()) {
                throw ServiceRefusal.conflict(debitKey);
            }
            Optional<WalletMovement> debit = find(connection, " WHERE movement_key = ?", debitKey);
            if (debit.isPresent()) {
                requireSameUser(debit.get(), asked, debitKey);
            }
            long coins = debit.map(WalletMovement::coins).orElse(0L);
            move(connection, new WalletMovement(key, Kind.REFUND, appCode, userId, coins, 0, debitKey), balance);
            return coins;
        });
    }

    /** A user's balance, coins; 0 for one who is not known. */
    public long balance(String appCode, String userId) {
        ServiceRefusal.requireText("app_code", appCode, APP_BYTES);
        ServiceRefusal.requireText("user_id", userId, ID_BYTES);
        return transactions.run(connection -> Row.one(
                        connection,
                        "SELECT balance FROM wallet_accounts WHERE app_code = ? AND account = ?",
                        row -> row.getLong("balance"),
                        appCode,
                        USER + userId)
                .orElse(0L));
    }

    private static void check(WalletMovement wanted) {
        ServiceRefusal.requireText("app_code", wanted.appCode(), APP_BYTES);
        ServiceRefusal.requireText("user_id", wanted.userId(), ID_BYTES);
        ServiceRefusal.requireText("key", wanted.key(), KEY_BYTES);
    }

    private static void requireSameUser(WalletMovement known, WalletMovement wanted, String debitKey) {
        boolean debit = known.kind() == Kind.DEBIT || known.debitKey().equals(debitKey);
        if (!debit
                || !known.appCode().equals(wanted.appCode())
                || !known.userId().equals(wanted.userId())) {
            throw ServiceRefusal.conflict(debitKey);
        }
    }

    /** Locks a user's account, which is made if it is not there; returns the balance. */
    private static long lock(Connection connection, WalletMovement wanted) throws SQLException {
        Optional<Long> balance = locked(connection, wanted);
        if (balance.isPresent()) {
            return balance.get();
        }
        add(connection, wanted.appCode(), USER + wanted.userId(), 0);
        return locked(connection, wanted).orElseThrow();
    }

    private static Optional<Long> locked(Connection connection, WalletMovement wanted) throws SQLException {
        return Row.one(
                connection,
                "SELECT balance FROM wallet_accounts WHERE app_code = ? AND account = ? FOR UPDATE",
                row -> row.getLong("balance"),
                wanted.appCode(),
                USER + wanted.userId());
    }

    /** The movement of the same key, if it was made; another one of that key is refused. */
    private static Optional<WalletMovement> made(Connection connection, WalletMovement wanted) throws SQLException {
        Optional<WalletMovement> made = find(connection, " WHERE movement_key = ?", wanted.key());
        if (made.isPresent() && !made.get().sameTransfer(wanted)) {
            throw ServiceRefusal.conflict(wanted.key());
        }
        return made;
    }

    private static Optional<WalletMovement> find(Connection connection, String where, String key) throws SQLException {
        return Row.one(connection, COLUMNS + where, WalletBooks::movement, key);
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

    /** Moves coins between a user, whose row is locked, and the house; returns the user's new balance. */
    private static long move(Connection connection, WalletMovement wanted, long balance) throws SQLException {
        long change = wanted.change();
        if (change > Long.MAX_VALUE - balance) {
            throw ServiceRefusal.tooMuch(wanted.userId());
        }
        String house = HOUSE + Math.floorMod(wanted.userId().hashCode(), HOUSE_ACCOUNTS);
        Row.change(
                connection,
                "INSERT INTO wallet_ledger (movement_key, kind, app_code, user_id, house, coins, balance_after, debit_key)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, NULLIF(?, ''))",
                wanted.key(),
                wanted.kind().name(),
                wanted.appCode(),
                wanted.userId(),
                house,
                wanted.coins(),
                balance + change,
                wanted.debitKey());
        if (change != 0) {
            Row.change(
                    connection,
                    "UPDATE wallet_accounts SET balance = balance + ? WHERE app_code = ? AND account = ?",
                    change,
                    wanted.appCode(),
                    USER + wanted.userId());
            // Last, as others may wait for this row until the commit.
            add(connection, wanted.appCode(), house, -change);
        }
        return balance + change;
    }

    /** Adds to an account, which is made if it is not there. */
    private static void add(Connection connection, String appCode, String account, long coins) throws SQLException {
        Row.change(
                connection,
                "INSERT INTO wallet_accounts (app_code, account, balance) VALUES (?, ?, ?)"
                        + " ON DUPLICATE KEY UPDATE balance = balance + ?",
                appCode,
                account,
                coins,
                coins);
    }
}
