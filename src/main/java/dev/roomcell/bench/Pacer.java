package dev.roomcell.bench;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Drives the open loop: commands are due at fixed times, whether earlier ones were answered or not, so that a stalled
 * service cannot hide its stall by being asked less. A thread of its own, since an event loop's timers tick in ms.
 */
final class Pacer extends Thread {
    private final Schedule schedule;
    private final MeasuredWindow window;
    private final List<LoadLoop> loops;

    /**
     * When which command is due.
     *
     * @param startNanos command 0 is due; {@link System#nanoTime()}
     * @param ratePerSecond how many are due each second, > 0
     */
    record Schedule(long startNanos, int ratePerSecond) {
        private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

        long dueNanos(long command) {
            return startNanos + (long) (command * NANOS_PER_SECOND / ratePerSecond);
        }

        /** How many commands are due at {@code nowNanos}. */
        long dueUntil(long nowNanos) {
            long command = (long) Math.max(0, (nowNanos - startNanos) * ratePerSecond / NANOS_PER_SECOND);
            while (dueNanos(command) - nowNanos <= 0) {
                command++;
            }
            while (command > 0 && dueNanos(command - 1) - nowNanos > 0) {
                command--;
            }
            return command;
        }
    }

    Pacer(Schedule schedule, MeasuredWindow window, List<LoadLoop> loops) {
        super("pacer");
        this.schedule = schedule;
        this.window = window;
        this.loops = List.copyOf(loops);
        setDaemon(true);
    }

    @Override
    public void run() {
        long sent = 0;
        long end = schedule.dueUntil(window.endNanos() - 1);
        while (sent < end) {
            long due = Math.min(end, schedule.dueUntil(System.nanoTime()));
            if (due > sent) {
                long from = sent;
                loops.forEach(loop -> loop.runDue(schedule, from, due));
                sent = due;
            }
            LockSupport.parkNanos(Math.max(0, schedule.dueNanos(sent) - System.nanoTime()));
        }
        loops.forEach(LoadLoop::noMoreDue);
    }
}
