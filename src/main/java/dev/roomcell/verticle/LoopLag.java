package dev.roomcell.verticle;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Measures how late the timers of event loops fire: {@code room_loop_lag_seconds}. What a loop does, waits for as long. */
public final class LoopLag {
    /** A loop is looked at so often, ms. */
    static final long EVERY_MS = 100;

    private final Timer lag;
    private final LongSupplier nanoTime;

    /** A meter in {@code registry}, for all loops together; {@code nanoTime} is {@code System::nanoTime}. */
    public LoopLag(MeterRegistry registry, LongSupplier nanoTime) {
        this.lag = Timer.builder("room.loop.lag")
                .description("how late the event loops of the rooms come to what is due")
                .register(registry);
        this.nanoTime = nanoTime;
    }

    /** Measures the calling event loop, until its verticle is undeployed. */
    void watch(Vertx vertx) {
        long armedNs = nanoTime.getAsLong();
        // One timer after the other: a periodic one makes up for what it missed, as if it had not been late.
        vertx.setTimer(EVERY_MS, fired -> {
            long lateNs = nanoTime.getAsLong() - armedNs - TimeUnit.MILLISECONDS.toNanos(EVERY_MS);
            lag.record(Math.max(0, lateNs), TimeUnit.NANOSECONDS);
            watch(vertx);
        });
    }
}
