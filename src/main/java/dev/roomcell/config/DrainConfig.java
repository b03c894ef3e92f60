package dev.roomcell.config;

/**
 * How a node ends that is told to (LEASE-10).
 *
 * @param deadlineMs after which it ends whatever is left; what it still owns then is free when the leases run out,
 *     1,000..600,000
 * @param lingerMs for how long it goes on sending calls to the rooms' new owners when its own rooms are gone, so that load
 *     balancers notice, 0..60,000
 */
public record DrainConfig(long deadlineMs, long lingerMs) {
    static DrainConfig read(ConfigReader reader) {
        return new DrainConfig(
                reader.number("drain.deadline_ms", 30_000, 1000, 600_000),
                reader.number("drain.linger_ms", 1000, 0, 60_000));
    }
}
