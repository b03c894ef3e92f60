package dev.roomcell.sim;

import dev.roomcell.port.GiftCatalog.Gift;
import java.util.List;

/** What users can give, and what they have to give it with. Prices change, and not everything is always on sale. */
final class GiftMarket {
    private static final String ROSE = "rose";
    private static final String CASTLE = "castle";
    private static final String BOX = "lucky-box";
    /** What wishes are made of; the last was never on sale. */
    static final List<String> GIFTS = List.of(ROSE, ROSE, CASTLE, BOX, BOX, BOX, "unicorn");

    private static final List<Long> ROSE_COINS = List.of(10L, 12L);
    private static final int OFF_SALE_PERCENT = 25;
    /** Nothing, not enough for much, and enough for all that there is time for. */
    private static final List<Long> BALANCES = List.of(0L, 900L, 3_000L, 1_000_000L, 1_000_000L);

    private final Surroundings around;

    GiftMarket(Surroundings around) {
        this.around = around;
    }

    /** Opens the users' accounts; the first of them can always pay. */
    void open(String appCode, List<String> users) {
        for (String user : users) {
            long coins = user.equals(users.get(0)) ? 1_000_000L : around.dice.any(BALANCES);
            if (coins > 0) {
                around.wallet.open(appCode, user, coins);
            }
        }
        around.catalog.offer(new Gift(BOX, 30, true, 0));
    }

    /** Prices and offers may be others from now on. */
    void turn() {
        around.catalog.offer(new Gift(ROSE, around.dice.any(ROSE_COINS), false, 1));
        if (around.dice.percent(OFF_SALE_PERCENT)) {
            around.catalog.takeOff(CASTLE);
        } else {
            around.catalog.offer(new Gift(CASTLE, 300, false, 40));
        }
    }
}
