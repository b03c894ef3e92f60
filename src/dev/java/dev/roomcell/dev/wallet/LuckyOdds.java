package dev.roomcell.dev.wallet;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * What a lucky gift wins, and how often. The key alone decides, so that the same draw always comes to the same.
 *
 * @param prizes the first has the first chance; their chances add up to at most {@link #ALL}
 * @param poolCoins what an app's pool holds at first, coins; a prize that it has not is not won
 */
public record LuckyOdds(List<Prize> prizes, long poolCoins) {
    /** A chance that never fails. */
    public static final int ALL = 10_000;

    /** One in five wins half of what it cost, one in fifty five times as much, one in a thousand a hundred times. */
    public static final LuckyOdds STANDARD =
            new LuckyOdds(List.of(new Prize(10, 10_000), new Prize(200, 500), new Prize(2_000, 50)), 10_000_000_000L);

    /**
     * A prize.
     *
     * @param chance of {@link #ALL}
     * @param percent of what the gift cost, at least 1
     */
    public record Prize(int chance, int percent) {}

    /** What a gift would win, coins, if the pool has it; 0 for nothing. */
    long prize(String key, long coins) {
        long lot = lot(key);
        for (Prize prize : prizes) {
            if (lot < prize.chance) {
                BigInteger won = BigInteger.valueOf(coins)
                        .multiply(BigInteger.valueOf(prize.percent))
                        .divide(BigInteger.valueOf(100));
                return won.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
            }
            lot -= prize.chance;
        }
        return 0;
    }

    private static long lot(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return new BigInteger(1, digest).mod(BigInteger.valueOf(ALL)).longValue();
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("every Java has SHA-256", e);
        }
    }
}
