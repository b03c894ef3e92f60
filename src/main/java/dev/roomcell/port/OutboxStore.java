package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.List;

/**
 * The facts on their way out of the house: written in the rooms' own commits, claimed here and marked when they have
 * arrived (OUT-1..8). Every time is the database's, and every span counts from the statement (OUT-7). Fails with {@link
 * StoreException}; a call that failed may have taken effect.
 *
 * <p>A row of a room is claimed only when all earlier ones are finished or in the same claim (OUT-6). So by the time a
 * row is finished, all earlier ones of its room have been delivered or parked.
 */
public interface OutboxStore {
    /** The number of partitions that rooms are divided into (OUT-6); never change it. */
    int PARTITIONS = 64;

    /** The longest error that is kept, characters; what is longer is cut. */
    int ERROR_CHARS = 500;

    /** The partition that a room's facts are in, 0..63; the same on every node for ever. */
    static int partitionOf(RoomKey key) {
        return Math.floorMod(key.routeKey().hashCode(), PARTITIONS);
    }

    /**
     * Says that a worker lives, and gives it its fair share of the partitions: renews what it holds, takes what is
     * nobody's or whose lease has run out, and lets go what is more than its share among the workers that live.
     *
     * @param workerId 1..64 ASCII characters; unlike any other start's of any worker
     * @param leaseMs for how long
     * @return the partitions it holds now, ascending
     */
    Future<List<Integer>> lease(String workerId, long leaseMs);

    /** The worker is no more, and what it held is nobody's. */
    Future<Void> release(String workerId);

    /**
     * Claims rows that are due, oldest first within a partition, and every partition its share; leaves partitions alone
     * that the worker does not hold. A row that must wait for an earlier one of its room is made due when that one is,
     * so that those of a blocked room are in nobody's way (B74).
     */
    Future<Claim> claim(ClaimRequest request);

    /**
     * Says what became of claimed rows; rows that are no longer under this very claim stay as they are (OUT-2).
     *
     * @param claimToken the claim's token
     * @return how many rows were changed
     */
    Future<Integer> finish(String claimToken, List<Finish> finishes);

    /**
     * Deletes rows that were delivered longer ago than {@code keptMs} (OUT-7).
     *
     * @param limit at most so many
     * @return how many there were
     */
    Future<Integer> purge(long keptMs, int limit);

    /** What is not finished in these partitions. */
    Future<Backlog> backlog(List<Integer> partitions);

    /**
     * Names a fact: once in an app (OUT-8).
     *
     * @param key which room
     * @param version the room version that made it
     * @param index its place among the events of that version
     */
    record FactId(RoomKey key, long version, int index) implements Comparable<FactId> {
        /** {@code room_id:version:index}, by which consumers tell a fact that comes twice (OUT-8). */
        public String eventId() {
            return key.roomId() + ":" + version + ":" + index;
        }

        @Override
        public int compareTo(FactId other) {
            int byRoom = key.compareTo(other.key);
            if (byRoom != 0) {
                return byRoom;
            }
            int byVersion = Long.compare(version, other.version);
            return byVersion != 0 ? byVersion : Integer.compare(index, other.index);
        }
    }

    /**
     * A fact to be delivered.
     *
     * @param id which one
     * @param type the event's type
     * @param envelope what consumers get
     * @param attempts how often it was refused so far
     */
    record Claimed(FactId id, String type, byte[] envelope, int attempts) {}

    /**
     * What a worker wants.
     *
     * @param workerId who
     * @param claimToken never used before
     * @param partitions where to look, in this order; those at the end may have to wait for the next claim
     * @param limit at most so many rows, at least 1
     * @param claimMs for how long nobody else takes them (OUT-2)
     * @param likely whether there probably is something: if not, it is looked for before anything is locked
     */
    record ClaimRequest(
            String workerId, String claimToken, List<Integer> partitions, int limit, long claimMs, boolean likely) {}

    /**
     * What a worker got.
     *
     * @param rows by room, version and index
     * @param more whether there may be more that is due
     */
    record Claim(List<Claimed> rows, boolean more) {}

    /** What became of a row. */
    enum End {
        /** It has arrived, and that was confirmed (OUT-3). */
        DELIVERED,
        /** It was refused for what it is: counts as an attempt, and is to be tried again (OUT-4). */
        RETRY,
        /** It was not tried, or nobody knows: to be tried again, and counts for nothing (B75). */
        PUT_BACK,
        /** It was refused for the last time, and is kept for people to look at; its room goes on. */
        PARKED
    }

    /**
     * What became of a row.
     *
     * @param id which one
     * @param end what
     * @param delayMs after which it is due again, where it is to be tried again
     * @param error what to remember; empty to remember what is there
     */
    record Finish(FactId id, End end, long delayMs, String error) {}

    /**
     * What is still to be delivered.
     *
     * @param rows how many; counted up to 100,000
     * @param overdueMs for how long the one that has waited longest has been due, ms; 0 if none is
     */
    record Backlog(long rows, long overdueMs) {
        /** The most that is counted. */
        public static final int MOST_ROWS = 100_000;
    }
}
