package dev.roomcell.adapter.tencent;

import java.util.function.LongSupplier;

/**
 * Keeps calls from Tencent IM when it would refuse every one: CLOSED → OPEN by an answer that says so, OPEN → HALF_OPEN
 * with the first call after a pause, which is a probe; HALF_OPEN → CLOSED if it is answered otherwise, and → OPEN again if
 * not. Belongs to one event loop.
 */
final class Circuit {
    private static final long PAUSE_AFTER_LOST_PROBE_MS = 1_000;

    /** What becomes of a call. */
    enum State {
        /** It is made. */
        CLOSED,
        /** It is not made before the pause is over. */
        OPEN,
        /** It is not made: one is under way whose fate decides. */
        HALF_OPEN
    }

    private final LongSupplier monotonicMs;
    private State state = State.CLOSED;
    private long closedFromMs;

    /** A closed one. */
    Circuit(LongSupplier monotonicMs) {
        this.monotonicMs = monotonicMs;
    }

    /** Whether a call may be made; it must be told of as answered, lost or refused. */
    boolean admit() {
        return switch (state) {
            case CLOSED -> true;
            case HALF_OPEN -> false;
            case OPEN -> {
                boolean over = monotonicMs.getAsLong() >= closedFromMs;
                if (over) {
                    state = State.HALF_OPEN;
                }
                yield over;
            }
        };
    }

    /** A call was answered, by whatever does not concern all calls. */
    void answered() {
        if (state == State.HALF_OPEN) {
            state = State.CLOSED;
        }
    }

    /** A call has no answer; that alone opens nothing. */
    void lost() {
        if (state == State.HALF_OPEN) {
            open(PAUSE_AFTER_LOST_PROBE_MS);
        }
    }

    /** Every call would be refused. */
    void open(long pauseMs) {
        state = State.OPEN;
        closedFromMs = monotonicMs.getAsLong() + pauseMs;
    }

    State state() {
        return state;
    }
}
