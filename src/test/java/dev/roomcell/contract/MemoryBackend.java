package dev.roomcell.contract;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.MemoryDatabase;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The database in memory. */
class MemoryBackend implements Database {
    private final MemoryDatabase database;

    MemoryBackend() {
        this(new MemoryDatabase());
    }

    MemoryBackend(MemoryDatabase database) {
        this.database = database;
    }

    @Override
    public Stores node() {
        return new Stores(database, database, database, database);
    }

    @Override
    public Stores otherNode() {
        return node();
    }

    @Override
    public Optional<RoomFields> room(RoomKey key) {
        return database.room(key);
    }

    @Override
    public List<LogFields> log(RoomKey key) {
        return database.log(key);
    }

    @Override
    public List<OutboxFields> outbox(RoomKey key) {
        return database.outbox(key);
    }

    @Override
    public List<Snapshot> snapshots(RoomKey key) {
        return database.snapshots(key);
    }

    @Override
    public Optional<ListEntry> listEntry(RoomKey key) {
        return database.listEntry(key);
    }

    @Override
    public Map<TimerStore.Kind, Long> timers(RoomKey key) {
        return database.timers(key);
    }

    @Override
    public void damageSnapshot(RoomKey key, long version) {
        database.damageSnapshot(key, version);
    }

    @Override
    public HeldRow holdRow(RoomKey key) {
        return database.holdRow(key);
    }
}
