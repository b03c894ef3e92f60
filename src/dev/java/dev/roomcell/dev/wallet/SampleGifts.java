package dev.roomcell.dev.wallet;

import java.sql.SQLException;
import java.util.List;

/** Gifts and rockets to try calls with, in the tables that the rooms' migrations have made. */
public final class SampleGifts {
    private static final String OFFER =
            "INSERT INTO gift_catalog (app_code, gift_id, unit_price, lucky, on_sale, fuel_per_piece)"
                    + " VALUES ('%1$s', 'rose', 10, FALSE, TRUE, 1), ('%1$s', 'clover', 10, TRUE, TRUE, 1),"
                    + " ('%1$s', 'castle', 1000000000, FALSE, TRUE, 0)"
                    // What was kept from before there were rockets has none.
                    + " ON DUPLICATE KEY UPDATE fuel_per_piece = VALUES(fuel_per_piece)";
    private static final List<String> ROCKETS = List.of(
            "INSERT IGNORE INTO rocket_config (app_code, reset_at, zone) VALUES ('%1$s', '05:00', 'UTC')",
            "INSERT IGNORE INTO rocket_levels (app_code, level, fuel_capacity, launch_delay_ms)"
                    + " VALUES ('%1$s', 1, 20, 1500), ('%1$s', 2, 100, 3000)");

    private SampleGifts() {}

    /** Gives each app rockets, unless it has some already: two levels, and a day that begins at 05:00 UTC. This blocks. */
    public static void offerRockets(WalletDatabase rooms, List<String> appCodes) {
        run(
                rooms,
                appCodes.stream()
                        .flatMap(app -> ROCKETS.stream().map(statement -> statement.formatted(app)))
                        .toList());
    }

    /** Puts them on sale in each app, unless they are there already; a piece gives what it gives here. This blocks. */
    public static void offer(WalletDatabase rooms, List<String> appCodes) {
        run(rooms, appCodes.stream().map(OFFER::formatted).toList());
    }

    private static void run(WalletDatabase rooms, List<String> statements) {
        try (Transactions transactions = new Transactions(rooms)) {
            transactions.createTables(statements);
        } catch (SQLException e) {
            throw new IllegalStateException("the sample gifts and rockets are not there", e);
        }
    }
}
