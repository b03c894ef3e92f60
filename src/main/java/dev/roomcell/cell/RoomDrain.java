package dev.roomcell.cell;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;

/**
 * Lets the rooms of a loop go, a few at a time: a room whose turn has not come serves as ever, so that none is without an
 * owner for longer than its own leaving takes (LEASE-10). Confined to the loop.
 */
final class RoomDrain {
    /** Rooms of a loop that leave at once: each writes a snapshot. */
    private static final int AT_ONCE = 16;

    private final ArrayDeque<RoomCell> staying = new ArrayDeque<>();
    private Promise<Void> drained = Promise.promise();
    private int leaving;
    private boolean on;
    private boolean lettingGo;

    /** Whether rooms are being let go, or were: no room is taken then. */
    boolean isOn() {
        return on;
    }

    /**
     * Begins, unless it has begun.
     *
     * @param cells all rooms
     * @param opening rooms on their way in: each completes when it has been given up
     * @return completes when no room is left, or the drain was called off; never fails
     */
    Future<Void> begin(Collection<RoomCell> cells, List<Future<Void>> opening) {
        if (!on) {
            on = true;
            drained = Promise.promise();
            staying.addAll(cells);
            leaving += opening.size();
            opening.forEach(givenUp -> givenUp.onComplete(over -> oneLess()));
            letGo();
        }
        return drained.future();
    }

    /** Rooms that were lost meanwhile are gone at once, perhaps thousands: one after the other, not one in the other. */
    private void letGo() {
        if (lettingGo) {
            return;
        }
        lettingGo = true;
        while (leaving < AT_ONCE && !staying.isEmpty()) {
            leaving++;
            staying.removeFirst().leave().onComplete(gone -> oneLess());
        }
        lettingGo = false;
        if (on && leaving == 0 && staying.isEmpty()) {
            drained.tryComplete();
        }
    }

    private void oneLess() {
        leaving--;
        letGo();
    }

    /** Rooms are taken again; those that have not begun to leave stay. */
    void callOff() {
        on = false;
        staying.clear();
        drained.tryComplete();
    }
}
