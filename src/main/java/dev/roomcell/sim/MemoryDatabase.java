package dev.roomcell.sim;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.port.StoreException;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One database in memory, shared by the nodes that are given it. Every call takes effect at once, but for those that
 * have to wait for a row's lock; what takes time or fails on the way is for whoever stands between. Not thread-safe.
 */
public final class MemoryDatabase implements CommandStore, SnapshotStore, RoomListStore, LiveRoomStore {
    private final MemoryTables tables;
    private final MemoryPurge purge;
    private final MemoryTimers timers;
    private final RowLocks locks;

    /** A database whose every call takes effect at once: nobody waits for a lock. Its clock stands still. */
    public MemoryDatabase() {
        this(() -> 0);
    }

    /** The same, with a clock, epoch ms. */
    public MemoryDatabase(LongSupplier nowMs) {
        this(RowLocks.LockWait.NONE, EnumSet.allOf(MemoryTables.Guard.class), nowMs);
    }

    /** A database whose statements wait for locks, and which refuses these things. */
    MemoryDatabase(RowLocks.LockWait lockWait, Set<MemoryTables.Guard> guards, LongSupplier nowMs) {
        this.tables = new MemoryTables(guards, nowMs);
        this.purge = new MemoryPurge(tables, nowMs);
        this.timers = new MemoryTimers(tables);
        this.locks = new RowLocks(lockWait);
    }

    /**
     * A room's row.
     *
     * @param status where the room is in its life
     * @param version its committed version
     * @param epoch its lease epoch
     * @param ownerNodeId who minted or committed last; empty before the first mint
     * @param leaseToken under which token; empty before the first mint
     * @param live whether the room must have an owner (LEASE-14)
     */
    public record RoomFields(
            Lifecycle.Status status, long version, long epoch, String ownerNodeId, String leaseToken, boolean live) {}

    /**
     * A row of the command log.
     *
     * @param row what the room wrote
     * @param nodeId who committed it
     * @param leaseToken under which token
     * @param epoch under which epoch
     */
    public record LogFields(LogRow row, String nodeId, String leaseToken, long epoch) {}

    /**
     * A row of the outbox.
     *
     * @param version the room version that made the fact
     * @param fact the fact
     */
    public record OutboxFields(long version, Fact fact) {}

    @Override
    public Future<Optional<RoomRow>> find(RoomKey key) {
        return Future.succeededFuture(room(key).map(MemoryDatabase::row));
    }

    private static RoomRow row(RoomFields room) {
        return new RoomRow(room.status(), room.version(), room.epoch(), room.ownerNodeId());
    }

    @Override
    public Future<Boolean> insertCreating(RoomKey key, long timerDueMs) {
        return underLock(MemoryColumns.refusal(key), key, () -> {
            RoomFields creating = new RoomFields(Lifecycle.Status.CREATING, 0, 1, "", "", true);
            boolean inserted = tables.rooms.putIfAbsent(key, creating) == null;
            if (inserted) {
                tables.timers.put(new TimerStore.RoomTimer(key, TimerStore.Kind.CREATE_LIMIT), timerDueMs);
            }
            return inserted;
        });
    }

