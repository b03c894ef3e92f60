package dev.roomcell.adapter.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.wallet.CircuitBreaker.State;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every arrow of the breaker's states, and what moves it nowhere. */
final class CircuitBreakerTest {
    private static final int FAILURES = 3;
    private static final long PAUSE_MS = 1_000;

    private long nowMs = 5;
    private CircuitBreaker breaker;

    @BeforeEach
    void startClosed() {
        breaker = new CircuitBreaker(FAILURES, PAUSE_MS, () -> nowMs);
    }

    private long admitted() {
        assertThat(breaker.admits()).isTrue();
        return breaker.admit().orElseThrow();
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            breaker.failed(admitted());
        }
    }

    private void assertAdmitsNothing() {
        assertThat(breaker.admits()).isFalse();
        assertThat(breaker.admit()).isEqualTo(OptionalLong.empty());
    }

    @Test
    void opensAfterSoManyFailuresInARow() {
        fail(FAILURES - 1);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(1);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertAdmitsNothing();
    }

    @Test
    void anAnswerBetweenThemStartsTheCountAgain() {
        fail(FAILURES - 1);
        breaker.answered(admitted());
        fail(FAILURES - 1);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void afterThePauseOneCallIsAProbe() {
        fail(FAILURES);
        nowMs += PAUSE_MS - 1;
        assertAdmitsNothing();
        nowMs += 1;
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        admitted();
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        nowMs += 10 * PAUSE_MS;
        assertAdmitsNothing();
    }

    @Test
    void aProbeThatIsAnsweredCloses() {
        fail(FAILURES);
        nowMs += PAUSE_MS;
        breaker.answered(admitted());
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(FAILURES - 1);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void aProbeThatFailsOpensForAnotherPause() {
        fail(FAILURES);
        nowMs += PAUSE_MS;
        breaker.failed(admitted());
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        nowMs += PAUSE_MS - 1;
        assertAdmitsNothing();
        nowMs += 1;
        admitted();
    }

    @Test
    void callsFromBeforeTheLastChangeHaveNoSay() {
        long slowToFail = admitted();
        long slowToAnswer = admitted();
        fail(FAILURES);
        breaker.answered(slowToAnswer);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        nowMs += PAUSE_MS;
        long probe = admitted();
        breaker.failed(slowToFail);
        breaker.answered(slowToAnswer);
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        breaker.answered(probe);
        breaker.failed(slowToFail);
        breaker.failed(probe);
        fail(FAILURES - 1);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }
}
