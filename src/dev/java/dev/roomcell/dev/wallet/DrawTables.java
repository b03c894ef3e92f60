package dev.roomcell.dev.wallet;

import dev.roomcell.dev.wallet.LuckyDraws.Made;
import dev.roomcell.port.LuckyGift.Draw;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The draws that were made and the pools. A pool is locked only if one of the draws may win something. */
final class DrawTables implements GroupCommit.Tables<Draw, OpenDraws> {
    static final List<String> TABLES = List.of("""
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

    private final LuckyOdds odds;

    DrawTables(LuckyOdds odds) {
        this.odds = odds;
    }

    @Override
    public OpenDraws load(Connection connection, List<Draw> draws) throws SQLException {
        Set<String> apps = new TreeSet<>();
        Set<String> keys = new LinkedHashSet<>();
        for (Draw draw : draws) {
            keys.add(draw.key());
            if (odds.prize(draw.key(), draw.coins()) > 0) {
                apps.add(draw.appCode());
            }
        }
        return new OpenDraws(odds, lock(connection, apps), made(connection, keys));
    }

    /** Locks the pools, which are made if they are not there; what they have, coins. */
    private Map<String, Long> lock(Connection connection, Set<String> apps) throws SQLException {
        Map<String, Long> pools = new TreeMap<>();
        for (String app : apps) {
            Row.change(
                    connection,
                    "INSERT INTO lucky_pools (app_code, coins) VALUES (?, ?) ON DUPLICATE KEY UPDATE coins = coins",
                    app,
                    odds.poolCoins());
            Row.one(
                            connection,
                            "SELECT coins FROM lucky_pools WHERE app_code = ? FOR UPDATE",
                            row -> row.getLong("coins"),
                            app)
                    .ifPresent(coins -> pools.put(app, coins));
        }
        return pools;
    }

    /** The draws of these keys that were made. */
    static List<Made> made(Connection connection, Collection<String> keys) throws SQLException {
        return Row.all(
                connection,
                "SELECT draw_key, app_code, user_id, gift_id, pieces, coins, reward FROM lucky_draws"
                        + " WHERE draw_key IN (" + Row.repeat("?", keys.size()) + ")",
                row -> new Made(
                        new Draw(
                                Row.text(row, "app_code"),
                                Row.text(row, "draw_key"),
                                Row.text(row, "user_id"),
                                Row.text(row, "gift_id"),
                                row.getLong("pieces"),
                                row.getLong("coins")),
                        row.getLong("reward")),
                keys.toArray());
    }

    @Override
    public void store(Connection connection, OpenDraws draws) throws SQLException {
        List<Made> made = draws.made();
        if (made.isEmpty()) {
            return;
        }
        List<Object> parameters = new ArrayList<>();
        for (Made one : made) {
            Draw draw = one.draw();
            parameters.addAll(List.of(
                    draw.key(),
                    draw.appCode(),
                    draw.userId(),
                    draw.giftId(),
                    draw.pieces(),
                    draw.coins(),
                    one.reward()));
        }
        Row.change(
                connection,
                "INSERT INTO lucky_draws (draw_key, app_code, user_id, gift_id, pieces, coins, reward) VALUES "
                        + Row.repeat("(?, ?, ?, ?, ?, ?, ?)", made.size()),
                parameters.toArray());
        for (Map.Entry<String, Long> pool : draws.pools().entrySet()) {
            Row.change(
                    connection, "UPDATE lucky_pools SET coins = ? WHERE app_code = ?", pool.getValue(), pool.getKey());
        }
    }
}
