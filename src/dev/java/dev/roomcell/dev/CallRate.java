package dev.roomcell.dev;

import java.util.ArrayDeque;

/** Lets so many through in each second, whichever second that is. Belongs to one event loop. */
public final class CallRate {
    private static final long SECOND_MS = 1_000;

    private final int perSecond;
    private final ArrayDeque<Long> lately = new ArrayDeque<>();

    /** Nobody has passed; {@code perSecond} may in a second, at least 1. */
    public CallRate(int perSecond) {
        this.perSecond = perSecond;
    }

    /** Whether one more may pass now; if so it has. */
    public boolean admit(long nowMs) {
        while (!lately.isEmpty() && lately.peekFirst() <= nowMs - SECOND_MS) {
            lately.removeFirst();
        }
        if (lately.size() >= perSecond) {
            return false;
        }
        lately.addLast(nowMs);
        return true;
    }
}
