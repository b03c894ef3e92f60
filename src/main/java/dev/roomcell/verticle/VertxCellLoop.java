package dev.roomcell.verticle;

import dev.roomcell.port.CellLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event loop of a verticle, as the core knows it. */
final class VertxCellLoop implements CellLoop {
    private static final Logger log = LoggerFactory.getLogger(VertxCellLoop.class);

    private final Vertx vertx;
    private final Context context;
    private final Thread thread;

    /** The loop of the calling event-loop thread. */
    VertxCellLoop(Vertx vertx, Context context) {
        if (!Context.isOnEventLoopThread()) {
            throw new IllegalStateException("rooms live on an event loop");
        }
        this.vertx = vertx;
        this.context = context;
        this.thread = Thread.currentThread();
    }

    @Override
    public void execute(Runnable task) {
        context.runOnContext(turn -> run(task));
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException fault) {
            log.error("a task of a room loop failed", fault);
        }
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    @Override
    public Cancellable schedule(long delayMs, Runnable task) {
        long timer = vertx.setTimer(delayMs, fired -> execute(task));
        return () -> vertx.cancelTimer(timer);
    }

    @Override
    public <T> Future<T> offload(Callable<T> work) {
        return reenter(context.executeBlocking(work, false));
    }
}
