package dev.roomcell.cell;

import java.util.function.IntUnaryOperator;

/** Pauses that double with each failure, each of them between half and all of that, so that nobody comes in step. */
final class Pauses {
    private static final int MOST_DOUBLINGS = 30;

    private final long firstMs;
    private final IntUnaryOperator below;

    /**
     * Pauses.
     *
     * @param firstMs after the first failure, at least 1
     * @param below of n: a random number from 0 to n - 1
     */
    Pauses(long firstMs, IntUnaryOperator below) {
        this.firstMs = firstMs;
        this.below = below;
    }

    /** The pause after so many failures, at least one, ms. */
    long after(int failures, long longestMs) {
        long fullMs = Math.min(longestMs, firstMs << Math.min(failures - 1, MOST_DOUBLINGS));
        return Math.max(1, fullMs / 2 + below.applyAsInt((int) (fullMs - fullMs / 2) + 1));
    }
}
