package dev.roomcell.adapter.tencent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.tencent.Circuit.State;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When calls of Tencent IM are made at all. */
final class CircuitTest {
    private static final long PAUSE_MS = 30_000;

    private final AtomicLong nowMs = new AtomicLong(7);
    private final Circuit circuit = new Circuit(nowMs::get);

    @Test
    void aClosedOneIsOpenedByARefusalAndNothingElse() {
        circuit.lost();
        circuit.answered();
        assertThat(circuit.admit()).isTrue();
        assertThat(circuit.state()).isEqualTo(State.CLOSED);
        circuit.open(PAUSE_MS);
        assertThat(circuit.admit()).isFalse();
        assertThat(circuit.state()).isEqualTo(State.OPEN);
    }

    @Test
    void whatWasUnderWayWhenItOpenedDoesNotCloseIt() {
        circuit.open(PAUSE_MS);
        circuit.answered();
        circuit.lost();
        nowMs.addAndGet(PAUSE_MS - 1);
        assertThat(circuit.admit()).isFalse();
    }

    @Test
    void afterThePauseOneCallDecides() {
        circuit.open(PAUSE_MS);
        nowMs.addAndGet(PAUSE_MS);
        assertThat(circuit.admit()).isTrue();
        assertThat(circuit.admit()).isFalse();
        assertThat(circuit.state()).isEqualTo(State.HALF_OPEN);
        circuit.answered();
        assertThat(circuit.state()).isEqualTo(State.CLOSED);
        assertThat(circuit.admit()).isTrue();
    }

    @Test
    void aProbeThatIsRefusedOpensItAgainForTheWholePause() {
        circuit.open(PAUSE_MS);
        nowMs.addAndGet(PAUSE_MS);
        assertThat(circuit.admit()).isTrue();
        circuit.open(PAUSE_MS);
        nowMs.addAndGet(PAUSE_MS - 1);
        assertThat(circuit.admit()).isFalse();
    }

    @Test
    void aProbeThatIsLostIsFollowedByAnotherSoon() {
        circuit.open(PAUSE_MS);
        nowMs.addAndGet(PAUSE_MS);
        assertThat(circuit.admit()).isTrue();
        circuit.lost();
        assertThat(circuit.admit()).isFalse();
        nowMs.addAndGet(1_000);
        assertThat(circuit.admit()).isTrue();
    }
}
