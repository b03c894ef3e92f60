package dev.roomcell.adapter.rtc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void turnsAreEvenlyApart() {
        Pace pace = new Pace(20, 5_000);
        for (int i = 0; i < 100; i++) {
            assertThat(pace.next(1_000)).hasValue(50L * i);
        }
    }

    @Test
    void aPauseIsNotSavedUpForABurst() {
        Pace pace = new Pace(20, 5_000);
        assertThat(pace.next(0)).hasValue(0);
        assertThat(pace.next(60_000)).hasValue(0);
        assertThat(pace.next(60_000)).hasValue(50);
    }

    @Test
    void whoWouldWaitTooLongGetsNoTurnAndTakesNone() {
        Pace pace = new Pace(2, 1_000);
        assertThat(pace.next(0)).hasValue(0);
        assertThat(pace.next(0)).hasValue(500);
        assertThat(pace.next(0)).hasValue(1_000);
        assertThat(pace.next(0)).isEqualTo(OptionalLong.empty());
        assertThat(pace.next(0)).isEqualTo(OptionalLong.empty());
        assertThat(pace.next(500)).hasValue(1_000);
    }

    @Test
    void aRateThatDividesNoSecondIsKeptAllTheSame() {
        Pace pace = new Pace(3, 100_000);
        long last = 0;
        for (int i = 0; i < 300; i++) {
            last = pace.next(0).orElseThrow();
        }
        assertThat(last).isBetween(99_600L, 99_700L);
    }
}
