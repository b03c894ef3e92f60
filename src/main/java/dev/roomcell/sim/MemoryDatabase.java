package dev.roomcell.sim;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.port.StoreException;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One database in memory, shared by the nodes that are given it. Every call takes effect at once and returns a
 * completed future; what takes time or fails on the way is for whoever stands between. Not thread-safe.
 */
public final class MemoryDatabase implements CommandStore, SnapshotStore, RoomListStore, TimerStore {
    private static final int SNAPSHOTS_KEPT = 2;

    private final MemoryTables tables = new MemoryTables();
    private final Set<RoomKey> heldRows = new HashSet<>();

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
        return new RoomRow(room.status(), room.version(), room.epoch());
    }

    @Override
    public Future<Boolean> insertCreating(RoomKey key, long timerDueMs) {
        return written(MemoryColumns.refusal(key).or(() -> lockWait(key)), () -> {
            RoomFields creating = new RoomFields(Lifecycle.Status.CREATING, 0, 1, "", "", true);
            boolean inserted = tables.rooms.putIfAbsent(key, creating) == null;
            if (inserted) {
                tables.timers.put(new DueTimer(key, Kind.CREATE_LIMIT), timerDueMs);
            }
            return inserted;
        });
    }

    @Override
    public Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom) {
        return written(MemoryColumns.refusal(nodeId, leaseToken).or(() -> lockWait(key)), () -> {
            RoomFields room = tables.rooms.get(key);
            if (room == null || onlyFrom.orElse(room.epoch()) != room.epoch()) {
                return OptionalLong.empty();
            }
            long epoch = room.epoch() + 1;
            tables.rooms.put(
                    key, new RoomFields(room.status(), room.version(), epoch, nodeId, leaseToken, room.live()));
            return OptionalLong.of(epoch);
        });
    }

    /** Why a statement that needs the row's lock fails, if another transaction has it. */
    private Optional<String> lockWait(RoomKey key) {
        return heldRows.contains(key) ? Optional.of("Lock wait timeout exceeded") : Optional.empty();
    }

    private static <T> Future<T> written(Optional<String> refusal, Supplier<T> write) {
        return refusal.<Future<T>>map(MemoryDatabase::failed).orElseGet(() -> Future.succeededFuture(write.get()));
    }

    private static <T> Future<T> failed(String detail) {
        return Future.failedFuture(new StoreException(detail, new IllegalStateException(detail)));
    }

    @Override
    public Future<StoredRoom> load(RoomKey key, long idsSinceMs, int maxIds) {
        RoomFields room = tables.rooms.get(key);
        if (room == null) {
            return failed("room " + key + " has no row");
        }
        Optional<Snapshot> snapshot = tables.snapshots(key).descendingMap().values().stream()
                .filter(Snapshot::intact)
                .findFirst()
                .map(MemoryTables::copy);
        long from = snapshot.map(Snapshot::version).orElse(0L);
        List<StoredEvents> tail = tables.log(key).tailMap(from, false).values().stream()
                .map(fields -> storedEvents(fields.row()))
                .toList();
        return Future.succeededFuture(new StoredRoom(row(room), snapshot, tail, recentIds(key, idsSinceMs, maxIds)));
    }

    private static StoredEvents storedEvents(LogRow row) {
        return new StoredEvents(row.version(), row.atMs(), row.events().clone(), row.storedBytes());
    }

    private List<RecentId> recentIds(RoomKey key, long sinceMs, int max) {
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
    public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
        return Future.succeededFuture(transaction(batches, skipLocked));
    }

    private GroupOutcome transaction(List<RoomBatch> batches, boolean skipLocked) {
        List<Verdict> verdicts = new ArrayList<>(batches.size());
        List<RoomBatch> appended = new ArrayList<>(batches.size());
        for (RoomBatch batch : batches) {
            Optional<String> lockWait = lockWait(batch.key());
            if (lockWait.isPresent() && !skipLocked) {
                return new GroupOutcome.RolledBack(Cause.TRANSIENT, lockWait.get());
            }
            Verdict verdict = lockWait.isPresent() ? Verdict.BUSY : verdict(batch, skipLocked);
            verdicts.add(verdict);
            if (verdict == Verdict.APPENDED) {
                appended.add(batch);
            }
        }
        Optional<String> refusal = appended.stream()
                .flatMap(batch -> MemoryColumns.refusal(batch).stream())
                .findFirst();
        if (refusal.isPresent()) {
            return new GroupOutcome.RolledBack(Cause.STATEMENT, refusal.get());
        }
        Optional<String> duplicate = tables.duplicate(appended);
        if (duplicate.isPresent()) {
            return new GroupOutcome.RolledBack(Cause.DUPLICATE_KEY, duplicate.get());
        }
        appended.forEach(tables::append);
        return new GroupOutcome.Committed(verdicts);
    }

    /** A row that a locking read skips and one that is not there look the same. */
    private Verdict verdict(RoomBatch batch, boolean skipLocked) {
        RoomFields room = tables.rooms.get(batch.key());
        if (room == null) {
            return skipLocked ? Verdict.BUSY : Verdict.FENCED;
        }
        if (room.epoch() != batch.epoch()) {
            return Verdict.FENCED;
        }
        return room.version() == batch.expectedVersion() ? Verdict.APPENDED : Verdict.VERSION_CONFLICT;
    }

    @Override
    public Future<Void> save(RoomKey key, Snapshot snapshot) {
        return written(MemoryColumns.refusal(key), () -> {
            tables.snapshots(key).put(snapshot.version(), MemoryTables.copy(snapshot));
            while (tables.snapshots(key).size() > SNAPSHOTS_KEPT) {
                tables.snapshots(key).pollFirstEntry();
            }
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
    public Future<List<DueTimer>> claimDue(long nowMs, long untilMs, int limit) {
        List<DueTimer> due = tables.timers.entrySet().stream()
                .filter(timer -> timer.getValue() <= nowMs)
                .sorted(Map.Entry.<DueTimer, Long>comparingByValue()
                        .thenComparing(timer -> timer.getKey().key())
                        .thenComparing(timer -> timer.getKey().kind()))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(timer -> tables.timers.put(timer, untilMs));
        return Future.succeededFuture(due);
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
        if (!heldRows.add(key)) {
            throw new IllegalStateException("the row of " + key + " is held already");
        }
        return () -> heldRows.remove(key);
    }

    /** The rooms that have a row, by app code and room id. */
    public List<RoomKey> rooms() {
        return List.copyOf(tables.rooms.keySet());
    }

    /** A room's row, if it has one. */
    public Optional<RoomFields> room(RoomKey key) {
        return Optional.ofNullable(tables.rooms.get(key));
    }

    /** A room's log, by version. */
    public List<LogFields> log(RoomKey key) {
        return tables.log(key).values().stream().map(MemoryTables::copy).toList();
    }

    /** A room's outbox rows, by version and index. */
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

    /** When each of a room's timers is due, epoch ms. */
    public Map<Kind, Long> timers(RoomKey key) {
        Map<Kind, Long> due = new EnumMap<>(Kind.class);
        tables.timers.forEach((timer, dueMs) -> {
            if (timer.key().equals(key)) {
                due.put(timer.kind(), dueMs);
            }
        });
        return due;
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
