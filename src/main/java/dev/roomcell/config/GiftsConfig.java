package dev.roomcell.config;

/**
 * What becomes of gifts that nobody brings to an end.
 *
 * @param voidAfterMs after which a gift that was begun and not given is given up, and what was charged paid back,
 *     1,000..3,600,000; more than twice {@code request.max_deadline_ms}, or gifts end while their callers still wait
 * @param reconcileEveryMs how often such gifts are looked for, 50..60,000
 * @param maxRefusals refusals of the wallet after which such a gift is parked, 1..1,000
 * @param newsEveryMs how often a room's clients are told of heat, rank and fuel at most, 100..60,000
 * @param catalogCacheMs for how long prices are remembered, 0..3,600,000
 * @param keepDays after how many days the intent of a gift that is over is deleted (LOG-3), 2..3,650
 */
public record GiftsConfig(
        long voidAfterMs, long reconcileEveryMs, int maxRefusals, long newsEveryMs, long catalogCacheMs, int keepDays) {
    static GiftsConfig read(ConfigReader reader) {
        return new GiftsConfig(
                reader.number("gifts.void_after_ms", 60_000, 1000, 3_600_000),
                reader.number("gifts.reconcile_every_ms", 1000, 50, 60_000),
                reader.count("gifts.max_refusals", 8, 1, 1000),
                reader.number("gifts.news_every_ms", 1000, 100, 60_000),
                reader.number("gifts.catalog_cache_ms", 10_000, 0, 3_600_000),
                reader.count("gifts.keep_days", 400, 2, 3650));
    }
}
