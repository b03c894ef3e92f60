package dev.roomcell.config;

/**
 * Where messages to the clients of rooms go.
 *
 * @param sinkUrl http://LOOPBACK:PORT/PATH that takes each message as a POST; empty: there is none, and messages are
 *     counted as dropped
 */
public record ImConfig(String sinkUrl) {
    static ImConfig read(ConfigReader reader) {
        return new ImConfig(reader.text("im.sink_url", "", TextRule.LOOPBACK_URL));
    }
}
