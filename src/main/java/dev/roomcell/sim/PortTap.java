package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.StoredRoom;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.RoomBatch;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/** What stands between a node and the servers behind its ports: every call passes through it. */
public interface PortTap {
    /**
     * Makes {@code effect} happen, now, later or not at all, and answers; in the call's own way if that fails.
     *
     * @param about what the call is about, for people
     */
    <T> Future<T> pass(Call call, String about, Supplier<Future<T>> effect);

    /** VerifyOwner. */
    default Future<List<Boolean>> verify(MemoryLeases leases, List<LeaseDirectory.Proof> proofs) {
        return pass(Call.VERIFY, proofs.size() + " leases", () -> leases.verify(proofs));
    }

    /** A load of a room that has a row. */
    default Future<StoredRoom> load(MemoryDatabase database, RoomKey key, long idsSinceMs, int maxIds) {
        return pass(Call.LOAD, key.toString(), () -> database.load(key, idsSinceMs, maxIds));
    }

    /** A group commit: the one call whose failure is an outcome. */
    default Future<GroupOutcome> commit(MemoryDatabase database, List<RoomBatch> batches, boolean skipLocked) {
        return pass(Call.COMMIT, batches.size() + " rooms", () -> database.commit(batches, skipLocked));
    }
}
