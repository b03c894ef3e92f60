package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The deadlines that outlive a process, written in the rooms' own commits (TIMER-1). Fails with {@link
 * StoreException}.
 */
public interface TimerStore {
    /**
     * Claims due timers by moving each one's due time to {@code untilMs}: whoever claims one and dies leaves it to be
     * claimed again then. The commit that acts on a timer deletes it. A timer of a room that another node owns, by the
     * room's row, is that node's to claim, until it is late. The node's own come first and those of others after, so that
     * what only others can act on is in the way of nothing; of each the oldest first.
     */
    Future<List<DueTimer>> claimDue(TimerClaim claim);

    /**
     * Makes timers due again that were claimed until {@code untilMs}, each at its time. What is no longer so claimed
     * stays as it is.
     */
    Future<Void> giveBack(List<GivenBack> timers, long untilMs);

    /**
     * Deletes the timer of a side task that is done, if it is still claimed until {@code untilMs}: one that was set anew
     * meanwhile is another task.
     */
    Future<Void> done(RoomTimer timer, long untilMs);

    /**
     * Sets the timer of a side task that no commit asks for. One that is there already is due then at the latest, also if it
     * is claimed: what is being done now may not be all that is asked for.
     */
    Future<Void> plan(RoomTimer timer, long dueMs);

    /** What a timer is for. The names are stored: never rename one. */
    enum Kind {
        /** The room must be created by now (ROOM-5). */
        CREATE_LIMIT,
        /** A mic seat must be confirmed by now (MIC-3). */
        MIC_DEADLINE,
        /** Somebody may have given no sign of life for too long (PRES-6). */
        STALE_SWEEP,
        /** An ignited rocket launches now (ROCKET-1). */
        ROCKET_LAUNCH,
        /** Side task: a user who was kicked is removed from the RTC room (MIC-10); {@code ref} is who. */
        RTC_REMOVE_USER,
        /** Side task: a user who was heard without a seat is removed from it (MIC-10); {@code ref} is who. */
        RTC_SILENCE_USER,
        /** Side task: the RTC room of a closed room is dismissed. */
        RTC_DISMISS_ROOM,
        /** Side task: the room's IM group is told whether a user may be heard in it; {@code ref} is who. */
        IM_FORBID_USER,
        /** Side task: the IM group of a closed room ends. */
        IM_DESTROY_GROUP;

        /** Whether it is something to be done outside: nothing in the room waits for it. */
        public boolean isSideTask() {
            return compareTo(ROCKET_LAUNCH) > 0;
        }
    }

    /**
     * What is claimed.
     *
     * @param nodeId by whom
     * @param nowMs what is due by now, the node's clock, epoch ms
     * @param lateMs what was due by then is anybody's, epoch ms
     * @param untilMs how long it is claimed, epoch ms
     * @param limit at most so many
     * @param kinds of these alone, at least one: others are for nodes that can act on them
     */
    record TimerClaim(String nodeId, long nowMs, long lateMs, long untilMs, int limit, Set<Kind> kinds) {
        /** A claim of every kind. */
        public TimerClaim(String nodeId, long nowMs, long lateMs, long untilMs, int limit) {
            this(nodeId, nowMs, lateMs, untilMs, limit, EnumSet.allOf(Kind.class));
        }

        /** Keeps a copy of {@code kinds}. */
        public TimerClaim {
            kinds = Collections.unmodifiableSet(EnumSet.copyOf(kinds));
        }
    }

    /**
     * Names a timer.
     *
     * @param key whose
     * @param kind what for
     * @param ref for whom, where a room may have several of a kind: a user id; else empty; at most 64 bytes
     */
    record RoomTimer(RoomKey key, Kind kind, String ref) {
        /** The only one of its kind. */
        public RoomTimer(RoomKey key, Kind kind) {
            this(key, kind, "");
        }
    }

    /**
     * A timer that was due, and is claimed.
     *
     * @param timer which
     * @param dueMs when it was due, epoch ms: whoever can't act on it gives it back at that, for their clock may be wrong
     */
    record DueTimer(RoomTimer timer, long dueMs) {}

    /**
     * A timer that is given back.
     *
     * @param timer which
     * @param dueMs when it is due again, epoch ms
     */
    record GivenBack(RoomTimer timer, long dueMs) {}
}
