package dev.roomcell.testkit;

import dev.roomcell.sim.SteppedTime;

/** Runs things on threads that are no loop's. */
public final class ForeignThread {
    private ForeignThread() {}

    /**
     * Runs {@code body} on a thread of its own, after what is ready now; time stands still until it is over. Its failure
     * is reported.
     */
    public static void run(SteppedTime time, Runnable body) {
        time.beside(() -> runNow(time, body));
    }

    private static void runNow(SteppedTime time, Runnable body) {
        Thread foreign = new Thread(body, "foreign");
        foreign.setUncaughtExceptionHandler(
                (thread, thrown) -> time.report(new AssertionError("a foreign thread failed", thrown)));
        foreign.start();
        try {
            foreign.join();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while a foreign thread ran", e);
        }
    }
}
