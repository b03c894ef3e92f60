package dev.roomcell.dev;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what happens in another process. */
final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(20);

    private Await() {}

    /**
     * Returns as soon as the condition holds.
     *
     * @throws AssertionError if it does not within 20 s
     */
    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
