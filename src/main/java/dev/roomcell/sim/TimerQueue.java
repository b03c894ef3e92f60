package dev.roomcell.sim;

import dev.roomcell.sim.SteppedTime.Task;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Timers by their time, and those of one time in the order of their setting: a binary heap that knows where each of them
 * is. Most are called off long before they are due, and must not be in the way of the others until then. Not thread-safe.
 */
final class TimerQueue {
    private static final int FIRST_SIZE = 64;
    private static final int GONE = -1;

    private @Nullable Timer[] heap = new Timer[FIRST_SIZE];
    private int size;
    private long set;

    /** A timer. */
    static final class Timer {
        final long dueMs;
        final Task task;
        private final long number;
        private int index;

        private Timer(long dueMs, long number, Task task) {
            this.dueMs = dueMs;
            this.number = number;
            this.task = task;
        }

        private boolean isBefore(Timer other) {
            return dueMs < other.dueMs || (dueMs == other.dueMs && number < other.number);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The next that is due, if there is one. */
    @Nullable
    Timer first() {
        return heap[0];
    }

    Timer add(long dueMs, Task task) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        Timer timer = new Timer(dueMs, set++, task);
        up(size++, timer);
        return timer;
    }

    /** Takes a timer out; no effect when it is out. */
    void remove(Timer timer) {
        int index = timer.index;
        if (index == GONE) {
            return;
        }
        timer.index = GONE;
        Timer last = at(--size);
        heap[size] = null;
        if (last != timer) {
            down(index, last);
            if (last.index == index) {
                up(index, last);
            }
        }
    }

    private Timer at(int index) {
        Timer timer = heap[index];
        if (timer == null) {
            throw new IllegalStateException("no timer at " + index + " of " + size);
        }
        return timer;
    }

    private void put(int index, Timer timer) {
        heap[index] = timer;
        timer.index = index;
    }

    private void up(int from, Timer timer) {
        int index = from;
        while (index > 0) {
            int above = (index - 1) / 2;
            Timer parent = at(above);
            if (!timer.isBefore(parent)) {
                break;
            }
            put(index, parent);
            index = above;
        }
        put(index, timer);
    }

    private void down(int from, Timer timer) {
        int index = from;
        while (2 * index + 1 < size) {
            int below = 2 * index + 1;
            if (below + 1 < size && at(below + 1).isBefore(at(below))) {
                below++;
            }
            if (!at(below).isBefore(timer)) {
                break;
            }
            put(index, at(below));
            index = below;
        }
        put(index, timer);
    }
}
