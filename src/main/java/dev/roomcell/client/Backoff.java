package dev.roomcell.client;

import java.util.function.DoubleSupplier;

/** Exponential back-off with full jitter: the n-th wait is anywhere between 0 and the n-th upper end. */
final class Backoff {
    private final long maxMs;
    private final DoubleSupplier jitter;
    private long upperMs;

    Backoff(long firstMs, long maxMs, DoubleSupplier jitter) {
        this.upperMs = firstMs;
        this.maxMs = maxMs;
        this.jitter = jitter;
    }

    /** The next wait, ms, ≥ 0. */
    long nextMs() {
        long waitMs = (long) (jitter.getAsDouble() * (upperMs + 1));
        upperMs = Math.min(maxMs, 2 * upperMs);
        return Math.min(waitMs, maxMs);
    }
}
