package dev.roomcell.sim;

import dev.roomcell.cell.CellPorts;
import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.Wallet;
import dev.roomcell.sim.MemoryTables.Guard;
import java.util.EnumSet;
import java.util.Set;

/** Something wrong that is planted in every node, to see whether a simulation finds it. */
interface Flaw {
    /** The cluster as it is. */
    Flaw NONE = new Flaw() {};

    /** A node's ports with the flaw in them; {@code around} is where the node lives. */
    default CellPorts in(CellPorts ports, Surroundings around) {
        return ports;
    }

    /** A node's way to its timers with the flaw in it. */
    default TimerStore in(TimerStore timers) {
        return timers;
    }

    /** A node's way to the live rooms with the flaw in it. */
    default LiveRoomStore in(LiveRoomStore liveRooms) {
        return liveRooms;
    }

    /** A node's way to the outbox with the flaw in it. */
    default OutboxStore in(OutboxStore outbox) {
        return outbox;
    }

    /** A node's way to what is old with the flaw in it. */
    default PurgeStore in(PurgeStore purge) {
        return purge;
    }

    /** A node's way to the queue with the flaw in it. */
    default FactPublisher in(FactPublisher queue) {
        return queue;
    }

    /** The wallet with the flaw in it. */
    default Wallet in(MemoryWallet wallet) {
        return wallet;
    }

    /** What the database refuses. */
    default Set<Guard> guards() {
        return EnumSet.allOf(Guard.class);
    }
}