    @Override
    public Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom) {
        return underLock(MemoryColumns.refusal(nodeId, leaseToken), key, () -> {
            RoomFields room = tables.rooms.get(key);
            if (room == null || onlyFrom.orElse(room.epoch()) != room.epoch()) {
                return OptionalLong.empty();
            }
            long epoch = room.epoch() + 1;
            tables.chronicle.minted(key, new Chronicle.Mint(epoch, nodeId, room.version()));
            tables.rooms.put(
                    key, new RoomFields(room.status(), room.version(), epoch, nodeId, leaseToken, room.live()));
            return OptionalLong.of(epoch);
        });
    }

    /** A statement that commits by itself, once it has the row's lock. */
    private <T> Future<T> underLock(Optional<String> refusal, RoomKey key, Supplier<T> write) {
        if (refusal.isPresent()) {
            return failed(refusal.get());
        }
        Object statement = new Object();
        return locks.take(key, statement).map(locked -> {
            T written = write.get();
            locks.release(statement);
            return written;
        });
    }

    private static <T> Future<T> written(Optional<String> refusal, Supplier<T> write) {
        return refusal.<Future<T>>map(MemoryDatabase::failed).orElseGet(() -> Future.succeededFuture(write.get()));
    }

    private static <T> Future<T> failed(String detail) {
        return Future.failedFuture(new StoreException(detail, new IllegalStateException(detail)));
    }

    @Override
    public Future<StoredRoom> load(RoomKey key, long idsSinceMs, int maxIds) {
        Optional<Snapshot> snapshot = newestIntact(key);
        List<StoredEvents> tail = tail(key, snapshot);
        return Future.<Void>succeededFuture()
                .map(now -> stored(key, snapshot, tail, recentIds(key, idsSinceMs, maxIds)));
    }

    /** The newest snapshot whose checksum holds: what a load reads first. */
    Optional<Snapshot> newestIntact(RoomKey key) {
        return tables.snapshots(key).descendingMap().values().stream()
                .filter(Snapshot::intact)
                .findFirst()
                .map(MemoryTables::copy);
    }

    /** The log after a snapshot: what a load reads next. */
    List<StoredEvents> tail(RoomKey key, Optional<Snapshot> snapshot) {
        return logAfter(key, snapshot.map(Snapshot::version).orElse(0L));
    }

    private List<StoredEvents> logAfter(RoomKey key, long version) {
        return tables.log(key).tailMap(version, false).values().stream()
                .map(fields -> MemoryTables.events(fields.row()))
                .toList();
    }

    /**
     * A room as a load has read it, with its row, which is read last.
     *
     * @throws StoreException if there is no row
     */
    StoredRoom stored(RoomKey key, Optional<Snapshot> snapshot, List<StoredEvents> tail, List<RecentId> recentIds) {
        return new StoredRoom(
                room(key).map(MemoryDatabase::row).orElseThrow(() -> new StoreException("room " + key + " has no row")),
                snapshot,
                tail,
                recentIds);
    }

    /** The newest ids of the log, oldest first: what a load reads before the row. */
    List<RecentId> recentIds(RoomKey key, long sinceMs, int max) {
        return tables.log(key).values().stream()
                .skip(Math.max(0, tables.log(key).size() - max))
                .map(LogFields::row)
                .filter(row -> row.atMs() >= sinceMs)
                .map(row -> new RecentId(row.commandId(), row.atMs()))
                .toList();
    }

    @Override
    public Future<Map<String, LoggedCommand>> findCommands(RoomKey key, Collection<String> commandIds) {
        Map<String, LoggedCommand> found = new HashMap<>();
        for (String commandId : commandIds) {
            tables.logged(key, commandId)
                    .map(LogFields::row)
                    .ifPresent(row -> found.put(
                            commandId,
                            new LoggedCommand(
                                    row.payloadHash().clone(),
                                    row.version(),
                                    row.result().clone())));
        }
        return Future.succeededFuture(found);
    }

    @Override
    public Future<Optional<LogPage>> readLog(RoomKey key, long sinceVersion, int most) {
        NavigableMap<Long, LogFields> log = tables.log(key);
        return Future.succeededFuture(room(key)
                .map(room -> new LogPage(
                        row(room),
                        log.isEmpty() ? room.version() + 1 : log.firstKey(),
                        tables.logAfter(key, sinceVersion, most))));
    }

    @Override
    public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
        MemoryTransaction transaction = begin(batches, skipLocked);
        return transaction
                .lock()
                .<GroupOutcome>map(verdicts -> transaction.write().orElseGet(() -> {
                    transaction.commit();
                    return new GroupOutcome.Committed(verdicts);
                }))
                .otherwise(lockWait -> {
                    transaction.rollback();
                    return new GroupOutcome.RolledBack(Cause.TRANSIENT, String.valueOf(lockWait.getMessage()));
                });
    }

    /** Begins a transaction for the batches, to be led through statement by statement. */
    MemoryTransaction begin(List<RoomBatch> batches, boolean skipLocked) {
        return new MemoryTransaction(tables, locks, batches, skipLocked);
    }

    @Override
    public Future<Void> save(RoomKey key, Snapshot snapshot) {
        return written(MemoryColumns.refusal(key), () -> {
            tables.snapshots(key).put(snapshot.version(), MemoryTables.copy(snapshot));
            purge.dropSnapshots(key, Optional.empty());
            return null;
        });
    }

    @Override
    public Future<Void> write(List<ListEntry> entries) {
        Optional<String> refusal = entries.stream()
                .flatMap(entry -> MemoryColumns.refusal(entry).stream())
                .findFirst();
        return written(refusal, () -> {
            entries.forEach(tables::putListEntry);
            return null;
        });
    }

    @Override
    public Future<List<ListEntry>> hottest(String appCode, Optional<String> region, Optional<Place> after, int most) {
        return Future.succeededFuture(tables.hottest(appCode, region, after, most));
    }

    @Override
    public Future<List<String>> owners(int most) {
        return Future.succeededFuture(tables.liveOwners(most));
    }

    @Override
    public Future<List<LiveRoom>> roomsOf(String nodeId, Optional<RoomKey> after, int most) {
        return Future.succeededFuture(tables.liveRooms(nodeId, after, most));
    }

    /** Another transaction's hold on a room's row. */
    public interface HeldRow extends AutoCloseable {
        /** Ends that transaction; no effect when it has ended. */
        @Override
        void close();
    }

    /**
     * Locks a room's row as an open transaction does. Until it ends, group commits skip the row or are rolled back after
     * their lock wait, and mints fail after theirs (LEASE-15); plain reads don't notice.
     */
    public HeldRow holdRow(RoomKey key) {
        return tryHoldRow(key).orElseThrow(() -> new IllegalStateException("the row of " + key + " is held already"));
    }

    /** The same, if no transaction has the row locked now. */
    Optional<HeldRow> tryHoldRow(RoomKey key) {
        Object transaction = new Object();
        return locks.tryTake(key, transaction) ? Optional.of(() -> locks.release(transaction)) : Optional.empty();
    }

    /** The rooms that have a row, by app code and room id. */
    public List<RoomKey> rooms() {
        return List.copyOf(tables.rooms.keySet());
    }

    /** A room's row, if it has one. */
    public Optional<RoomFields> room(RoomKey key) {
        return Optional.ofNullable(tables.rooms.get(key));
    }

    /** What was so, and what no table keeps. */
    Chronicle chronicle() {
        return tables.chronicle;
    }

    /** What is deleted for its age. */
    public MemoryPurge purge() {
        return purge;
    }

    /** The first version of a room's log; 1 if it is empty. */
    long firstLogged(RoomKey key) {
        return tables.log(key).isEmpty() ? 1 : tables.log(key).firstKey();
    }

    /** A room's log, by version. */
    public List<LogFields> log(RoomKey key) {
        return tables.log(key).values().stream().map(MemoryTables::copy).toList();
    }

    /** The row of a command in a room's log, if there is one, or was before it was purged. */
    Optional<LogRow> logged(RoomKey key, String commandId) {
        return tables.everLogged(key, commandId).map(MemoryTables::copy).map(LogFields::row);
    }

    /** The intents of gifts. */
    public MemoryGifts gifts() {
        return tables.gifts;
    }

    /** How the outbox is delivered. */
    public MemoryOutbox delivery() {
        return tables.delivery;
    }

    /** A room's outbox rows, by version and index; also those that were purged since. */
    public List<OutboxFields> outbox(RoomKey key) {
        return tables.outbox(key).stream().map(MemoryTables::copy).toList();
    }

    /** A room's snapshots as they are stored, damaged ones too, by version. */
    public List<Snapshot> snapshots(RoomKey key) {
        return tables.snapshots(key).values().stream().map(MemoryTables::copy).toList();
    }

    /** A room's line in the room list, if it has one. */
    public Optional<ListEntry> listEntry(RoomKey key) {
        return Optional.ofNullable(tables.listEntries.get(key));
    }

    /** When rooms are due. */
    public MemoryTimers timers() {
        return timers;
    }

    /** When each of a room's timers is due, epoch ms. */
    public Map<TimerStore.Kind, Long> timers(RoomKey key) {
        return timers.of(key);
    }

    /**
     * Flips a bit of a stored snapshot, as a bad disk does.
     *
     * @throws IllegalArgumentException if there is no such snapshot, or its state is empty
     */
    public void damageSnapshot(RoomKey key, long version) {
        Snapshot snapshot = tables.snapshots(key).get(version);
        if (snapshot == null || snapshot.state().length == 0) {
            throw new IllegalArgumentException("no snapshot of " + key + " at version " + version);
        }
        snapshot.state()[0] ^= 1;
    }
}
