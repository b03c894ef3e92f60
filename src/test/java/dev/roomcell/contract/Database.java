package dev.roomcell.contract;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import dev.roomcell.sim.MemoryOutbox.DeliveryFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A database that is empty before each test: the ports of two nodes to it, and a look behind them. */
interface Database {
    Stores node();

    /** A second node. */
    Stores otherNode();

    /** A node's way to the database. */
    record Stores(
            CommandStore commands,
            SnapshotStore snapshots,
            RoomListStore roomList,
            TimerStore timers,
            LiveRoomStore liveRooms,
            OutboxStore outbox,
            GiftStore gifts,
            PurgeStore purge) {}

    Optional<RoomFields> room(RoomKey key);

    /** By version. */
    List<LogFields> log(RoomKey key);

    /** By version and index. */
    List<OutboxFields> outbox(RoomKey key);

    /** How far the room's facts are. */
    Map<FactId, DeliveryFields> deliveries(RoomKey key);

    /** Everything that the outbox holds is older by so many ms from now on. */
    void letOutboxTimePass(long ms);

    /** The database's clock, epoch ms. */
    long nowMs();

    /** Every intent was begun so many ms earlier. */
    void letGiftsAge(long ms);

    /** A gift that is parked is seen to again, as an operator may say. */
    void putParkedGiftBack(GiftKey key);

    /** By version. */
    List<Snapshot> snapshots(RoomKey key);

    Optional<ListEntry> listEntry(RoomKey key);

    Map<TimerStore.Kind, Long> timers(RoomKey key);

    /** Flips a bit of the state. */
    void damageSnapshot(RoomKey key, long version);

    /** Opens a transaction that has the room's row locked. */
    HeldRow holdRow(RoomKey key);
}
