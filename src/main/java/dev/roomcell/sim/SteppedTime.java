package dev.roomcell.sim;

import dev.roomcell.sim.TimerQueue.Timer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and the loops that live in it. Nothing runs but while somebody calls {@link #runUntilIdle} or {@link
 * #advance}, and always in the same order.
 */
public final class SteppedTime {
    /** More tasks than this without a moment of rest is a loop that never ends. */
    private static final int MOST_TASKS = 1_000_000;

    private final Deque<Task> ready = new ArrayDeque<>();
    /** What was given by other threads than the one that steps this time, or while none does. */
    private final Queue<Task> fromElsewhere = new ConcurrentLinkedQueue<>();

    private final IntUnaryOperator turn;
    private final TimerQueue timers = new TimerQueue();
    private final AtomicReference<@Nullable AssertionError> reported = new AtomicReference<>();
    private long nowMs;
    private long stepsTaken;
    /** Who steps this time now. */
    private volatile @Nullable Thread stepper;

    private boolean taskRuns;
    /** Whose task it is that runs, if it is a loop's. */
    private @Nullable SteppedLoop runningLoop;

    /** A time in which whatever is ready first runs first. */
    public SteppedTime() {
        this(ready -> 0);
    }

    /**
     * A time in which somebody else says whose turn it is.
     *
     * @param turn of so many ready tasks, the index of one whose loop goes on, with the task that it has had longest
     */
    public SteppedTime(IntUnaryOperator turn) {
        this.turn = turn;
    }

    /** Something to do; on {@code loop}, or beside every loop when there is none. */
    record Task(@Nullable SteppedLoop loop, boolean onLoop, Runnable body) {}

    /** Ms since this time began. */
    public long nowMs() {
        return nowMs;
    }

    /** How many tasks have run: a clock that tells all moments of this time apart. */
    public long stepsTaken() {
        return stepsTaken;
    }

    /** A new loop in this time. */
    public SteppedLoop newLoop() {
        return new SteppedLoop(this);
    }

    /**
     * Something is wrong that the code that runs here must not swallow: {@link #runUntilIdle} ends with it. From any thread.
     */
    public void report(AssertionError wrong) {
        reported.compareAndSet(null, wrong);
    }

    /**
     * Runs everything that is due now, and what that brings about, until nothing is left to do.
     *
     * @throws AssertionError what was reported meanwhile
     */
    public void runUntilIdle() {
        if (stepper != null) {
            throw new IllegalStateException("a task must not step the time that it runs in");
        }
        stepper = Thread.currentThread();
        try {
            runAll();
        } finally {
            stepper = null;
        }
        throwReported();
    }

    private void runAll() {
        int done = 0;
        for (Task task = next(); task != null; task = next()) {
            if (done++ == MOST_TASKS) {
                throw new AssertionError("no rest after " + MOST_TASKS + " tasks at " + nowMs + " ms");
            }
            run(task);
        }
    }

    private void throwReported() {
        AssertionError wrong = reported.getAndSet(null);
        if (wrong != null) {
            throw wrong;
        }
    }

    /** Whether nothing is left to do, now or ever, unless somebody asks for it. */
    public boolean isAtRest() {
        return ready.isEmpty() && fromElsewhere.isEmpty() && timers.isEmpty();
    }

    /** Lets {@code ms} pass: every timer runs at its own time, and what it brings about before the next. */
    public void advance(long ms) {
        long untilMs = nowMs + ms;
        runUntilIdle();
        for (Timer next = timers.first(); next != null && next.dueMs <= untilMs; next = timers.first()) {
            nowMs = Math.max(nowMs, next.dueMs);
            runUntilIdle();
        }
        nowMs = untilMs;
    }

    /** Runs {@code body} beside every loop, {@code delayMs} from now. */
    public void later(long delayMs, Runnable body) {
        schedule(delayMs, new Task(null, false, body));
    }

    /** Runs {@code body} beside every loop, after what is ready now; from any thread. */
    public void beside(Runnable body) {
        enqueue(new Task(null, false, body));
    }

    private @Nullable Task next() {
        for (Task given = fromElsewhere.poll(); given != null; given = fromElsewhere.poll()) {
            ready.add(given);
        }
        for (Timer due = timers.first(); due != null && due.dueMs <= nowMs; due = timers.first()) {
            timers.remove(due);
            ready.add(due.task);
        }
        return ready.size() < 2 ? ready.poll() : ofLoop(loopAt(turn.applyAsInt(ready.size())));
    }

    private @Nullable SteppedLoop loopAt(int index) {
        Iterator<Task> tasks = ready.iterator();
        for (int i = 0; i < index; i++) {
            tasks.next();
        }
        return tasks.next().loop;
    }

    private Task ofLoop(@Nullable SteppedLoop loop) {
        for (Iterator<Task> tasks = ready.iterator(); ; ) {
            Task task = tasks.next();
            if (task.loop == loop) {
                tasks.remove();
                return task;
            }
        }
    }

    private void run(Task task) {
        SteppedLoop loop = task.loop;
        if (loop != null && loop.keepIfFrozen(task)) {
            return;
        }
        stepsTaken++;
        taskRuns = true;
        runningLoop = task.onLoop ? loop : null;
        try {
            task.body.run();
        } finally {
            taskRuns = false;
        }
    }

    void enqueue(Task task) {
        (isSteppedHere() ? ready : fromElsewhere).add(task);
    }

    private boolean isSteppedHere() {
        return stepper == Thread.currentThread();
    }

    /** The task can be called off by calling the answer, on the thread that sets timers. */
    Runnable schedule(long delayMs, Task task) {
        Timer timer = timers.add(nowMs + delayMs, task);
        return () -> timers.remove(timer);
    }

    /** Whether whoever asks is no business of {@code loop}: another loop's task, or another thread. */
    boolean isForeignTo(SteppedLoop loop) {
        return stepper != null && !(isSteppedHere() && (!taskRuns || runningLoop == loop));
    }

    boolean isRunning(SteppedLoop loop) {
        return isSteppedHere() && taskRuns && runningLoop == loop;
    }
}
