package dev.roomcell.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static LongStream waits(double jitter) {
        Backoff backoff = new Backoff(50, 1_000, () -> jitter);
        return LongStream.generate(backoff::nextMs).limit(7);
    }

    @Test
    void theUpperEndDoublesUpToItsMaximum() {
        assertThat(waits(Math.nextDown(1.0))).containsExactly(50L, 100L, 200L, 400L, 800L, 1_000L, 1_000L);
    }

    @Test
    void aWaitMayBeNoneAtAll() {
        assertThat(waits(0)).containsOnly(0L);
    }
}
