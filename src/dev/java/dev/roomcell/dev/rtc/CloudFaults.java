package dev.roomcell.dev.rtc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** What goes wrong at the simulated API, on demand. Callable from any thread. */
public final class CloudFaults {
    private final Deque<String> codes = new ArrayDeque<>();
    private volatile long slownessMs;

    /** Answers the next {@code calls} calls with an error code, and does nothing; an empty code is no answer at all. */
    public synchronized void fail(String code, int calls) {
        for (int i = 0; i < calls; i++) {
            codes.addLast(code);
        }
    }

    /** Every answer takes so long from now on, ms. */
    public void slow(long ms) {
        slownessMs = ms;
    }

    synchronized Optional<String> take() {
        return Optional.ofNullable(codes.pollFirst());
    }

    long slownessMs() {
        return slownessMs;
    }
}
