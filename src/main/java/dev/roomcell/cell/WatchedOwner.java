package dev.roomcell.cell;

import dev.roomcell.cell.AdoptionRound.Outcome;
import dev.roomcell.domain.RoomKey;
import java.util.HashMap;
import java.util.Map;

/**
 * What adoption remembers of one owner: since when its rooms need another, and which of them were refused. It is forgotten
 * when that owner has no live rooms any more, or lives. Times are monotonic, ms.
 */
final class WatchedOwner {
    final String nodeId;
    /** Whether it is this very node. */
    final boolean own;
    /** Whether it is no member; else it is this node, or one that is shutting down. */
    final boolean gone;

    private final long sinceMs;
    private final AdoptionPauses pauses;
    private final Map<RoomKey, Waiting> waiting = new HashMap<>();
    private long notBeforeMs;
    private int roundsOfLiveLeases;
    private int round;

    /** A room that is not to be tried yet. */
    private static final class Waiting {
        private long untilMs;
        private int refusals;
        private int seenInRound;
    }

    WatchedOwner(String nodeId, boolean own, boolean gone, long sinceMs, AdoptionPauses pauses) {
        this.nodeId = nodeId;
        this.own = own;
        this.gone = gone;
        this.sinceMs = sinceMs;
        this.pauses = pauses;
    }

    boolean isDue(long nowMs) {
        return nowMs >= notBeforeMs;
    }

    /** How long a load is waited for, ms. */
    long patienceMs() {
        return pauses.ttlMs();
    }

    void beginRound() {
        round++;
    }

    /** The round has seen all rooms: those that it has not seen are forgotten. */
    void sawAll() {
        waiting.values().removeIf(room -> room.seenInRound != round);
    }

    /**
     * Whether a room may be tried by now. One of another owner by the node that is first for it; by anyone, once that one has
     * had a lease's time to take it when the last lease had run out. One of our own when it has been missing for as long:
     * whoever took the lease from us mints before that.
     */
    boolean mayTry(RoomKey key, boolean first, long nowMs) {
        Waiting room = waiting.get(key);
        if (room == null && own) {
            room = new Waiting();
            room.untilMs = nowMs + pauses.ttlMs();
            waiting.put(key, room);
        }
        if (room != null) {
            room.seenInRound = round;
            if (nowMs < room.untilMs) {
                return false;
            }
        }
        return own || first || nowMs - sinceMs >= 2 * pauses.ttlMs();
    }

    /** The room needs no further try. */
    void settled(RoomKey key) {
        waiting.remove(key);
    }

    /** The room was refused, and waits; longer each time. */
    void refused(RoomKey key, boolean unreadable, long nowMs) {
        Waiting room = waiting.computeIfAbsent(key, first -> new Waiting());
        room.untilMs = nowMs + pauses.afterRefusals(room.refusals, unreadable);
        room.refusals++;
        room.seenInRound = round;
    }

    /**
     * A look is over. While the leases of a dead owner run out, the next follows soon. When they should have, and all are
     * still there, the owner lives, unknown to us: it is left alone for longer and longer.
     */
    void lookedAt(long nowMs, Outcome outcome) {
        boolean longGone = gone && !own && nowMs - sinceMs >= pauses.ttlMs();
        if (outcome == Outcome.ALL_OWNED && longGone) {
            notBeforeMs = nowMs + pauses.afterLiveLeases(roundsOfLiveLeases);
            roundsOfLiveLeases++;
            return;
        }
        roundsOfLiveLeases = outcome == Outcome.NONE_TRIED ? roundsOfLiveLeases : 0;
        notBeforeMs = nowMs + pauseMs(outcome);
    }

    private long pauseMs(Outcome outcome) {
        return switch (outcome) {
            case FULL -> pauses.ttlMs();
            case NONE_TRIED -> own ? pauses.ownMs() : Math.max(pauses.lookMs(), pauses.ttlMs() / 4);
            case ALL_OWNED, SOME_FREE, STORES_OUT -> own ? pauses.ownMs() : 0;
        };
    }
}
