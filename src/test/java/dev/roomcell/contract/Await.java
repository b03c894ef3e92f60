package dev.roomcell.contract;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits, with a deadline, for what happens on an event loop or in a server. */
final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(10);

    private Await() {}

    /**
     * What the call came to.
     *
     * @throws AssertionError if it fails, or is not over within 20 s
     */
    static <T> T result(Future<T> call) {
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
     * @throws AssertionError if it does not, or is not over within 20 s
     */
    static Throwable failure(Future<?> call) {
        return result(call.transform(over -> over.failed()
                ? Future.succeededFuture(over.cause())
                : Future.failedFuture(new AssertionError("succeeded with " + over.result()))));
    }

    /**
     * Returns as soon as the condition holds.
     *
     * @throws AssertionError if it does not within 20 s
     */
    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
