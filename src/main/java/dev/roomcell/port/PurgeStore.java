package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.SnapshotStore.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Finds and deletes what is old: log rows (LOG-1) and intents of gifts (LOG-3). Every age counts from the statement, by the
 * database's clock. No call locks a row that a commit waits for (LEASE-15), and any number of nodes may make the same call
 * at once. Fails with {@link StoreException}; a call that failed may have taken effect.
 */
public interface PurgeStore {
    /**
     * Goes through the rooms in the order of their keys and picks those whose oldest log row is old, and is covered by two
     * snapshots, as far as can be told without reading them.
     *
     * @param after looks behind this room; empty: from the first one on
     * @param most looks at so many rooms, at least 1
     * @param keptMs a row is old when it was committed so long ago, ms
     */
    Future<Page> overdue(Optional<RoomKey> after, int most, long keptMs);

    /** All snapshots of a room, the newest first, damaged ones too. */
    Future<List<Snapshot>> snapshots(RoomKey key);

    /**
     * Deletes a room's oldest log rows that two snapshots cover, as far as they are old. Nothing happens if one of the two is
     * not there any more.
     *
     * @param proof its two newest cover the rows
     * @param keptMs a row is old when it was committed so long ago, ms
     * @param limit at most so many rows, at least 1
     * @return how many
     */
    Future<Integer> purgeLog(RoomKey key, Proof proof, long keptMs, int limit);

    /**
     * Deletes those of a room's snapshots that are older than the two newest of {@code proof}, but for the first one that is
     * right and behind which the log is whole: what is left of the log can be replayed from there.
     *
     * @return how many
     */
    Future<Integer> purgeSnapshots(RoomKey key, Proof proof);

    /**
     * Deletes intents that were begun long ago and for which nothing is left to do.
     *
     * @param keptMs begun so long ago, ms
     * @param limit at most so many, at least 1
     * @return how many
     */
    Future<Integer> purgeGifts(long keptMs, int limit);

    /**
     * Rooms that were looked at.
     *
     * @param overdue those in which there is something to do, by key
     * @param last the last one that was looked at; empty at the end
     */
    record Page(List<RoomKey> overdue, Optional<RoomKey> last) {}

    /**
     * The snapshots of a room that somebody has read and found right.
     *
     * @param versions theirs, the newest first; at least two
     */
    record Proof(List<Long> versions) {
        /** A copy. */
        public Proof {
            versions = List.copyOf(versions);
        }

        /** The newest one's version. */
        public long newest() {
            return versions.get(0);
        }

        /** The second newest one's version: both cover the log up to there. */
        public long covered() {
            return versions.get(1);
        }
    }

    /** Where rows are deleted. The names are tags of the metrics. */
    enum Table {
        ROOM_COMMAND_LOG,
        ROOM_SNAPSHOTS,
        GIFT_INTENTS
    }
}
