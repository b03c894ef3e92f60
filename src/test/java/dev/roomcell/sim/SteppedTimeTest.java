package dev.roomcell.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.port.CellLoop;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteppedTimeTest {
    private final List<String> done = new ArrayList<>();

    private void put(CellLoop loop, String... tasks) {
        for (String task : tasks) {
            loop.execute(() -> done.add(task));
        }
    }

    @Test
    void whoeverIsReadyFirstRunsFirst() {
        SteppedTime time = new SteppedTime();
        SteppedLoop a = time.newLoop();
        SteppedLoop b = time.newLoop();
        put(a, "a1");
        put(b, "b1");
        put(a, "a2");
        time.runUntilIdle();
        assertThat(done).containsExactly("a1", "b1", "a2");
    }

    @Test
    void anotherOrderOfTurnsKeepsTheOrderWithinALoop() {
        SteppedTime time = new SteppedTime(ready -> ready - 1);
        SteppedLoop a = time.newLoop();
        SteppedLoop b = time.newLoop();
        put(a, "a1", "a2");
        put(b, "b1", "b2");
        time.runUntilIdle();
        assertThat(done).containsExactly("b1", "b2", "a1", "a2");
    }

    @Test
    void timersRunAtTheirTimeAndInTheOrderOfSetting() {
        SteppedTime time = new SteppedTime();
        time.later(20, () -> done.add("late at " + time.nowMs()));
        time.later(10, () -> done.add("first at " + time.nowMs()));
        time.later(10, () -> done.add("second at " + time.nowMs()));
        time.advance(19);
        assertThat(done).containsExactly("first at 10", "second at 10");
        time.advance(1);
        assertThat(done).last().isEqualTo("late at 20");
        assertThat(time.nowMs()).isEqualTo(20);
    }

    @Test
    void aTimerThatIsCalledOffNeverRuns() {
        SteppedTime time = new SteppedTime();
        SteppedLoop loop = time.newLoop();
        CellLoop.Cancellable timer = loop.schedule(10, () -> done.add("timer"));
        assertThat(time.isAtRest()).isFalse();
        timer.cancel();
        assertThat(time.isAtRest()).isTrue();
        time.advance(20);
        assertThat(done).isEmpty();
    }

    @Test
    void aFrozenLoopGoesOnWhereItWas() {
        SteppedTime time = new SteppedTime();
        SteppedLoop loop = time.newLoop();
        loop.freeze();
        loop.schedule(10, () -> done.add("timer"));
        put(loop, "task");
        time.advance(100);
        assertThat(done).isEmpty();
        loop.thaw();
        time.runUntilIdle();
        assertThat(done).containsExactly("task", "timer");
    }

    @Test
    void workIsDoneBesideTheLoopAndItsOutcomeComesBackToIt() {
        SteppedTime time = new SteppedTime();
        SteppedLoop loop = time.newLoop();
        loop.execute(() -> {
            Future<Boolean> onLoop = loop.offload(loop::isCurrent);
            onLoop.onSuccess(was -> done.add("work on the loop: " + was + ", answer on it: " + loop.isCurrent()));
        });
        time.runUntilIdle();
        assertThat(done).containsExactly("work on the loop: false, answer on it: true");
        assertThat(loop.isCurrent()).isFalse();
    }

    @Test
    void stepsTellMomentsOfTheSameTimeApart() {
        SteppedTime time = new SteppedTime();
        List<Long> steps = new ArrayList<>();
        time.beside(() -> steps.add(time.stepsTaken()));
        time.beside(() -> steps.add(time.stepsTaken()));
        time.runUntilIdle();
        assertThat(steps.get(1)).isGreaterThan(steps.get(0));
        assertThat(time.nowMs()).isZero();
    }

    @Test
    void whatIsReportedEndsTheRun() {
        SteppedTime time = new SteppedTime();
        time.beside(() -> time.report(new AssertionError("off the loop")));
        assertThatThrownBy(time::runUntilIdle)
                .isInstanceOf(AssertionError.class)
                .hasMessage("off the loop");
        time.runUntilIdle();
    }

    @Test
    void whatIsDoneOffTheLoopIsReported() {
        SteppedTime time = new SteppedTime();
        SteppedLoop a = time.newLoop();
        SteppedLoop b = time.newLoop();
        a.execute(() -> b.schedule(1, () -> {}));
        assertThatThrownBy(time::runUntilIdle)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("off the loop");
    }

    @Test
    void aTaskMustNotStepItsOwnTime() {
        SteppedTime time = new SteppedTime();
        time.beside(time::runUntilIdle);
        assertThatThrownBy(time::runUntilIdle).isInstanceOf(IllegalStateException.class);
    }
}
