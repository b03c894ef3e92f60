package dev.roomcell.config;

/**
 * A service of others that gifts need.
 *
 * @param host name or address; empty: there is none
 * @param port 1..65,535
 * @param callTimeoutMs after which the outcome of a call counts as unknown, 100..30,000
 * @param maxInFlight calls at once of each event loop, 1..10,000; what goes beyond is not made
 */
public record CalledServiceConfig(String host, int port, long callTimeoutMs, int maxInFlight) {
    static CalledServiceConfig read(ConfigReader reader, String section, int defaultPort) {
        return new CalledServiceConfig(
                reader.text(section + ".host", "", TextRule.HOST_OR_EMPTY),
                reader.count(section + ".port", defaultPort, 1, 65_535),
                reader.number(section + ".call_timeout_ms", 2000, 100, 30_000),
                reader.count(section + ".max_in_flight", 256, 1, 10_000));
    }
}
