package dev.roomcell.port;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;

/**
 * Where each live node can be reached (LEASE-3): {@code room:node:{node_id}} holds its advertise address and expires
 * with the node. Fails like {@link LeaseDirectory}.
 */
public interface NodeDirectory {
    /**
     * Says that this node lives, for one time to live from now; to be repeated.
     *
     * @param advertiseAddr where the others reach it, {@code host:port}
     * @param draining whether it takes no room any more (LEASE-10)
     */
    Future<Void> announce(String advertiseAddr, boolean draining);

    /** Those of the nodes that are alive, in the order of the question. */
    Future<List<Announced>> find(Collection<String> nodeIds);

    /** Takes this node's entry away. */
    Future<Void> withdraw();

    /**
     * What a node has said of itself.
     *
     * @param peer who, and where
     * @param draining whether it takes no room any more
     */
    record Announced(Peer peer, boolean draining) {}
}
