package dev.roomcell.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 999, 30_000, 1_000_000})
    void asManyCommandsAreDueInASecondAsTheRateSays(int rate) {
        Pacer.Schedule schedule = new Pacer.Schedule(-5, rate);

        assertThat(schedule.dueUntil(-6)).isZero();
        assertThat(schedule.dueUntil(-5)).isEqualTo(1);
        assertThat(schedule.dueUntil(-5 + SECOND - 1)).isEqualTo(rate);
        assertThat(schedule.dueUntil(-5 + 60 * SECOND - 1)).isEqualTo(60L * rate);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 7, 999, 30_000})
    void aCommandIsDueAtItsTimeAndNotBefore(int rate) {
        Pacer.Schedule schedule = new Pacer.Schedule(0, rate);

        for (long command = 0; command < 1_000; command++) {
            assertThat(schedule.dueUntil(schedule.dueNanos(command))).isEqualTo(command + 1);
            assertThat(schedule.dueUntil(schedule.dueNanos(command) - 1)).isEqualTo(command);
        }
    }
}
