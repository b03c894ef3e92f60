package dev.roomcell.cell;

import dev.roomcell.domain.RoomPolicy;

/**
 * The limits of the core; the defaults and the keys are those of {@code conf/room-service.yaml}.
 *
 * @param leaseTtlMs how long a lease lives without renewal, ms
 * @param mailboxCommands commands that may wait for one room; one more is OVERLOADED
 * @param batchCommands the most commands of one batch
 * @param sharedBatchCommands the same while other rooms of the loop commit too: a flooded room must not make theirs wait
 *     (P11)
 * @param batchBytes the most encoded bytes of one batch, past its first command
 * @param groupRooms the most rooms of one transaction
 * @param groupBytes the most bytes of one transaction, past its first room
 * @param secondGroupRooms so many rooms that wait for the transaction in flight have one of their own, beside it
 * @param loadedRooms rooms that may be loaded on one loop; a further one is OVERLOADED
 * @param passivateAfterMs how long a room that is not live stays loaded without a command, ms
 * @param createLimitMs how long a room may be in creation, ms (ROOM-5)
 * @param staleAfterMs how long a user may give no sign of life, ms (PRES-6)
 * @param heartbeatEveryMs how often clients are told to give one, ms
 * @param policy what the rooms' own rules depend on
 * @param snapshots when to take a snapshot
 * @param gifts how long the steps of a gift may take
 * @param displaysOfARoom what the robots of one room may show in a second
 */
public record CellSettings(
        long leaseTtlMs,
        int mailboxCommands,
        int batchCommands,
        int sharedBatchCommands,
        int batchBytes,
        int groupRooms,
        int groupBytes,
        int secondGroupRooms,
        int loadedRooms,
        long passivateAfterMs,
        long createLimitMs,
        long staleAfterMs,
        long heartbeatEveryMs,
        RoomPolicy policy,
        SnapshotPolicy snapshots,
        GiftSettings gifts,
        int displaysOfARoom) {

    /** Ids of the last so many ms are kept in a cell's dedupe window (CMD-2). */
    static final long DEDUPE_MS = 600_000;

    /** At most so many ids are kept in a cell's dedupe window (CMD-2). */
    static final int DEDUPE_IDS = 1_024;

    /**
     * When to take a snapshot (LOG-4): the log since the last one is at least {@code max(minLogBytes, 2 × its size)}
     * and the last one at least {@code minAgeMs} old, or the log has {@code maxLogRows}.
     *
     * @param minLogBytes bytes of log
     * @param minAgeMs ms since the last snapshot
     * @param maxLogRows rows of log
     */
    public record SnapshotPolicy(int minLogBytes, long minAgeMs, int maxLogRows) {
        boolean due(long logBytes, int logRows, long ageMs, int lastBytes) {
            return logRows >= maxLogRows || (logBytes >= Math.max(minLogBytes, 2L * lastBytes) && ageMs >= minAgeMs);
        }
    }
}
