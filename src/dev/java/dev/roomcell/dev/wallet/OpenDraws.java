package dev.roomcell.dev.wallet;

import dev.roomcell.dev.wallet.LuckyDraws.Made;
import dev.roomcell.port.LuckyGift.Draw;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What some draws concern, in memory: makes the draws one after the other, each out of what those before it have left in
 * the pool. Belongs to one thread.
 */
final class OpenDraws {
    private final LuckyOdds odds;
    private final Map<String, Long> pools;
    private final Map<String, Made> byKey = new HashMap<>();
    private final List<Made> made = new ArrayList<>();

    /**
     * Nothing is drawn yet.
     *
     * @param pools what the app's pool has, coins, of every app of which a draw may win
     * @param known every draw that was made of a key that is to be drawn
     */
    OpenDraws(LuckyOdds odds, Map<String, Long> pools, Collection<Made> known) {
        this.odds = odds;
        this.pools = new TreeMap<>(pools);
        known.forEach(earlier -> byKey.put(earlier.draw().key(), earlier));
    }

    /** What the draw wins, coins, or what it won when it was first made; another draw of its key is refused. */
    long draw(Draw draw) {
        Made earlier = byKey.get(draw.key());
        if (earlier == null) {
            return drawNow(draw);
        }
        if (!earlier.draw().equals(draw)) {
            throw ServiceRefusal.conflict(draw.key());
        }
        return earlier.reward();
    }

    private long drawNow(Draw draw) {
        long prize = odds.prize(draw.key(), draw.coins());
        long pool = pools.getOrDefault(draw.appCode(), 0L);
        long reward = prize <= pool ? prize : 0;
        if (reward > 0) {
            pools.put(draw.appCode(), pool - reward);
        }
        Made drawn = new Made(draw, reward);
        byKey.put(draw.key(), drawn);
        made.add(drawn);
        return reward;
    }

    /** Every draw that was made here, in that order. */
    List<Made> made() {
        return List.copyOf(made);
    }

    /** What the pools have now, coins. */
    Map<String, Long> pools() {
        return pools;
    }
}
