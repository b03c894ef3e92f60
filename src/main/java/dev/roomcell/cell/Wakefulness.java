package dev.roomcell.cell;

import dev.roomcell.port.RoomClock;

/**
 * Notices that this process has stood still: whoever sent a sign of life meanwhile was not heard, and must not be taken
 * for silent (PRES-7). Told often that it is awake, it finds the gap itself. Times are monotonic, ms.
 */
final class Wakefulness {
    private final RoomClock clock;
    private final long longestGapMs;
    private long lastAwakeAtMs;
    private long awakeSinceMs;

    /**
     * Awake from now on; whoever was heard before must be known by other means.
     *
     * @param longestGapMs what is longer between two calls is a pause, ms
     */
    Wakefulness(RoomClock clock, long longestGapMs) {
        this.clock = clock;
        this.longestGapMs = longestGapMs;
        this.lastAwakeAtMs = clock.monotonicMs();
        this.awakeSinceMs = lastAwakeAtMs;
    }

    /** Says that the process is awake, and tells since when. */
    long awakeSinceMs() {
        long nowMs = clock.monotonicMs();
        if (nowMs - lastAwakeAtMs > longestGapMs) {
            awakeSinceMs = nowMs;
        }
        lastAwakeAtMs = nowMs;
        return awakeSinceMs;
    }
}
