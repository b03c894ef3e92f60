package dev.roomcell.config;

/**
 * When a snapshot is taken (LOG-4): the log since the last one is long and old enough, or has too many rows.
 *
 * @param minLogBytes 1 KiB..256 MiB
 * @param minAgeMs 0..3,600,000
 * @param maxLogRows 1..1,000,000
 */
public record SnapshotConfig(int minLogBytes, long minAgeMs, int maxLogRows) {
    static SnapshotConfig read(ConfigReader reader) {
        return new SnapshotConfig(
                reader.count("snapshot.min_log_bytes", 262_144, 1024, 268_435_456),
                reader.number("snapshot.min_age_ms", 5000, 0, 3_600_000),
                reader.count("snapshot.max_log_rows", 20_000, 1, 1_000_000));
    }
}
