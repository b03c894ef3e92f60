package dev.roomcell.dev.wallet;

import dev.roomcell.port.LuckyGift.Draw;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The draws that were made, and what is left to win. It moves no money: a pool is a budget. Thread-safe. */
public final class LuckyDraws {
    private final Transactions transactions;
    private final LuckyOdds odds;
    private final GroupCommit<Draw, OpenDraws> group;

    /** The draws in a database; makes their tables. They are made on the executor only. */
    LuckyDraws(Transactions transactions, Executor executor, LuckyOdds odds) {
        this.transactions = transactions;
        this.odds = odds;
        transactions.createTables(DrawTables.TABLES);
        group = new GroupCommit<>(executor, transactions, new DrawTables(odds), GroupCommit.Limits.STANDARD);
    }

    /**
     * A draw that was made.
     *
     * @param draw what was asked
     * @param reward what it won, coins; 0 for nothing
     */
    public record Made(Draw draw, long reward) {}

    Future<Long> draw(Draw draw) {
        ServiceRefusal.requireText("app_code", draw.appCode(), 32);
        ServiceRefusal.requireText("key", draw.key(), 200);
        ServiceRefusal.requireText("user_id", draw.userId(), 64);
        ServiceRefusal.requireText("gift_id", draw.giftId(), 64);
        ServiceRefusal.requirePositive("pieces", draw.pieces());
        ServiceRefusal.requirePositive("coins", draw.coins());
        return group.submit(draw, draws -> draws.draw(draw));
    }

    /** What an app's pool has left, coins. Blocking. */
    public long pool(String appCode) {
        return transactions.run(connection -> Row.one(
                        connection,
                        "SELECT coins FROM lucky_pools WHERE app_code = ?",
                        row -> row.getLong("coins"),
                        appCode)
                .orElse(odds.poolCoins()));
    }

    /** The draw of a key, if it was made. Blocking. */
    public Optional<Made> made(String key) {
        return transactions.run(
                connection -> DrawTables.made(connection, List.of(key)).stream().findFirst());
    }
}
