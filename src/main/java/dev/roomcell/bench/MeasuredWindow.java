package dev.roomcell.bench;

import java.util.concurrent.TimeUnit;

/**
 * When a run's load begins, and what of it counts: commands that begin in {@code [measureNanos, endNanos)}, whenever
 * they end. All in {@link System#nanoTime()}.
 *
 * @param startNanos the load begins
 * @param measureNanos the warm-up is over
 * @param endNanos no command begins any more
 */
record MeasuredWindow(long startNanos, long measureNanos, long endNanos) {
    static MeasuredWindow from(long startNanos, int warmupSeconds, int seconds) {
        long measureNanos = startNanos + TimeUnit.SECONDS.toNanos(warmupSeconds);
        return new MeasuredWindow(startNanos, measureNanos, measureNanos + TimeUnit.SECONDS.toNanos(seconds));
    }

    boolean counts(long begunNanos) {
        return begunNanos - measureNanos >= 0 && !over(begunNanos);
    }

    boolean over(long nowNanos) {
        return nowNanos - endNanos >= 0;
    }
}
