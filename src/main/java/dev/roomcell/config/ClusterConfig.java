package dev.roomcell.config;

/**
 * How the nodes find each other, to send calls to the owner of a room (LEASE-4).
 *
 * @param members HOST:PORT of the cluster ports of nodes to join, separated by commas; empty: this node knows no others,
 *     and tells callers where a room is
 * @param host this node's own address among the nodes; a loopback address (SEC-1)
 * @param port this node's own cluster port, 1..65,535
 * @param busPort where the event bus listens, 0..65,535; 0 takes a free one
 * @param name only nodes of the same name join, {@code [a-z0-9.-]{1,40}}
 * @param file Hazelcast's XML configuration; empty: the {@code cluster.xml} that comes with the service
 */
public record ClusterConfig(String members, String host, int port, int busPort, String name, String file) {
    static ClusterConfig read(ConfigReader reader) {
        return new ClusterConfig(
                reader.text("cluster.members", "", TextRule.MEMBERS),
                reader.text("cluster.host", "127.0.0.1", TextRule.LOOPBACK_HOST),
                reader.count("cluster.port", 7450, 1, 65_535),
                reader.count("cluster.bus_port", 0, 0, 65_535),
                reader.text("cluster.name", "room-service", TextRule.NODE_ID),
                reader.text("cluster.file", "", TextRule.FILE_OR_EMPTY));
    }

    /** Whether this node has others. */
    public boolean isOn() {
        return !members.isEmpty();
    }
}
