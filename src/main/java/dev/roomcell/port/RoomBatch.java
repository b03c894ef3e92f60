package dev.roomcell.port;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one room wants to have committed: a run of versions, fenced by the version and epoch that must still stand in
 * its row (LEASE-11).
 *
 * @param key which room
 * @param expectedVersion the row's version before
 * @param epoch the row's epoch, before and after
 * @param nodeId who commits; kept in every log row (LEASE-8)
 * @param leaseToken under which lease token; kept in every log row (LEASE-8)
 * @param rows the log rows, versions {@code expectedVersion + 1} and on without gap
 * @param statusAfter the room's status after the last of them
 * @param liveAfter whether the room must stay loaded after them (LEASE-14)
 * @param clearTimers whether all timers of the room end with this commit, before {@code timers} are set
 * @param timers the timers that begin, move or end with this commit; one a kind and ref at most
 * @param gifts the gifts among {@code rows}: all their intents end with this commit, or none of the rows is written
 * @param listEntry the room's new line in the room list, if it must change in this very commit (ROOM-8)
 */
public record RoomBatch(
        RoomKey key,
        long expectedVersion,
        long epoch,
        String nodeId,
        String leaseToken,
        List<LogRow> rows,
        Lifecycle.Status statusAfter,
        boolean liveAfter,
        boolean clearTimers,
        List<TimerChange> timers,
        List<GiftCommit> gifts,
        Optional<RoomListStore.ListEntry> listEntry) {

    /** The version after the last row. */
    public long versionAfter() {
        return expectedVersion + rows.size();
    }

    /** What the batch weighs on its way to the database, bytes. */
    public int bytes() {
        int sum = 0;
        for (LogRow row : rows) {
            sum += row.bytes();
        }
        return sum;
    }

    /**
     * One accepted command.
     *
     * @param version the room version it makes
     * @param commandId its id, unique in the room
     * @param payloadHash see CMD-1
     * @param kind the command's kind, for people
     * @param actorUserId who asked; empty for the room's own commands
     * @param atMs its stamp, epoch ms
     * @param command encoded
     * @param events encoded
     * @param result encoded
     * @param facts its events, for whoever is outside
     */
    public record LogRow(
            long version,
            String commandId,
            byte[] payloadHash,
            String kind,
            String actorUserId,
            long atMs,
            byte[] command,
            byte[] events,
            byte[] result,
            List<Fact> facts) {

        /** What the row and its facts weigh, bytes. */
        public int bytes() {
            int sum = storedBytes();
            for (Fact fact : facts) {
                sum += fact.envelope().length;
            }
            return sum;
        }

        /** What the log row alone weighs, bytes (LOG-4). */
        public int storedBytes() {
            return command.length + events.length + result.length;
        }
    }

    /**
     * One event as the world outside sees it.
     *
     * @param index its place among the events of its version, from 0
     * @param type the event's type, for people and policies
     * @param durable whether it goes into the outbox (LANE-2)
     * @param envelope what consumers get, encoded
     */
    public record Fact(int index, String type, boolean durable, byte[] envelope) {}

    /**
     * A timer of the room from this commit on.
     *
     * @param kind which
     * @param ref for whom; as in {@link TimerStore.RoomTimer}
     * @param dueMs when it is due, epoch ms; empty if there is none any more
     */
    public record TimerChange(TimerStore.Kind kind, String ref, OptionalLong dueMs) {
        /** Of the only timer of its kind. */
        public TimerChange(TimerStore.Kind kind, OptionalLong dueMs) {
            this(kind, "", dueMs);
        }
    }

    /**
     * A gift that is given with this commit.
     *
     * @param commandId names the intent, in the room's app
     * @param reward what is to become of the reward: NONE, DRAWING or DUE
     * @param rewardCoins how much that is; 0 unless DUE
     */
    public record GiftCommit(String commandId, GiftStore.Reward reward, long rewardCoins) {}
}
