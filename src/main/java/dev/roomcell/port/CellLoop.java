package dev.roomcell.port;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Callable;

/**
 * The one thread that a set of room cells lives on. Whatever comes back to a cell from outside enters through {@link
 * #execute}; a promise that another thread completed would otherwise resume the room on that thread.
 */
public interface CellLoop {
    /** Runs {@code task} on the loop, after what is running now; callable from any thread; keeps the caller's order. */
    void execute(Runnable task);

    /** Whether the calling thread is the loop. */
    boolean isCurrent();

    /** Runs {@code task} on the loop once, {@code delayMs} (at least 1 ms) from now. */
    Cancellable schedule(long delayMs, Runnable task);

    /** Runs {@code work} off the loop, where it may take its time; the future completes on the loop. */
    <T> Future<T> offload(Callable<T> work);

    /** A scheduled task that can be called off. */
    interface Cancellable {
        /** Calls the task off; no effect once it has run. */
        void cancel();
    }

    /** {@code future}, with everything that hangs on it run on the loop, whichever thread completes it. */
    default <T> Future<T> reenter(Future<T> future) {
        Promise<T> onLoop = Promise.promise();
        future.onComplete(result -> execute(() -> onLoop.handle(result)));
        return onLoop.future();
    }
}
