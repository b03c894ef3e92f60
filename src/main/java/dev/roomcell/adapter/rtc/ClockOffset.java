package dev.roomcell.adapter.rtc;

import dev.roomcell.port.RoomClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the node's clock is ahead of the vendor's, as callbacks show it: the smallest span of the last minutes between
 * the sending by the vendor's clock and the arrival by ours. The way here is in it, so it is that much too large. Events
 * are ordered by the vendor's clock alone; but what they are compared with is ours. Callable from any thread.
 */
public final class ClockOffset {
    private static final Logger log = LoggerFactory.getLogger(ClockOffset.class);
    /** The span in force is that of this half of the window and of the one before. */
    private static final long HALF_MS = 150_000;

    private static final long WORTH_A_WARNING_MS = 1_000;
    private static final long NONE = Long.MAX_VALUE;

    private final RoomClock clock;
    private long halfSinceMs;
    private long smallestMs = NONE;
    private long smallestBeforeMs = NONE;
    private boolean warned;

    /** Nothing was heard yet. */
    public ClockOffset(RoomClock clock) {
        this.clock = clock;
        this.halfSinceMs = clock.monotonicMs();
    }

    /** A callback has arrived that was sent at {@code sentAtMs}, by the vendor's clock, epoch ms. */
    public synchronized void heard(long sentAtMs) {
        turn();
        smallestMs = Math.min(smallestMs, clock.nowMs() - sentAtMs);
        long offsetMs = smallest();
        if (Math.abs(offsetMs) <= WORTH_A_WARNING_MS) {
            warned = false;
        } else if (!warned) {
            warned = true;
            log.warn("TRTC's clock and ours differ: callbacks seem to arrive {} ms after they were sent", offsetMs);
        }
    }

    /** The offset, ms; NaN if no callback has come lately. */
    public synchronized double ms() {
        turn();
        long offsetMs = smallest();
        return offsetMs == NONE ? Double.NaN : offsetMs;
    }

    private long smallest() {
        return Math.min(smallestMs, smallestBeforeMs);
    }

    private void turn() {
        long nowMs = clock.monotonicMs();
        long halves = (nowMs - halfSinceMs) / HALF_MS;
        if (halves == 0) {
            return;
        }
        halfSinceMs += halves * HALF_MS;
        smallestBeforeMs = halves == 1 ? smallestMs : NONE;
        smallestMs = NONE;
    }
}
