package dev.roomcell.adapter.rtc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.RoomClock;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {
    private static final long START_MS = 1_700_000_000_000L;

    private long nowMs;

    private final ClockOffset offset = new ClockOffset(new RoomClock() {
        @Override
        public long nowMs() {
            return START_MS + nowMs;
        }

        @Override
        public long monotonicMs() {
            return nowMs;
        }
    });

    private void heardAfter(long ms) {
        offset.heard(START_MS + nowMs - ms);
    }

    @Test
    void withoutCallbacksThereIsNone() {
        assertThat(offset.ms()).isNaN();
    }

    @Test
    void theFastestCallbackTells() {
        heardAfter(700);
        heardAfter(40);
        heardAfter(3_000);
        assertThat(offset.ms()).isEqualTo(40);
        heardAfter(-2_500);
        assertThat(offset.ms()).isEqualTo(-2_500);
    }

    @Test
    void whatIsMinutesOldIsForgotten() {
        heardAfter(5);
        nowMs += 200_000;
        heardAfter(90);
        assertThat(offset.ms()).isEqualTo(5);
        nowMs += 150_000;
        assertThat(offset.ms()).isEqualTo(90);
        heardAfter(100);
        assertThat(offset.ms()).isEqualTo(90);
        nowMs += 300_000;
        assertThat(offset.ms()).isNaN();
    }
}
