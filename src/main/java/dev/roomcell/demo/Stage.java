package dev.roomcell.demo;

import dev.roomcell.client.RoomCallException;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Shows one line a step, with what was not as it must be, and keeps the score. Used by one thread. */
final class Stage {
    /** Beyond any deadline of the client: reached by a fault of ours only. */
    private static final long LIMIT_S = 60;

    /** Between two looks, ms. */
    private static final long PAUSE_MS = 100;

    private static final String TICK = "✓";
    private static final String CROSS = "✗";

    private final PrintWriter out;
    private final String good;
    private final String bad;
    private int steps;
    private int failed;
    private boolean unreachable;

    /** {@code charset} is what {@code out} writes; where it has no tick, words stand for it. */
    Stage(PrintWriter out, Charset charset) {
        this.out = out;
        boolean ticks = charset.newEncoder().canEncode(TICK + CROSS);
        this.good = ticks ? TICK : "ok";
        this.bad = ticks ? CROSS : "WRONG";
    }

    /** What a step does and compares. */
    @FunctionalInterface
    interface Scene {
        void play(Step step);
    }

    /** The comparisons of one step. */
    static final class Step {
        private final List<String> complaints = new ArrayList<>();

        /** Complains unless both are equal. */
        void equal(String what, Object expected, Object got) {
            if (!Objects.equals(expected, got)) {
                complaints.add(what + ": expected " + expected + " got " + got);
            }
        }

        /** Complains unless it holds; {@code expected} is the sentence that should be true. */
        void that(String expected, boolean holds, Object got) {
            if (!holds) {
                complaints.add("expected " + expected + " got " + got);
            }
        }

        /** Complains unless the call fails as it must. */
        RoomCallException refused(GrpcStatus status, String reason, Future<?> call) {
            RoomCallException failure = failureOf(reason, call);
            equal("reason", reason, failure.reason());
            // Its toString is the bare number.
            equal(reason + " status", status.name(), failure.status().name());
            equal(reason + " outcome unknown", false, failure.outcomeUnknown());
            return failure;
        }

        private static RoomCallException failureOf(String reason, Future<?> call) {
            Object answer;
            try {
                answer = done(call);
            } catch (RoomCallException refused) {
                if (refused.reason().equals(RoomCallException.CONNECT_FAILED)) {
                    throw refused;
                }
                return refused;
            }
            String type = answer.getClass().getSimpleName();
            throw new IllegalStateException("expected " + reason + " got " + type + " "
                    + answer.toString().replace('\n', ' '));
        }
    }

    /** Plays one step; whatever goes wrong in it is a complaint, and the party goes on. */
    void step(String title, Scene scene) {
        Step step = new Step();
        try {
            scene.play(step);
        } catch (RoomCallException failure) {
            unreachable |= failure.reason().equals(RoomCallException.CONNECT_FAILED);
            step.complaints.add("expected an answer got " + failure.status().name() + " " + failure.getMessage());
        } catch (RuntimeException failure) {
            step.complaints.add(String.valueOf(failure.getMessage()));
        }
        steps++;
        if (step.complaints.isEmpty()) {
            out.println(good + " " + title);
        } else {
            failed++;
            out.println(bad + " " + title + ": " + String.join("; ", step.complaints));
        }
        out.flush();
    }

    /** A line that is no step. */
    void say(String line) {
        out.println(line);
        out.flush();
    }

    /** Looks until what is seen is as it should be, or the time is over; what was seen last. */
    <T> T within(long ms, Supplier<T> look, Predicate<T> asItShouldBe) {
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        T seen = look.get();
        while (!asItShouldBe.test(seen) && System.nanoTime() < untilNs) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
            seen = look.get();
        }
        return seen;
    }

    /** Whether a call could not even be sent. */
    boolean unreachable() {
        return unreachable;
    }

    /** The answer of a call. */
    static <T> T done(Future<T> call) {
        try {
            return call.toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(LIMIT_S, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** The last line; true if everything was as it must be. */
    boolean curtain() {
        out.println(
                failed == 0
                        ? "all " + steps + " steps are as they must be"
                        : failed + " of " + steps + " steps are not as they must be");
        out.flush();
        return failed == 0;
    }
}
