package dev.roomcell.config;

/**
 * Signs of life of users (PRES-6, PRES-7).
 *
 * @param heartbeatEveryMs how often clients are told to send one, 100..600,000 and at most half of staleAfterMs
 * @param staleAfterMs who gave none for so long is gone, 1,000..3,600,000
 */
public record PresenceConfig(long heartbeatEveryMs, long staleAfterMs) {
    static PresenceConfig read(ConfigReader reader) {
        return new PresenceConfig(
                reader.number("presence.heartbeat_every_ms", 15_000, 100, 600_000),
                reader.number("presence.stale_after_ms", 60_000, 1000, 3_600_000));
    }
}
