package dev.roomcell.client;

import io.vertx.core.Future;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Waits for futures on the test's thread. */
final class Done {
    private static final long LIMIT_S = 20;

    private Done() {}

    /** The result; what the future failed with is thrown. */
    static <T> T of(Future<T> future) {
        try {
            return future.toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(LIMIT_S, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** What the call failed with. */
    static RoomCallException failureOf(Future<?> call) {
        try {
            Object answer = of(call);
            throw new AssertionError("expected a failure, got " + answer);
        } catch (RoomCallException e) {
            return e;
        }
    }
}
