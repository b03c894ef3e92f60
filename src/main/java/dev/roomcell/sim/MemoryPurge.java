package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.LongSupplier;

/** What is deleted of a {@link MemoryDatabase} for its age. Every call takes effect at once. Not thread-safe. */
public final class MemoryPurge implements PurgeStore {
    private final MemoryTables tables;
    private final LongSupplier nowMs;

    MemoryPurge(MemoryTables tables, LongSupplier nowMs) {
        this.tables = tables;
        this.nowMs = nowMs;
    }

    private boolean isOld(LogFields fields, long keptMs) {
        return fields.row().atMs() <= nowMs.getAsLong() - keptMs;
    }

    @Override
    public Future<Page> overdue(Optional<RoomKey> after, int most, long keptMs) {
        List<RoomKey> page = tables.rooms.keySet().stream()
                .filter(key -> after.map(last -> key.compareTo(last) > 0).orElse(true))
                .limit(most)
                .toList();
        return Future.succeededFuture(new Page(
                page.stream().filter(key -> isOverdue(key, keptMs)).toList(),
                page.size() < most ? Optional.empty() : Optional.of(page.get(page.size() - 1))));
    }

    private boolean isOverdue(RoomKey key, long keptMs) {
        NavigableMap<Long, LogFields> log = tables.log(key);
        NavigableMap<Long, Snapshot> snapshots = tables.snapshots(key);
        return !log.isEmpty()
                && snapshots.size() > 1
                && log.firstKey() <= snapshots.lowerKey(snapshots.lastKey())
                && isOld(log.firstEntry().getValue(), keptMs);
    }

    @Override
    public Future<List<Snapshot>> snapshots(RoomKey key) {
        return Future.succeededFuture(tables.snapshots(key).descendingMap().values().stream()
                .map(MemoryTables::copy)
                .toList());
    }

    @Override
    public Future<Integer> purgeLog(RoomKey key, Proof proof, long keptMs, int limit) {
        if (!tables.snapshots(key).keySet().containsAll(List.of(proof.newest(), proof.covered()))) {
            return Future.succeededFuture(0);
        }
        List<Long> old = new ArrayList<>();
        for (LogFields fields : tables.log(key).headMap(proof.covered(), true).values()) {
            if (old.size() == limit || !isOld(fields, keptMs)) {
                break;
            }
            old.add(fields.row().version());
        }
        old.forEach(version -> tables.purge(key, version));
        return Future.succeededFuture(old.size());
    }

    @Override
    public Future<Integer> purgeSnapshots(RoomKey key, Proof proof) {
        return Future.succeededFuture(dropSnapshots(key, Optional.of(proof)));
    }

    /** Drops all but the two newest, and the first one behind which a purged log is whole; how many. */
    int dropSnapshots(RoomKey key, Optional<Proof> proof) {
        NavigableMap<Long, Snapshot> snapshots = tables.snapshots(key);
        if (snapshots.size() < 2) {
            return 0;
        }
        long kept = proof.map(Proof::covered).orElse(snapshots.lowerKey(snapshots.lastKey()));
        long logBegins = tables.log(key).isEmpty() ? 1 : tables.log(key).firstKey();
        Optional<Long> base = snapshots.keySet().stream()
                .filter(version -> logBegins > 1 && version >= logBegins - 1)
                .filter(version ->
                        proof.map(right -> right.versions().contains(version)).orElse(true))
                .findFirst();
        List<Long> unneeded = snapshots.headMap(kept, false).keySet().stream()
                .filter(version -> !base.equals(Optional.of(version)))
                .toList();
        unneeded.forEach(snapshots::remove);
        return unneeded.size();
    }

    @Override
    public Future<Integer> purgeGifts(long keptMs, int limit) {
        return Future.succeededFuture(tables.gifts.purge(keptMs, limit));
    }
}
