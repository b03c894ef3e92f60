package dev.roomcell.config;

/**
 * The creation of rooms.
 *
 * @param limitMs age at which a room still in {@code creating} is closed (ROOM-5), 1,000..3,600,000
 */
public record CreateConfig(long limitMs) {
    static CreateConfig read(ConfigReader reader) {
        return new CreateConfig(reader.number("create.limit_ms", 60_000, 1000, 3_600_000));
    }
}
