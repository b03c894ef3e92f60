package dev.roomcell.config;

/**
 * How a node ends that is told to (LEASE-10).
 *
 * @param deadlineMs after which it ends whatever is left; what it still owns then is free when the leases run out,
 *     1,000..600,000
 * @param lingerMs for how long it goes on sending calls to the rooms' new owners when its own rooms are gone, so that load
 *     balancers notice, 0..60,000 and at most the deadline, which this is part of
 */
public record DrainConfig(long deadlineMs, long lingerMs) {
    static DrainConfig read(ConfigReader reader) {
        long deadlineMs = reader.number("drain.deadline_ms", 30_000, 1000, 600_000);
        long lingerMs = reader.number("drain.linger_ms", 1000, 0, 60_000);
        // Or every drain would end by the deadline, however soon its rooms were gone.
        reader.requireAtMost("drain.linger_ms", lingerMs, "drain.deadline_ms", deadlineMs, "drain.deadline_ms");
        return new DrainConfig(deadlineMs, lingerMs);
    }
}
