package dev.roomcell.adapter.tencent;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether Tencent IM does what it is asked for, as {@code room_im_degraded} (0 or 1) and in words. A node without it still
 * does what its clients ask for, so that is no reason to take it out of service. For all event loops; callable from any
 * thread.
 */
public final class ImHealth {
    /** One lost call is nothing; so many in a row are. */
    static final int FAILURES_IN_A_ROW = 8;

    private final AtomicInteger failuresInARow = new AtomicInteger();
    private volatile String lastFailure = "";
    private volatile String refusesAll = "";

    /** In health, and a gauge in {@code registry} that says so. */
    public ImHealth(MeterRegistry registry) {
        Gauge.builder("room.im.degraded", this, health -> health.trouble().isPresent() ? 1 : 0)
                .description("1 while Tencent IM refuses all calls, or does not answer")
                .register(registry);
    }

    /** A call did what it was to do. */
    void well() {
        if (failuresInARow.get() > 0) {
            failuresInARow.set(0);
        }
        if (!refusesAll.isEmpty()) {
            refusesAll = "";
        }
    }

    /** A call was not answered, or is to be made again later. */
    void failed(String why) {
        lastFailure = why;
        failuresInARow.incrementAndGet();
    }

    /** No call will do better, and none is made for a while. */
    void refusesAll(String why) {
        refusesAll = why;
    }

    /** What is wrong, in one line; empty if nothing is. */
    public Optional<String> trouble() {
        if (!refusesAll.isEmpty()) {
            return Optional.of("no calls are made: " + refusesAll);
        }
        int failures = failuresInARow.get();
        return failures < FAILURES_IN_A_ROW
                ? Optional.empty()
                : Optional.of("the last " + failures + " calls failed: " + lastFailure);
    }
}
