package dev.roomcell.sim;

import dev.roomcell.check.Invariant;
import dev.roomcell.check.Violation;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.sim.Simulation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Runs the simulations of many seeds, one on each thread at a time. */
final class Seeds {
    /** One of so many seeds is run twice, and must be the same twice. */
    private static final int TWICE_EVERY = 100;

    private final long first;
    private final long end;
    private final int threads;
    private final boolean traced;
    private final Flaw flaw;
    private final AtomicLong next;

    /** So many seeds from {@code first} on. */
    Seeds(long first, long count, int threads, boolean traced) {
        this(first, count, threads, traced, Flaw.NONE);
    }

    /** The same, of clusters with a flaw. */
    Seeds(long first, long count, int threads, boolean traced, Flaw flaw) {
        this.first = first;
        this.end = first + count;
        this.threads = threads;
        this.traced = traced;
        this.flaw = flaw;
        this.next = new AtomicLong(first);
    }

    /** Runs them all; {@code told} hears each outcome, one at a time, on whichever thread. */
    void run(Consumer<Outcome> told) throws InterruptedException {
        List<Thread> running = new ArrayList<>();
        CoreLog log = new CoreLog();
        try {
            for (int i = 0; i < threads; i++) {
                Thread thread = new Thread(() -> runNext(told), "simulation-" + i);
                thread.start();
                running.add(thread);
            }
            for (Thread thread : running) {
                thread.join();
            }
        } finally {
            log.giveBack();
        }
    }

    private void runNext(Consumer<Outcome> told) {
        for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
            Outcome outcome = outcome(seed);
            synchronized (this) {
                told.accept(outcome);
            }
        }
    }

    private Outcome outcome(long seed) {
        Outcome outcome = Simulation.run(seed, traced, flaw);
        boolean twice = (seed - first) % TWICE_EVERY == 0;
        if (outcome.violations().isEmpty() && !twice) {
            return outcome;
        }
        // A failure is told with its trace, which costs too much to be kept each time.
        Outcome again = Simulation.run(seed, traced || !outcome.violations().isEmpty(), flaw);
        return again.hash() == outcome.hash() ? again : again.with(notTheSame(outcome, again));
    }

    private static Violation notTheSame(Outcome first, Outcome second) {
        return new Violation(
                Invariant.I14,
                new RoomKey("-", "-"),
                "the same seed is not the same life: " + Long.toHexString(first.hash()) + " of " + first.events()
                        + " events, then " + Long.toHexString(second.hash()) + " of " + second.events());
    }
}
