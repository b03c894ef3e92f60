package dev.roomcell.config;

/**
 * The command logs of the rooms.
 *
 * @param keepDays for how many days a log row is kept; after that it is deleted once two snapshots cover it (LOG-1), 1..3,650
 */
public record LogConfig(int keepDays) {
    static LogConfig read(ConfigReader reader) {
        return new LogConfig(reader.count("log.keep_days", 7, 1, 3650));
    }
}
