package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.SnapshotStore.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** One node's way to what is old in a shared database, with a tap on it. */
public final class WiredPurge implements PurgeStore {
    private final PurgeStore purge;
    private final PortTap tap;

    /** The way to {@code purge} that {@code tap} is on. */
    public WiredPurge(PurgeStore purge, PortTap tap) {
        this.purge = purge;
        this.tap = tap;
    }

    @Override
    public Future<Page> overdue(Optional<RoomKey> after, int most, long keptMs) {
        return tap.pass(Call.FIND_OVERDUE, "", () -> purge.overdue(after, most, keptMs));
    }

    @Override
    public Future<List<Snapshot>> snapshots(RoomKey key) {
        return tap.pass(Call.READ_SNAPSHOTS, key.toString(), () -> purge.snapshots(key));
    }

    @Override
    public Future<Integer> purgeLog(RoomKey key, Proof proof, long keptMs, int limit) {
        return tap.pass(Call.PURGE_LOG, key + " " + proof, () -> purge.purgeLog(key, proof, keptMs, limit));
    }

    @Override
    public Future<Integer> purgeSnapshots(RoomKey key, Proof proof) {
        return tap.pass(Call.PURGE_SNAPSHOTS, key + " " + proof, () -> purge.purgeSnapshots(key, proof));
    }

    @Override
    public Future<Integer> purgeGifts(long keptMs, int limit) {
        return tap.pass(Call.PURGE_GIFTS, "", () -> purge.purgeGifts(keptMs, limit));
    }
}
