package dev.roomcell.testkit;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and the loops that live in it. Nothing runs but while the test calls {@link #runUntilIdle} or {@link
 * #advance}, and always in the same order.
 */
public final class SteppedTime {
    /** More tasks than this without a moment of rest is a loop that never ends. */
    private static final int MOST_TASKS = 1_000_000;

    /** Guarded by itself: threads of other loops' answers add to it too. */
    private final Queue<Task> ready = new ArrayDeque<>();

    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final AtomicReference<@Nullable AssertionError> reported = new AtomicReference<>();
    private long nowMs;
    private long timersSet;
    private volatile @Nullable Running running;

    /** Something to do; on {@code loop}, or beside every loop when there is none. */
    record Task(@Nullable SteppedLoop loop, boolean onLoop, Runnable body) {}

    private record Running(Thread thread, @Nullable SteppedLoop loop) {}

    private record Timer(long dueMs, long number, Task task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int byDue = Long.compare(dueMs, other.dueMs);
            return byDue != 0 ? byDue : Long.compare(number, other.number);
        }
    }

    /** Ms since this time began. */
    public long nowMs() {
        return nowMs;
    }

    /** A new loop in this time. */
    public SteppedLoop newLoop() {
        return new SteppedLoop(this);
    }

    /**
     * Something is wrong that the code under test must not swallow: {@link #runUntilIdle} ends with it. From any thread.
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
        if (running != null) {
            throw new IllegalStateException("a task must not step the time that it runs in");
        }
        for (int done = 0; ; done++) {
            Task task = next();
            if (task == null) {
                throwReported();
                return;
            }
            if (done == MOST_TASKS) {
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
        synchronized (ready) {
            return ready.isEmpty() && timers.isEmpty();
        }
    }

    /** Lets {@code ms} pass: every timer runs at its own time, and what it brings about before the next. */
    public void advance(long ms) {
        long untilMs = nowMs + ms;
        runUntilIdle();
        for (Timer next = timers.peek(); next != null && next.dueMs <= untilMs; next = timers.peek()) {
            nowMs = Math.max(nowMs, next.dueMs);
            runUntilIdle();
        }
        nowMs = untilMs;
    }

    /** Runs {@code body} beside every loop, {@code delayMs} from now. */
    public void later(long delayMs, Runnable body) {
        schedule(delayMs, new Task(null, false, body));
    }

    /**
     * Runs {@code body} on a thread of its own, after what is ready now; time stands still until it is over. Its failure
     * is reported.
     */
    public void onForeignThread(Runnable body) {
        enqueue(new Task(null, false, () -> runOnForeignThread(body)));
    }

    private void runOnForeignThread(Runnable body) {
        Thread foreign = new Thread(body, "foreign");
        foreign.setUncaughtExceptionHandler(
                (thread, thrown) -> report(new AssertionError("a foreign thread failed", thrown)));
        foreign.start();
        try {
            foreign.join();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while a foreign thread ran", e);
        }
    }

    private @Nullable Task next() {
        while (!timers.isEmpty() && timers.peek().dueMs <= nowMs) {
            enqueue(timers.remove().task);
        }
        synchronized (ready) {
            return ready.poll();
        }
    }

    private void run(Task task) {
        SteppedLoop loop = task.loop;
        if (loop != null && loop.keepIfFrozen(task)) {
            return;
        }
        running = new Running(Thread.currentThread(), task.onLoop ? loop : null);
        try {
            task.body.run();
        } finally {
            running = null;
        }
    }

    void enqueue(Task task) {
        synchronized (ready) {
            ready.add(task);
        }
    }

    /** The task can be called off by calling the answer. */
    Runnable schedule(long delayMs, Task task) {
        Timer timer = new Timer(nowMs + delayMs, timersSet++, task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    /** Whether whoever asks is no business of {@code loop}: another loop's task, or another thread. */
    boolean isForeignTo(SteppedLoop loop) {
        Running now = running;
        return now != null && (now.loop != loop || now.thread != Thread.currentThread());
    }

    boolean isRunning(SteppedLoop loop) {
        Running now = running;
        return now != null && now.loop == loop && now.thread == Thread.currentThread();
    }
}
