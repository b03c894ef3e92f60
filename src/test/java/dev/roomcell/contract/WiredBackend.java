package dev.roomcell.contract;

import dev.roomcell.sim.WiredPorts;

/** The database of a simulation, at the end of a simulated network. */
final class WiredBackend extends MemoryBackend {
    private final WiredPorts ports;

    WiredBackend() {
        this(new WiredPorts());
    }

    private WiredBackend(WiredPorts ports) {
        super(ports.database(), ports::advance, ports::nowMs);
        this.ports = ports;
    }

    @Override
    public Stores node() {
        return stores("node-a");
    }

    @Override
    public Stores otherNode() {
        return stores("node-b");
    }

    private Stores stores(String nodeId) {
        WiredPorts.Node node = ports.node(nodeId, 1);
        return new Stores(
                node.commands(),
                node.snapshots(),
                node.roomList(),
                node.timers(),
                node.liveRooms(),
                node.outbox(),
                node.gifts(),
                node.purge());
    }
}
