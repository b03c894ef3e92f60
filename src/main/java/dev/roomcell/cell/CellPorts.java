package dev.roomcell.cell;

import dev.roomcell.port.CellMeter;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.NodeDirectory;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.RoomExternals;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.port.TokenSource;

/**
 * Everything the core talks to.
 *
 * @param nodeId this node's id, with its boot nonce (LEASE-16)
 * @param cluster the other nodes
 */
public record CellPorts(
        String nodeId,
        ClusterView cluster,
        LeaseDirectory leases,
        NodeDirectory nodes,
        CommandStore commands,
        GiftPorts gifts,
        DisplayPorts displays,
        SideTaskPorts sideTasks,
        SnapshotStore snapshots,
        RoomListStore roomList,
        RoomExternals externals,
        RoomMessenger messenger,
        LaneMeter laneMeter,
        CellMeter cellMeter,
        RoomCodec codec,
        RoomClock clock,
        TokenSource tokens) {}
