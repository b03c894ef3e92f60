package dev.roomcell.domain;

import io.vavr.collection.HashMap;
import io.vavr.collection.Map;
import io.vavr.collection.TreeSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What has been given in a room, and by whom.
 *
 * @param heat coins of all gifts together; stops at {@link Long#MAX_VALUE}
 * @param givers who gave how much, by user id; the {@link #MAX_RANKED} who gave most
 * @param ranking the same, the first rank first
 */
public record GiftBoard(long heat, Map<String, Giver> givers, TreeSet<Giver> ranking) {
    /** So many users are kept in the rank; whoever falls below them begins anew. It bounds the room's memory. */
    public static final int MAX_RANKED = 10_000;

    /** More coins first; of equal ones, who got there first (a version is one giver's). */
    private static final Comparator<Giver> BY_RANK = Comparator.comparingLong(Giver::coins)
            .reversed()
            .thenComparingLong(Giver::sinceVersion)
            .thenComparing(Giver::userId);

    /** Nothing was given yet. */
    public static final GiftBoard EMPTY = new GiftBoard(0, HashMap.empty(), TreeSet.empty(BY_RANK));

    /**
     * A user who gave.
     *
     * @param userId who
     * @param coins of all this user's gifts together; stops at {@link Long#MAX_VALUE}
     * @param sinceVersion the room version that made it so many
     */
    public record Giver(String userId, long coins, long sinceVersion) {}

    /** The board with these givers on it. */
    public static GiftBoard of(long heat, List<Giver> givers) {
        Map<String, Giver> byId = HashMap.empty();
        for (Giver giver : givers) {
            byId = byId.put(giver.userId(), giver);
        }
        return new GiftBoard(heat, byId, TreeSet.ofAll(BY_RANK, givers));
    }

    /** The first {@code most} of the rank, in order. */
    public List<Giver> top(int most) {
        return ranking.take(most).toJavaList();
    }

    GiftBoard given(String userId, long coins, long version) {
        Optional<Giver> before = givers.get(userId).toJavaOptional();
        long sum = plus(before.map(Giver::coins).orElse(0L), coins);
        // Whoever cannot rise any more keeps the place.
        long since = before.filter(giver -> giver.coins() == sum)
                .map(Giver::sinceVersion)
                .orElse(version);
        Giver after = new Giver(userId, sum, since);
        TreeSet<Giver> ranked = before.map(ranking::remove).orElse(ranking).add(after);
        Map<String, Giver> byId = givers.put(userId, after);
        if (ranked.size() > MAX_RANKED) {
            Giver last = ranked.last();
            ranked = ranked.remove(last);
            byId = byId.remove(last.userId());
        }
        return new GiftBoard(plus(heat, coins), byId, ranked);
    }

    /** The sum of two amounts that are not negative; never wraps (B35). */
    static long plus(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
