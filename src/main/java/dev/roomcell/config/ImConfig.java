package dev.roomcell.config;

/**
 * Where messages to the clients of rooms go, and what robots show.
 *
 * @param sinkUrl http://LOOPBACK:PORT/PATH that takes each message as a POST; empty: there is none, and messages are
 *     counted as dropped
 * @param displaysPerSecond what the robots of one room may show in a second, 1..100; beyond it OVERLOADED
 */
public record ImConfig(String sinkUrl, int displaysPerSecond) {
    static ImConfig read(ConfigReader reader) {
        return new ImConfig(
                reader.text("im.sink_url", "", TextRule.LOOPBACK_URL),
                reader.count("im.displays_per_second", 5, 1, 100));
    }
}
