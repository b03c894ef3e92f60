package dev.roomcell.config;

/**
 * How facts leave the house.
 *
 * @param workers on this node, 0..16; 0 leaves it to other nodes
 * @param batch facts delivered at once, 1..256
 * @param claimMs after which a fact that was claimed is free for others (OUT-2), 1,000..600,000
 * @param leaseMs after which the partitions of a silent worker are free for others, 1,000..60,000
 * @param maxTries refusals after which a fact is parked, 1..1,000
 * @param retryFirstMs pause after the first refusal; it doubles with each, 1..60,000
 * @param retryMaxMs the longest such pause, 1..3,600,000
 * @param pollMs pause when nothing is due, 10..60,000
 * @param keepDeliveredMs after which a delivered row is deleted (OUT-7), 0..604,800,000
 * @param streamMaxLength entries of one app's stream that are kept, about, 1,000..1,000,000,000
 * @param redisHost where the streams are; empty: where the lease directory is, and redisPort does not matter
 * @param redisPort 1..65,535; password and database are the lease directory's
 * @param publishTimeoutMs after which Redis counts as silent, 100..30,000 and at most leaseMs
 */
public record OutboxConfig(
        int workers,
        int batch,
        long claimMs,
        long leaseMs,
        int maxTries,
        long retryFirstMs,
        long retryMaxMs,
        long pollMs,
        long keepDeliveredMs,
        long streamMaxLength,
        String redisHost,
        int redisPort,
        long publishTimeoutMs) {
    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 60 * MINUTE_MS;

    static OutboxConfig read(ConfigReader reader) {
        return new OutboxConfig(
                reader.count("outbox.workers", 2, 0, 16),
                reader.count("outbox.batch", 128, 1, 256),
                reader.number("outbox.claim_ms", 30_000, 1000, 10 * MINUTE_MS),
                reader.number("outbox.lease_ms", 10_000, 1000, MINUTE_MS),
                reader.count("outbox.max_tries", 20, 1, 1000),
                reader.number("outbox.retry_first_ms", 1000, 1, MINUTE_MS),
                reader.number("outbox.retry_max_ms", MINUTE_MS, 1, HOUR_MS),
                reader.number("outbox.poll_ms", 250, 10, MINUTE_MS),
                reader.number("outbox.keep_delivered_ms", 24 * HOUR_MS, 0, 7 * 24 * HOUR_MS),
                reader.number("outbox.stream_max_length", 1_000_000, 1000, 1_000_000_000),
                reader.text("outbox.redis_host", "", TextRule.HOST_OR_EMPTY),
                reader.count("outbox.redis_port", 6379, 1, 65_535),
                reader.number("outbox.publish_timeout_ms", 5000, 100, 30_000));
    }
}
