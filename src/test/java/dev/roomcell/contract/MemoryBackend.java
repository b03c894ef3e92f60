package dev.roomcell.contract;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.MemoryDatabase;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import dev.roomcell.sim.MemoryOutbox.DeliveryFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** The database in memory. */
class MemoryBackend implements Database {
    private final MemoryDatabase database;
    private final LongConsumer advance;
    private final LongSupplier nowMs;

    MemoryBackend() {
        this(new AtomicLong());
    }

    private MemoryBackend(AtomicLong nowMs) {
        this(new MemoryDatabase(nowMs::get), nowMs::addAndGet, nowMs::get);
    }

    MemoryBackend(MemoryDatabase database, LongConsumer advance, LongSupplier nowMs) {
        this.nowMs = nowMs;
        this.database = database;
        this.advance = advance;
    }

    MemoryDatabase memory() {
        return database;
    }

    @Override
    public Stores node() {
        return new Stores(
                database,
                database,
                database,
                database.timers(),
                database,
                database.delivery(),
                database.gifts(),
                database.purge());
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
    public Map<FactId, DeliveryFields> deliveries(RoomKey key) {
        return database.delivery().rows(key);
    }

    @Override
    public void letOutboxTimePass(long ms) {
        advance.accept(ms);
    }

    @Override
    public long nowMs() {
        return nowMs.getAsLong();
    }

    @Override
    public void letGiftsAge(long ms) {
        advance.accept(ms);
    }

    @Override
    public void putParkedGiftBack(GiftKey key) {
        database.gifts().putBack(key);
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
