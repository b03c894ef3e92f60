package dev.roomcell.dev.wallet;

import dev.roomcell.port.LuckyGift.Draw;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The draws that were made, and what is left to win. It moves no money: a pool is a budget. Blocking; thread-safe. */
public final class LuckyDraws {
    private static final List<String> TABLES = List.of("""
            CREATE TABLE IF NOT EXISTS lucky_pools (
              app_code VARBINARY(32) NOT NULL PRIMARY KEY,
              coins BIGINT NOT NULL,
              CHECK (coins >= 0)
            ) ENGINE = InnoDB
            """, """
            CREATE TABLE IF NOT EXISTS lucky_draws (
              draw_key VARBINARY(200) NOT NULL PRIMARY KEY,
              app_code VARBINARY(32) NOT NULL,
              user_id VARBINARY(64) NOT NULL,
              gift_id VARBINARY(64) NOT NULL,
              pieces BIGINT NOT NULL,
              coins BIGINT NOT NULL,
              reward BIGINT NOT NULL
            ) ENGINE = InnoDB
            """);

    private final Transactions transactions;
    private final LuckyOdds odds;

    /** The draws in a database; makes their tables. */
    LuckyDraws(Transactions transactions, LuckyOdds odds) {
        this.transactions = transactions;
        this.odds = odds;
        transactions.createTables(TABLES);
    }

    /**
     * A draw that was made.
     *
     * @param draw what was asked
     * @param reward what it won, coins; 0 for nothing
     */
    public record Made(Draw draw, long reward) {}

    long draw(Draw draw) {
        ServiceRefusal.requireText("app_code", draw.appCode(), 32);
        ServiceRefusal.requireText("key", draw.key(), 200);
        ServiceRefusal.requireText("user_id", draw.userId(), 64);
        ServiceRefusal.requireText("gift_id", draw.giftId(), 64);
        ServiceRefusal.requirePositive("pieces", draw.pieces());
        ServiceRefusal.requirePositive("coins", draw.coins());
        return transactions.run(connection -> {
            Optional<Made> made = find(connection, draw.key());
            if (made.isEmpty()) {
                return drawNow(connection, draw);
            }
            if (!made.get().draw().equals(draw)) {
                throw ServiceRefusal.conflict(draw.key());
            }
            return made.get().reward();
        });
    }

    private long drawNow(Connection connection, Draw draw) throws SQLException {
        long prize = odds.prize(draw.key(), draw.coins());
        long reward = prize > 0 && take(connection, draw.appCode(), prize) ? prize : 0;
        Row.change(
                connection,
                "INSERT INTO lucky_draws (draw_key, app_code, user_id, gift_id, pieces, coins, reward)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?)",
                draw.key(),
                draw.appCode(),
                draw.userId(),
                draw.giftId(),
                draw.pieces(),
                draw.coins(),
                reward);
        return reward;
    }

    /** Takes a prize out of an app's pool, if it has as much. */
    private boolean take(Connection connection, String appCode, long coins) throws SQLException {
        Row.change(
                connection,
                "INSERT INTO lucky_pools (app_code, coins) VALUES (?, ?) ON DUPLICATE KEY UPDATE coins = coins",
                appCode,
                odds.poolCoins());
        return Row.change(
                        connection,
                        "UPDATE lucky_pools SET coins = coins - ? WHERE app_code = ? AND coins >= ?",
                        coins,
                        appCode,
                        coins)
                == 1;
    }

    /** What an app's pool has left, coins. */
    public long pool(String appCode) {
        return transactions.run(connection -> Row.one(
                        connection,
                        "SELECT coins FROM lucky_pools WHERE app_code = ?",
                        row -> row.getLong("coins"),
                        appCode)
                .orElse(odds.poolCoins()));
    }

    /** The draw of a key, if it was made. */
    public Optional<Made> made(String key) {
        return transactions.run(connection -> find(connection, key));
    }

    private static Optional<Made> find(Connection connection, String key) throws SQLException {
        return Row.one(
                connection,
                "SELECT app_code, user_id, gift_id, pieces, coins, reward FROM lucky_draws WHERE draw_key = ?",
                row -> new Made(
                        new Draw(
                                Row.text(row, "app_code"),
                                key,
                                Row.text(row, "user_id"),
                                Row.text(row, "gift_id"),
                                row.getLong("pieces"),
                                row.getLong("coins")),
                        row.getLong("reward")),
                key);
    }
}
