package dev.roomcell.it;

import dev.roomcell.RoomNode;
import dev.roomcell.config.NodeConfig;
import dev.roomcell.dev.EmbeddedServers;
import dev.roomcell.dev.FreePorts;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A schema and a Redis key prefix that only one test uses, and nodes on them.
 *
 * @param servers where they are
 * @param schema exists, and is empty at first
 * @param redisPrefix stands before every key
 */
record Backends(EmbeddedServers servers, String schema, String redisPrefix) {
    /** Leases of the nodes here, ms: short, so that a takeover is soon. */
    static final long LEASE_TTL_MS = 2_000;

    /** The most that Redis may take to answer, ms: under a third of the lease. */
    static final long REDIS_CALL_TIMEOUT_MS = 600;

    /** On the servers that all tests share: for tests that leave them alone. */
    static Backends shared() {
        return new Backends(SharedServers.get(), SharedServers.newSchema(), SharedServers.newRedisPrefix());
    }

    /** On servers of the test's own, which it may stop and kill; the first connection creates the schema. */
    static Backends on(EmbeddedServers servers) {
        return new Backends(servers, EmbeddedServers.SCHEMA, "");
    }

    /**
     * The environment of a node: free ports, short leases.
     *
     * @param more variables added, or put in the place of those
     */
    Map<String, String> environment(String nodeId, Map<String, String> more) {
        Map<String, String> variables = new HashMap<>();
        variables.put("ROOM_NODE_ID", nodeId);
        variables.put("ROOM_GRPC_PORT", "0");
        variables.put("ROOM_OPS_PORT", "0");
        variables.put("ROOM_MYSQL_PORT", Integer.toString(servers.mysqlPort()));
        variables.put("ROOM_MYSQL_USER", servers.mysqlUser());
        variables.put("ROOM_MYSQL_PASSWORD", servers.mysqlPassword());
        variables.put("ROOM_MYSQL_SCHEMA", schema);
        variables.put("ROOM_REDIS_PORT", Integer.toString(servers.redisPort()));
        variables.put("ROOM_REDIS_KEY_PREFIX", redisPrefix);
        variables.put("ROOM_LEASE_TTL_MS", Long.toString(LEASE_TTL_MS));
        variables.put("ROOM_REDIS_CALL_TIMEOUT_MS", Long.toString(REDIS_CALL_TIMEOUT_MS));
        // Tests that count commits and keys are told by their rooms alone; who wants facts delivered says so.
        variables.put("ROOM_OUTBOX_WORKERS", "0");
        // No load balancer has to notice anything.
        variables.put("ROOM_DRAIN_LINGER_MS", "0");
        variables.putAll(more);
        return variables;
    }

    /** What the nodes of a cluster add to their environments, one each; they find each other. */
    static List<Map<String, String>> cluster(int nodes) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            ports.add(freePort());
        }
        String members = ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        return ports.stream()
                .map(port -> Map.of("ROOM_CLUSTER_MEMBERS", members, "ROOM_CLUSTER_PORT", Integer.toString(port)))
                .toList();
    }

    static int freePort() {
        try {
            return FreePorts.pick();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A running node in this JVM; whoever asked for it stops it. */
    RoomNode startNode(String nodeId, Map<String, String> more) {
        return Await.result(RoomNode.start(NodeConfig.load(null, environment(nodeId, more))));
    }

    /** The tables, past every node; whoever asked for them closes them. */
    RoomTables tables() {
        return new RoomTables(servers.jdbcUrl(schema), servers.mysqlUser());
    }
}
