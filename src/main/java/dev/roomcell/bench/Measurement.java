package dev.roomcell.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What one event loop saw. Not thread-safe; {@link #add} joins those of several loops. */
final class Measurement {
    private static final int DIGITS = 3;

    private final MeasuredWindow window;
    private final Histogram latencyMicros = new Histogram(TimeUnit.HOURS.toMicros(1), DIGITS);
    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<String, Long> warmupErrors = new TreeMap<>();
    private final Map<String, Long> retries = new TreeMap<>();

    Measurement(MeasuredWindow window) {
        this.window = window;
    }

    /** A command was acknowledged. */
    void succeeded(long begunNanos, long endedNanos) {
        if (window.counts(begunNanos)) {
            long micros = TimeUnit.NANOSECONDS.toMicros(endedNanos - begunNanos);
            latencyMicros.recordValue(Math.min(micros, latencyMicros.getHighestTrackableValue()));
        }
    }

    /** A command failed for good. */
    void failed(long begunNanos, String reason) {
        (window.counts(begunNanos) ? errors : warmupErrors).merge(reason, 1L, Long::sum);
    }

    /** A command was sent again. */
    void retried(long nowNanos, String reason) {
        if (window.counts(nowNanos)) {
            retries.merge(reason, 1L, Long::sum);
        }
    }

    void add(Measurement other) {
        latencyMicros.add(other.latencyMicros);
        other.errors.forEach((reason, count) -> errors.merge(reason, count, Long::sum));
        other.warmupErrors.forEach((reason, count) -> warmupErrors.merge(reason, count, Long::sum));
        other.retries.forEach((reason, count) -> retries.merge(reason, count, Long::sum));
    }

    /** Commands that began in the window and succeeded. */
    long succeeded() {
        return latencyMicros.getTotalCount();
    }

    /** The latency that this share of commands, in percent, did not exceed; ms. 0 when there was none. */
    double percentileMs(double percent) {
        return millis(latencyMicros.getValueAtPercentile(percent));
    }

    double maxMs() {
        return millis(latencyMicros.getMaxValue());
    }

    private static double millis(long micros) {
        return micros / (double) TimeUnit.MILLISECONDS.toMicros(1);
    }

    Map<String, Long> errors() {
        return errors;
    }

    /** Errors of commands that began in the warm-up. */
    Map<String, Long> warmupErrors() {
        return warmupErrors;
    }

    Map<String, Long> retries() {
        return retries;
    }

    static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
