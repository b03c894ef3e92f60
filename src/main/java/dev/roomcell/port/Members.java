package dev.roomcell.port;

import java.util.Set;

/**
 * Which nodes the cluster believes to be alive. It may be wrong for seconds, both ways, and two nodes may believe
 * different things: a hint when to try something, and never a proof of who owns a room (LEASE-14).
 */
@FunctionalInterface
public interface Members {
    /** The ids of the nodes that are members now; callable from any thread, and never waits. */
    Set<String> now();
}
