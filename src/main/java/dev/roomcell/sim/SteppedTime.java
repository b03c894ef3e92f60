package dev.roomcell.sim;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.Queue;
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

    /** Guarded by itself: threads of other loops' answers add to it too. */
    private final Queue<Task> ready = new ArrayDeque<>();

    private final IntUnaryOperator turn;
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final AtomicReference<@Nullable AssertionError> reported = new AtomicReference<>();
    private long nowMs;
    private long timersSet;
    private long stepsTaken;
    private volatile @Nullable Running running;

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

    private record Running(Thread thread, @Nullable SteppedLoop loop) {}

    private static final class Timer implements Comparable<Timer> {
        private final long dueMs;
        private final long number;
        /** Null once it was called off; it stays in the queue, as finding it there would cost more. */
        private @Nullable Task task;

        Timer(long dueMs, long number, Task task) {
            this.dueMs = dueMs;
            this.number = number;
            this.task = task;
        }

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
            return ready.isEmpty() && timers.stream().allMatch(timer -> timer.task == null);
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

    /** Runs {@code body} beside every loop, after what is ready now; from any thread. */
    public void beside(Runnable body) {
        enqueue(new Task(null, false, body));
    }

    private @Nullable Task next() {
        while (!timers.isEmpty() && timers.peek().dueMs <= nowMs) {
            Task due = timers.remove().task;
            if (due != null) {
                enqueue(due);
            }
        }
        synchronized (ready) {
            return ready.size() < 2 ? ready.poll() : ofLoop(loopAt(turn.applyAsInt(ready.size())));
        }
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
        return () -> timer.task = null;
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
