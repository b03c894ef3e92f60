package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.NodeDirectory;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that the node lives, three times in a node entry's time to live, until it is told to stop (LEASE-3), and looks
 * each time where the others are.
 */
public final class NodeAnnouncer {
    private static final Logger log = LoggerFactory.getLogger(NodeAnnouncer.class);
    private static final int ANNOUNCEMENTS_PER_TTL = 3;

    private final CellLoop loop;
    private final NodeDirectory nodes;
    private final ClusterView cluster;
    private final String advertiseAddr;
    private final long pauseMs;
    private boolean draining;
    private CellLoop.Cancellable next;

    /**
     * An announcer that has said nothing yet.
     *
     * @param loop the calling thread's
     * @param cluster is told of the others
     * @param advertiseAddr where the others reach the node, {@code host:port}
     * @param ttlMs how long an announcement lives, ms
     */
    public NodeAnnouncer(CellLoop loop, NodeDirectory nodes, ClusterView cluster, String advertiseAddr, long ttlMs) {
        this.loop = loop;
        this.nodes = nodes;
        this.cluster = cluster;
        this.advertiseAddr = advertiseAddr;
        this.pauseMs = Math.max(1, ttlMs / ANNOUNCEMENTS_PER_TTL);
        this.next = loop.schedule(pauseMs, this::announceAgain);
    }

    /** Says it for the first time; fails if that can't be said. It will be said again all the same. */
    public Future<Void> announce() {
        return loop.reenter(nodes.announce(advertiseAddr, draining))
                .compose(announced -> loop.reenter(nodes.find(cluster.members())))
                .onSuccess(cluster::learn)
                .mapEmpty();
    }

    /** From now on it says whether the node takes no room any more, for the first time at once (LEASE-10). */
    public Future<Void> announceDraining(boolean isDraining) {
        draining = isDraining;
        return announce();
    }

    private void announceAgain() {
        next = loop.schedule(pauseMs, this::announceAgain);
        announce().onFailure(failure -> log.warn("node not announced: {}", failure.toString()));
    }

    /** Says it no more, and takes back what was said. Safe to call again. */
    public Future<Void> withdraw() {
        next.cancel();
        return loop.reenter(nodes.withdraw());
    }
}
