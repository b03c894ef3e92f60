package dev.roomcell.dev.wallet;

import java.sql.SQLException;
import java.util.List;

/** Gifts to try calls with, in the table that the rooms' migrations have made. */
public final class SampleGifts {
    private static final String OFFER =
            "INSERT IGNORE INTO gift_catalog (app_code, gift_id, unit_price, lucky, on_sale)"
                    + " VALUES ('%1$s', 'rose', 10, FALSE, TRUE), ('%1$s', 'clover', 10, TRUE, TRUE),"
                    + " ('%1$s', 'castle', 1000000000, FALSE, TRUE)";

    private SampleGifts() {}

    /** Puts them on sale in each app, unless they are there already. This blocks. */
    public static void offer(WalletDatabase rooms, List<String> appCodes) {
        try (Transactions transactions = new Transactions(rooms)) {
            transactions.createTables(appCodes.stream().map(OFFER::formatted).toList());
        } catch (SQLException e) {
            throw new IllegalStateException("the sample gifts are not on sale", e);
        }
    }
}
