package dev.roomcell.contract;

import dev.roomcell.sim.WiredPorts;
import java.util.List;
import java.util.OptionalLong;

/** The Redis of a simulation, at the end of a simulated network. */
final class WiredLeaseBackend implements LeaseBackend {
    private final WiredPorts ports = new WiredPorts();
    private final WiredPorts.Node a = ports.node(NODE_A, TTL_MS);
    private final WiredPorts.Node b = ports.node(NODE_B, TTL_MS);

    @Override
    public Directories nodeA() {
        return new Directories(a.leases(), a.nodes());
    }

    @Override
    public Directories nodeB() {
        return new Directories(b.leases(), b.nodes());
    }

    @Override
    public List<String> keys() {
        return ports.redis().keys();
    }

    @Override
    public OptionalLong remainingMs(String key) {
        return ports.redis().remainingMs(key);
    }

    @Override
    public void letRemain(String key, long ms) {
        ports.advance(ports.redis().remainingMs(key).orElseThrow() - ms);
    }
}
