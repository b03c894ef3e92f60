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
     * leaves it to be claimed again then. The commit that acts on a timer deletes it. A timer of a room that another node
     * owns, by the room's row, is that node's to claim, until it is late.
     */
    Future<List<DueTimer>> claimDue(TimerClaim claim);

    /**
     * Makes timers due again that were claimed until {@code untilMs}, each at its time. What is no longer so claimed
     * stays as it is.
     */
    Future<Void> giveBack(List<GivenBack> timers, long untilMs);

    /** What a timer is for. The names are stored: never rename one. */
    enum Kind {
        /** The room must be created by now (ROOM-5). */
        CREATE_LIMIT,
        /** A mic seat must be confirmed by now (MIC-3). */
        MIC_DEADLINE,
        /** Somebody may have given no sign of life for too long (PRES-6). */
        STALE_SWEEP,
        /** An ignited rocket launches now (ROCKET-1). */
        ROCKET_LAUNCH
    }

    /**
     * What is claimed.
     *
     * @param nodeId by whom
     * @param nowMs what is due by now, the node's clock, epoch ms
     * @param lateMs what was due by then is anybody's, epoch ms
     * @param untilMs how long it is claimed, epoch ms
     * @param limit at most so many
     */
    record TimerClaim(String nodeId, long nowMs, long lateMs, long untilMs, int limit) {}

    /**
     * A timer that is due.
     *
     * @param key whose
     * @param kind what for
     */
    record DueTimer(RoomKey key, Kind kind) {}

    /**
     * A timer that is given back.
     *
     * @param timer which
     * @param dueMs when it is due again, epoch ms
     */
    record GivenBack(DueTimer timer, long dueMs) {}
}
