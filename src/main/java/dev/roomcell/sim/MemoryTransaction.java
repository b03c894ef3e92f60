package dev.roomcell.sim;

import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The transaction of a group commit on its way through the server, statement by statement: lock the rows and compare,
 * write, COMMIT. Until COMMIT nobody sees anything of it but its locks.
 */
final class MemoryTransaction {
    private final MemoryTables tables;
    private final RowLocks locks;
    private final List<RoomBatch> batches;
    private final boolean skipLocked;
    private final List<RoomBatch> allowed = new ArrayList<>();
    private boolean over;

    MemoryTransaction(MemoryTables tables, RowLocks locks, List<RoomBatch> batches, boolean skipLocked) {
        this.tables = tables;
        this.locks = locks;
        this.batches = batches;
        this.skipLocked = skipLocked;
    }

    /** Neither committed nor rolled back. */
    boolean isOpen() {
        return !over;
    }

    /** Locks the rows and compares versions and epochs under the locks (LEASE-11); fails when a lock wait is too long. */
    Future<List<Verdict>> lock() {
        Future<Void> locked = Future.succeededFuture();
        if (!skipLocked) {
            for (RoomBatch batch : batches) {
                locked = locked.compose(before -> locks.take(batch.key(), this));
            }
        }
        return locked.map(done -> batches.stream().map(this::verdict).toList());
    }

    /** A row that a locking read skips and one that is not there look the same. */
    private Verdict verdict(RoomBatch batch) {
        if (!locks.tryTake(batch.key(), this)) {
            return Verdict.BUSY;
        }
        MemoryDatabase.RoomFields room = tables.rooms.get(batch.key());
        if (room == null) {
            return skipLocked ? Verdict.BUSY : Verdict.FENCED;
        }
        if (room.epoch() != batch.epoch() && tables.guards(MemoryTables.Guard.EPOCH)) {
            return Verdict.FENCED;
        }
        if (room.version() != batch.expectedVersion()) {
            return Verdict.VERSION_CONFLICT;
        }
        allowed.add(batch);
        return Verdict.APPENDED;
    }

    /** Writes what the comparison has allowed; if that cannot be, the transaction is rolled back. */
    Optional<GroupOutcome> write() {
        Optional<String> refusal = allowed.stream()
                .flatMap(batch -> MemoryColumns.refusal(batch).stream())
                .findFirst();
        if (refusal.isPresent()) {
            return rolledBack(Cause.STATEMENT, refusal.get());
        }
        Optional<String> duplicate = tables.duplicate(allowed);
        if (duplicate.isPresent()) {
            return rolledBack(Cause.DUPLICATE_KEY, duplicate.get());
        }
        return tables.gifts.tryEnd(allowed, this)
                ? Optional.empty()
                : rolledBack(Cause.GIFT_GONE, "an intent was given up");
    }

    private Optional<GroupOutcome> rolledBack(Cause cause, String detail) {
        rollback();
        return Optional.of(new GroupOutcome.RolledBack(cause, detail));
    }

    /** Makes it so, for everybody. No effect once it is over. */
    void commit() {
        if (!over) {
            allowed.forEach(tables::append);
            rollback();
        }
    }

    /** Ends it; what is not committed is gone. No effect once it is over. */
    void rollback() {
        over = true;
        locks.release(this);
        tables.gifts.release(this);
    }
}
