package dev.roomcell.port;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The room rows and the command log in MySQL: the one source of recovery (LEASE-1).
 *
 * <p>Reads and {@link #mint} fail with {@link StoreException} when the database cannot be asked; a failed mint may have
 * taken effect, which does no harm. {@link #commit} never fails: its outcome is a value.
 */
public interface CommandStore {
    /** The room's row, if the room was ever created. */
    Future<Optional<RoomRow>> find(RoomKey key);

    /**
     * Inserts a row in {@code CREATING} with version 0 and epoch 1, and the timer that ends it if it stays so (ROOM-5,
     * ROOM-7), in a transaction of its own.
     *
     * @param timerDueMs when the creation counts as failed, database time, epoch ms
     * @return false if there is a row already
     */
    Future<Boolean> insertCreating(RoomKey key, long timerDueMs);

    /**
     * Raises the room's epoch by one and writes the owner beside it, under the row's lock (LEASE-11): it waits for
     * whatever transaction holds the row, and every commit with an older epoch is refused from now on.
     *
     * @param onlyFrom if present, mint only while the epoch is this one; so a rightful new owner is never fenced
     * @return the new epoch; empty if there is no such row, or its epoch is another
     */
    Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom);

    /** The row, the newest usable snapshot, the log after it and the newest command ids, for a room with a row. */
    Future<StoredRoom> load(RoomKey key, long idsSinceMs, int maxIds);

    /** Those of {@code commandIds} that the room's log holds, by id. */
    Future<Map<String, LoggedCommand>> findCommands(RoomKey key, Collection<String> commandIds);

    /**
     * A room's log after a version, for those who missed some of it; empty if the room has no row. The row and the first
     * version are as they were when or after the entries were read.
     *
     * @param most at most so many entries, at least 1
     */
    Future<Optional<LogPage>> readLog(RoomKey key, long sinceVersion, int most);

    /** So many group commits of one loop are under way at once; a further one may have to wait. */
    int GROUPS_AT_ONCE = 2;

    /**
     * Commits the batches of several rooms as one transaction: locks the rows (skipping those locked by others when
     * {@code skipLocked}), compares version and epoch, leaves out the rooms that differ, and writes the rest.
     */
    Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked);

    /**
     * A room's row.
     *
     * @param status where the room is in its life
     * @param version its committed version
     * @param epoch its lease epoch
     * @param ownerNodeId who minted or committed last; empty before the first mint
     */
    record RoomRow(Lifecycle.Status status, long version, long epoch, String ownerNodeId) {}

    /**
     * A room as it is stored.
     *
     * @param row its row, read after everything else here
     * @param snapshot the newest snapshot whose checksum holds, if there is one
     * @param tail the log after the snapshot, in version order without gaps
     * @param recentIds the newest ids of the log, oldest first
     */
    record StoredRoom(
            RoomRow row,
            Optional<SnapshotStore.Snapshot> snapshot,
            List<StoredEvents> tail,
            List<RecentId> recentIds) {}

    /**
     * One version's events.
     *
     * @param version the room version
     * @param atMs its stamp, epoch ms
     * @param events as {@link RoomCodec#encodeEvents} made them
     * @param storedBytes what the log row weighs in bytes, for the snapshot policy (LOG-4)
     */
    record StoredEvents(long version, long atMs, byte[] events, int storedBytes) {}

    /**
     * An id of the log.
     *
     * @param commandId the id
     * @param atMs when it was committed, epoch ms
     */
    record RecentId(String commandId, long atMs) {}

    /**
     * A command of the log.
     *
     * @param payloadHash of the command as it was first sent (CMD-1)
     * @param version the room version it made
     * @param result its answer, as it was given (CMD-6)
     */
    record LoggedCommand(byte[] payloadHash, long version, byte[] result) {}

    /**
     * A part of a room's log.
     *
     * @param row the room's row
     * @param firstKeptVersion the first version that is in the log; the one after the row's when the log is empty (LOG-1)
     * @param entries in version order
     */
    record LogPage(RoomRow row, long firstKeptVersion, List<LogEntry> entries) {}

    /**
     * One version, and who caused it.
     *
     * @param version the room version
     * @param atMs its stamp, epoch ms
     * @param commandId the command's id
     * @param actorUserId who asked; empty for the room's own commands
     * @param events as {@link RoomCodec#encodeEvents} made them
     */
    record LogEntry(long version, long atMs, String commandId, String actorUserId, byte[] events) {}

    /** What became of one transaction. */
    sealed interface GroupOutcome {
        /**
         * It is over, and MySQL said so.
         *
         * @param verdicts one a batch, in the order given; only the APPENDED ones were written
         */
        record Committed(List<Verdict> verdicts) implements GroupOutcome {}

        /**
         * Nothing was written, and nothing will be.
         *
         * @param cause what stood in the way
         * @param detail for the log
         */
        record RolledBack(Cause cause, String detail) implements GroupOutcome {}

        /**
         * COMMIT was sent and not answered: it may be done, undone, or still open (LEASE-12).
         *
         * @param verdicts one a batch, in the order given, as {@link Committed} would have had them: only for the
         *     APPENDED ones is anything unknown
         * @param detail for the log
         */
        record Unknown(List<Verdict> verdicts, String detail) implements GroupOutcome {}
    }

    /** What became of one room of a transaction that MySQL answered. */
    enum Verdict {
        /** Written. */
        APPENDED,
        /** The row's epoch is another: somebody minted. */
        FENCED,
        /** The row's version is another: our memory is not what is stored. */
        VERSION_CONFLICT,
        /** The row was locked by another transaction and skipped. */
        BUSY
    }

    /** Why a transaction was rolled back. */
    enum Cause {
        /** A deadlock (1213) or a lock wait that took too long (1205): the same again may succeed. */
        TRANSIENT,
        /** A unique key held (1062): a command id or a version is in the log already. */
        DUPLICATE_KEY,
        /** An intent of one of the gifts is not there to be ended: it was given up (GIFT-2). */
        GIFT_GONE,
        /** A statement failed in a way that it will fail again. */
        STATEMENT,
        /** The database could not be reached, or takes no writes. */
        UNAVAILABLE
    }
}
