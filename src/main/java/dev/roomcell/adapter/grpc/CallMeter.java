package dev.roomcell.adapter.grpc;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Counts and times the calls: {@code room_calls_seconds} by method and reason ({@code OK} or an error's). */
public final class CallMeter {
    private final MeterRegistry registry;
    private final LongSupplier nanoTime;
    private final Map<String, Timer> timers = new ConcurrentHashMap<>();

    /** A meter that registers in {@code registry}; {@code nanoTime} is {@code System::nanoTime}. */
    public CallMeter(MeterRegistry registry, LongSupplier nanoTime) {
        this.registry = registry;
        this.nanoTime = nanoTime;
    }

    long start() {
        return nanoTime.getAsLong();
    }

    void ended(String method, String reason, long startedNs) {
        timers.computeIfAbsent(
                        method + ' ' + reason,
                        name -> Timer.builder("room.calls")
                                .description("calls of the public API, by method and reason")
                                .tag("method", method)
                                .tag("reason", reason)
                                .publishPercentileHistogram(false)
                                .register(registry))
                .record(nanoTime.getAsLong() - startedNs, TimeUnit.NANOSECONDS);
    }
}
