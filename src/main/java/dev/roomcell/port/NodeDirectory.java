package dev.roomcell.port;

import io.vertx.core.Future;
import java.util.Optional;

/**
 * Where each live node can be reached (LEASE-3): {@code room:node:{node_id}} holds its advertise address and expires
 * with the node. Fails like {@link LeaseDirectory}.
 */
public interface NodeDirectory {
    /**
     * Says that this node lives, for one time to live from now; to be repeated.
     *
     * @param advertiseAddr where the others reach it, {@code host:port}
     */
    Future<Void> announce(String advertiseAddr);

    /** The advertise address of a node, {@code host:port}; empty when it is not alive. */
    Future<Optional<String>> addressOf(String nodeId);

    /** Takes this node's entry away. */
    Future<Void> withdraw();
}
