package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomClock;

/**
 * Notices that this loop has stood still: whoever sent a sign of life meanwhile was not heard, and must not be taken for
 * silent (PRES-7). And that database time was put ahead, by which everybody looks silent for as long. Times are monotonic,
 * ms.
 */
final class Wakefulness {
    /** The loop shows that it is awake so often, ms. */
    private static final long PERIOD_MS = 1_000;
    /** A loop that did not for so long, by either clock, has stood still, ms. */
    private static final long LONGEST_GAP_MS = 3 * PERIOD_MS;

    private final CellLoop loop;
    private final RoomClock clock;
    private CellLoop.Cancellable next;
    private long lastAwakeAtMs;
    /** Database time less monotonic time, ms. */
    private long lastOffsetMs;

    private long awakeSinceMs;

    /** Awake from now on; whoever was heard before must be known by other means. */
    Wakefulness(CellLoop loop, RoomClock clock) {
        this.loop = loop;
        this.clock = clock;
        this.lastAwakeAtMs = clock.monotonicMs();
        this.lastOffsetMs = clock.nowMs() - lastAwakeAtMs;
        this.awakeSinceMs = lastAwakeAtMs;
        this.next = loop.schedule(PERIOD_MS, this::stayAwake);
    }

    private void stayAwake() {
        awakeSinceMs();
        next = loop.schedule(PERIOD_MS, this::stayAwake);
    }

    /** Since when it has been awake. A pause that was not noticed yet is noticed here. */
    long awakeSinceMs() {
        long nowMs = clock.monotonicMs();
        long offsetMs = clock.nowMs() - nowMs;
        if (nowMs - lastAwakeAtMs > LONGEST_GAP_MS || offsetMs - lastOffsetMs > LONGEST_GAP_MS) {
            awakeSinceMs = nowMs;
        }
        lastOffsetMs = offsetMs;
        lastAwakeAtMs = nowMs;
        return awakeSinceMs;
    }

    void stop() {
        next.cancel();
    }
}
