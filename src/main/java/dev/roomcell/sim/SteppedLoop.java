package dev.roomcell.sim;

import dev.roomcell.port.CellLoop;
import dev.roomcell.sim.SteppedTime.Task;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntUnaryOperator;

/** A loop that is stepped through {@link SteppedTime}; {@link #isCurrent} only while one of its tasks runs. */
public final class SteppedLoop implements CellLoop {
    private final SteppedTime time;
    private final List<Task> whileFrozen = new ArrayList<>();
    private boolean frozen;

    SteppedLoop(SteppedTime time) {
        this.time = time;
    }

    @Override
    public void execute(Runnable task) {
        time.enqueue(new Task(this, true, task));
    }

    @Override
    public boolean isCurrent() {
        return time.isRunning(this);
    }

    @Override
    public Cancellable schedule(long delayMs, Runnable task) {
        if (delayMs < 1) {
            throw new IllegalArgumentException("a delay is at least 1 ms: " + delayMs);
        }
        reportForeign("a timer was set");
        return time.schedule(delayMs, new Task(this, true, task))::run;
    }

    @Override
    public <T> Future<T> offload(Callable<T> work) {
        reportForeign("work was handed over");
        Promise<T> done = Promise.promise();
        time.enqueue(new Task(this, false, () -> {
            Future<T> result = call(work);
            execute(() -> done.handle(result));
        }));
        return done.future();
    }

    private static <T> Future<T> call(Callable<T> work) {
        try {
            return Future.succeededFuture(work.call());
        } catch (Exception failure) {
            return Future.failedFuture(failure);
        }
    }

    private void reportForeign(String what) {
        if (time.isForeignTo(this)) {
            time.report(new AssertionError(what + " by " + Thread.currentThread() + ", off the loop"));
        }
    }

    /** Runs nothing from now on, as a stopped process; what it should run waits. */
    public void freeze() {
        frozen = true;
    }

    /** Goes on where it was; what has waited runs with the next step, in the order of coming. */
    public void thaw() {
        frozen = false;
        whileFrozen.forEach(time::enqueue);
        whileFrozen.clear();
    }

    /**
     * Goes on where it was, as a process does that finds all its sockets ready at once.
     *
     * @param turn of so many waiting tasks, the index of the one to run next
     */
    void thaw(IntUnaryOperator turn) {
        while (!whileFrozen.isEmpty()) {
            time.enqueue(whileFrozen.remove(turn.applyAsInt(whileFrozen.size())));
        }
        thaw();
    }

    boolean keepIfFrozen(Task task) {
        return frozen && whileFrozen.add(task);
    }
}
