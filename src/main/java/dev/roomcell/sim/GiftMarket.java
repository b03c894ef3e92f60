package dev.roomcell.sim;

import dev.roomcell.domain.RocketPlan;
import dev.roomcell.port.GiftCatalog.Gift;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * What users can give, what they have to give it with, and which rockets it fuels. Prices change, and not everything is
 * always on sale.
 */
final class GiftMarket {
    private static final String ROSE = "rose";
    private static final String CASTLE = "castle";
    private static final String BOX = "lucky-box";
    /** What wishes are made of; the last was never on sale. */
    static final List<String> GIFTS = List.of(ROSE, ROSE, CASTLE, BOX, BOX, BOX, "unicorn");

    private static final List<Long> ROSE_COINS = List.of(10L, 12L);
    private static final int OFF_SALE_PERCENT = 25;
    private static final List<Long> BOX_FUEL = List.of(0L, 2L, 5L);

    private static final int NO_ROCKETS_PERCENT = 15;
    private static final int SAME_ROCKETS_PERCENT = 40;
    /** What a gift fills several times, and what takes many of them. */
    private static final List<Long> CAPACITIES = List.of(20L, 100L, 400L, 1_500L);
    /** From at once to long enough for an owner to die, and the next one too. */
    private static final List<Long> LAUNCH_DELAYS_MS = List.of(0L, 1_000L, 10_000L, 30_000L, 60_000L);

    private static final int MOST_LEVELS = 3;
    /** In about the time in which a rocket of such a plan gets its fuel, and launches. */
    private static final int DAY_ENDS_WITHIN_MS = 180_000;

    private static final List<ZoneId> ZONES = List.of(ZoneId.of("UTC"), ZoneId.of("Asia/Kolkata"));
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
        around.catalog.offer(new Gift(BOX, 30, true, around.dice.any(BOX_FUEL)));
    }

    /** Prices, offers and rockets may be others from now on. */
    void turn() {
        around.catalog.offer(new Gift(ROSE, around.dice.any(ROSE_COINS), false, 1));
        if (around.dice.percent(OFF_SALE_PERCENT)) {
            around.catalog.takeOff(CASTLE);
        } else {
            around.catalog.offer(new Gift(CASTLE, 300, false, 40));
        }
        if (!around.dice.percent(SAME_ROCKETS_PERCENT)) {
            around.rockets.offer(around.dice.percent(NO_ROCKETS_PERCENT) ? RocketPlan.NONE : plan());
        }
    }

    /** In every other plan a day ends soon, and in the rest none does while the simulation lasts. */
    private RocketPlan plan() {
        Dice dice = around.dice;
        List<RocketPlan.Level> levels = new ArrayList<>();
        for (int left = 1 + dice.below(MOST_LEVELS); left > 0; left--) {
            levels.add(new RocketPlan.Level(dice.any(CAPACITIES), dice.any(LAUNCH_DELAYS_MS)));
        }
        ZoneId zone = dice.any(ZONES);
        LocalTime dayEnds = dice.coin()
                ? LocalTime.NOON
                : Instant.ofEpochMilli(around.databaseNowMs() + dice.below(DAY_ENDS_WITHIN_MS))
                        .atZone(zone)
                        .toLocalTime();
        return new RocketPlan(levels, dayEnds, zone);
    }
}
