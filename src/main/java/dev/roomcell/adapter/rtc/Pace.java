package dev.roomcell.adapter.rtc;

import java.util.OptionalLong;

/** Gives calls their turn, so many in a second and evenly; a bounded number of them waits. Not thread-safe. */
final class Pace {
    private static final long SECOND_US = 1_000_000;
    private static final long MS_US = 1_000;

    private final long everyUs;
    private final long longestWaitMs;
    private long nextAtUs = Long.MIN_VALUE;

    /**
     * A pace with nobody waiting.
     *
     * @param perSecond calls in a second, at least 1
     * @param longestWaitMs who would have to wait longer gets no turn, ms
     */
    Pace(int perSecond, long longestWaitMs) {
        this.everyUs = ceilDiv(SECOND_US, perSecond);
        this.longestWaitMs = longestWaitMs;
    }

    /** How long from {@code nowMs} the next call has to wait, which is taken as made then; empty: it must not be made. */
    OptionalLong next(long nowMs) {
        long nowUs = nowMs * MS_US;
        long atUs = Math.max(nowUs, nextAtUs);
        long waitMs = ceilDiv(atUs - nowUs, MS_US);
        if (waitMs > longestWaitMs) {
            return OptionalLong.empty();
        }
        nextAtUs = atUs + everyUs;
        return OptionalLong.of(waitMs);
    }

    private static long ceilDiv(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
