package dev.roomcell.testkit;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits, with a deadline, for what happens on an event loop, in a server or in another process. */
public final class Await {
    /** What has not happened by then does not happen. Generous: the machine may be busy with other builds. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(10);

    private Await() {}

    /**
     * What the call came to.
     *
     * @throws AssertionError if it fails, or is not over within the limit
     */
    public static <T> T result(Future<T> call) {
        Throwable failure;
        try {
            return call.toCompletionStage().toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            failure = e.getCause();
        } catch (TimeoutException | InterruptedException e) {
            failure = e;
        }
        throw new AssertionError("the call failed: " + failure, failure);
    }

    /**
     * How the call failed.
     *
     * @throws AssertionError if it does not, or is not over within the limit
     */
    public static Throwable failure(Future<?> call) {
        return result(call.transform(over -> over.failed()
                ? Future.succeededFuture(over.cause())
                : Future.failedFuture(new AssertionError("succeeded with " + over.result()))));
    }

    /**
     * Returns as soon as the condition holds.
     *
     * @throws AssertionError if it does not within the limit
     */
    public static void until(String what, BooleanSupplier condition) {
        value(what, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /**
     * The value, as soon as there is one.
     *
     * @throws AssertionError if there is none within the limit
     */
    public static <T> T value(String what, Supplier<Optional<T>> source) {
        long deadlineNanos = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            Optional<T> value = source.get();
            if (value.isPresent()) {
                return value.get();
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
