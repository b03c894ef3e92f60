package dev.roomcell.contract;

import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.NodeDirectory;
import java.util.List;
import java.util.OptionalLong;

/** A Redis that is empty before each test: the ports of two nodes to it, and a look at its keys. */
interface LeaseBackend {
    /** How long an entry of these nodes lives, ms: longer than any test takes. */
    long TTL_MS = 600_000;

    String NODE_A = "node-a~1f";
    String NODE_B = "node-b~2e";

    /** The node {@link #NODE_A}. */
    Directories nodeA();

    /** The node {@link #NODE_B}. */
    Directories nodeB();

    /** A node's way to Redis. */
    record Directories(LeaseDirectory leases, NodeDirectory nodes) {}

    /** All keys, in order, without the configured prefix. */
    List<String> keys();

    /** How long a key has to live, ms; empty if it is not there. */
    OptionalLong remainingMs(String key);

    /** Lets so much of a key's time to live go by that {@code ms} are left; at 0 it is gone. */
    void letRemain(String key, long ms);
}
