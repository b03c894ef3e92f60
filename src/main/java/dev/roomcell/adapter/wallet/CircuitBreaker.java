package dev.roomcell.adapter.wallet;

import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Keeps calls from a service that does not answer: CLOSED → OPEN after so many failures in a row, OPEN → HALF_OPEN with
 * the first call after a pause, which is a probe; HALF_OPEN → CLOSED if that one is answered, and → OPEN again if not.
 * Every call that is admitted must be told of as over, by its ticket. Belongs to one event loop.
 */
final class CircuitBreaker {
    /** What becomes of a call. */
    enum State {
        /** It is made. */
        CLOSED,
        /** It is not made before the pause is over. */
        OPEN,
        /** It is not made: one is under way whose fate decides. */
        HALF_OPEN
    }

    private final int failuresToOpen;
    private final long pauseMs;
    private final LongSupplier monotonicMs;
    private State state = State.CLOSED;
    private int failures;
    private long openedMs;
    /** Counts the changes of state, so that a call from before the last one has no say. */
    private long ticket = 1;

    /**
     * A closed one.
     *
     * @param failuresToOpen in a row, at least 1
     * @param pauseMs between two probes, ms
     * @param monotonicMs a clock that never goes back, ms
     */
    CircuitBreaker(int failuresToOpen, long pauseMs, LongSupplier monotonicMs) {
        this.failuresToOpen = failuresToOpen;
        this.pauseMs = pauseMs;
        this.monotonicMs = monotonicMs;
    }

    /** Whether {@link #admit} would admit a call now. */
    boolean admits() {
        return switch (state) {
            case CLOSED -> true;
            case OPEN -> monotonicMs.getAsLong() - openedMs >= pauseMs;
            case HALF_OPEN -> false;
        };
    }

    /** Asks for a call to be made: its ticket, or nothing if it must not be made. */
    OptionalLong admit() {
        if (!admits()) {
            return OptionalLong.empty();
        }
        if (state == State.OPEN) {
            become(State.HALF_OPEN);
        }
        return OptionalLong.of(ticket);
    }

    /** The service has answered, whatever it said. */
    void answered(long ofTicket) {
        if (ofTicket != ticket) {
            return;
        }
        failures = 0;
        if (state == State.HALF_OPEN) {
            become(State.CLOSED);
        }
    }

    /** The service was not reached, was silent, or had trouble of its own. */
    void failed(long ofTicket) {
        if (ofTicket != ticket) {
            return;
        }
        failures++;
        if (state == State.HALF_OPEN || failures >= failuresToOpen) {
            openedMs = monotonicMs.getAsLong();
            become(State.OPEN);
        }
    }

    private void become(State next) {
        state = next;
        failures = 0;
        ticket++;
    }

    State state() {
        return state;
    }
}
