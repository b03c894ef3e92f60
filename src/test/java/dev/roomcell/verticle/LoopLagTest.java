package dev.roomcell.verticle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoopLagTest {
    /** Between two looks at the clock that the test gives, so much time has passed, ms. */
    private static final long STEP_MS = LoopLag.EVERY_MS + 150;

    /** The clock tells that every timer fires 150 ms late. */
    @Test
    void whatIsLateIsWhatATimerTakesBeyondItsTime() {
        AtomicLong looks = new AtomicLong();
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        LoopLag lag =
                new LoopLag(metrics, () -> TimeUnit.MILLISECONDS.toNanos(ticks(looks.getAndIncrement()) * STEP_MS));
        Timer timer = metrics.get("room.loop.lag").timer();
        Vertx vertx = Vertx.vertx();
        try {
            vertx.runOnContext(turn -> lag.watch(vertx));
            Await.until("three looks", () -> timer.count() >= 3);
        } finally {
            Await.result(vertx.close());
        }
        assertThat(timer.max(TimeUnit.MILLISECONDS)).isEqualTo(150);
        assertThat(timer.mean(TimeUnit.MILLISECONDS)).isEqualTo(150);
    }

    /** Each timer looks twice: when it is set and when it fires. */
    private static long ticks(long looks) {
        return (looks + 1) / 2;
    }
}
