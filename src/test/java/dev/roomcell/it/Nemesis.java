package dev.roomcell.it;

import dev.roomcell.it.FaultKind.Strike;
import dev.roomcell.it.FaultSchedule.Step;
import dev.roomcell.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the faults of a schedule come, one step after the other, spread over the time that there is. */
final class Nemesis {
    private static final Logger log = LoggerFactory.getLogger(Nemesis.class);
    /** A step that is not over by then, with a node's start and everything, never will be, s. */
    private static final long STEP_SECONDS = 150;

    /** Between two steps there is so much time at least, ms. */
    private static final long LEAST_PAUSE_MS = 500;

    private final FaultStage stage;
    private final PartyRecord record;
    private final Queue<Struck> struck = new ConcurrentLinkedQueue<>();

    /** A fault that came, and when it was over; by {@link System#nanoTime}. */
    record Struck(Strike strike, long beganNs, long endedNs) {
        long tookMs() {
            return TimeUnit.NANOSECONDS.toMillis(endedNs - beganNs);
        }
    }

    Nemesis(FaultStage stage, PartyRecord record) {
        this.stage = stage;
        this.record = record;
    }

    /**
     * Runs a schedule.
     *
     * @param spreadMs the time for all of it; a fault that lasts too long for its share delays the next ones
     * @param quiet is run after each step that a quiet time follows
     */
    void rage(FaultSchedule schedule, long spreadMs, Runnable quiet) {
        long beganNs = System.nanoTime();
        ExecutorService hands = Executors.newFixedThreadPool(2);
        try {
            for (Step step : schedule.steps()) {
                long dueMs = spreadMs * (step.first() - 1) / schedule.faults();
                long earlyMs = dueMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
                stage.pause(Math.max(earlyMs, LEAST_PAUSE_MS));
                strike(hands, step);
                if (step.thenQuiet()) {
                    quiet.run();
                }
            }
        } finally {
            hands.shutdownNow();
        }
    }

    private void strike(ExecutorService hands, Step step) {
        log.info("{}: {}", step.first(), step.strikes());
        List<Future<?>> under = new ArrayList<>();
        step.strikes().forEach(strike -> under.add(hands.submit(() -> strike(strike))));
        for (Future<?> one : under) {
            try {
                one.get(STEP_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError("the fault did not go as it should: " + step + ": " + e.getCause(), e);
            } catch (InterruptedException | TimeoutException e) {
                throw new AssertionError("the fault does not end: " + step, e);
            }
        }
    }

    private void strike(Strike strike) {
        long beganNs = System.nanoTime();
        strike.kind().strike(stage, record, strike);
        Struck over = new Struck(strike, beganNs, System.nanoTime());
        struck.add(over);
        log.info("{} was over after {} ms", strike.kind(), over.tookMs());
    }

    /** What came so far. */
    List<Struck> struck() {
        return List.copyOf(struck);
    }

    /** Lets time pass until a moment of {@link System#nanoTime}. */
    static void until(String what, long untilNs) {
        Await.until(what, () -> System.nanoTime() - untilNs >= 0);
    }
}
