package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.List;

/**
 * The deadlines that outlive a process, written in the rooms' own commits (TIMER-1). Fails with {@link
 * StoreException}.
 */
public interface TimerStore {
    /**
     * Claims due timers, oldest first, by moving each one's due time to {@code untilMs}: whoever claims one and dies
     * leaves it to be claimed again then. The commit that acts on a timer deletes it.
     *
     * @param limit at most so many
     */
    Future<List<DueTimer>> claimDue(long nowMs, long untilMs, int limit);

    /**
     * Makes timers due again at {@code dueMs} that were claimed until {@code untilMs} by a node that can't act on them,
     * so that their room's owner finds them due at once. What is no longer so claimed stays as it is.
     */
    Future<Void> giveBack(List<DueTimer> timers, long untilMs, long dueMs);

    /** What a timer is for. The names are stored: never rename one. */
    enum Kind {
        /** The room must be created by now (ROOM-5). */
        CREATE_LIMIT
    }

    /**
     * A timer that is due.
     *
     * @param key whose
     * @param kind what for
     */
    record DueTimer(RoomKey key, Kind kind) {}
}
