package dev.roomcell.bench;

import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** One connection and the clients that share it, on one event loop. */
final class LoadLoop extends VerticleBase {
    /** After a command that failed for good; else a service that refuses everything would be asked without a pause. */
    private static final long PAUSE_AFTER_FAILURE_MS = 100;

    private final BenchSettings settings;
    private final int number;
    private final MeasuredWindow window;
    private final Optional<AckLog> acks;
    private final Measurement measurement;
    private final Queue<VirtualClient> idle = new ArrayDeque<>();
    private final Promise<Void> finished = Promise.promise();
    private @Nullable RoomClient client;
    private int underWay;
    private boolean noMore;

    LoadLoop(BenchSettings settings, int number, MeasuredWindow window, Optional<AckLog> acks) {
        this.settings = settings;
        this.number = number;
        this.window = window;
        this.acks = acks;
        this.measurement = new Measurement(window);
    }

    @Override
    public Future<?> start() {
        RoomClient made = RoomClient.create(
                vertx,
                RoomClientOptions.to(settings.target())
                        .withRetryObserver(failure -> measurement.retried(System.nanoTime(), failure.reason())));
        client = made;
        for (int i = number; i < settings.clients(); i += settings.connections()) {
            String name = settings.runId() + "-" + i;
            idle.add(new VirtualClient(
                    made, settings.command(), settings.app(), settings.room(i % settings.rooms()), name));
        }
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        return client == null ? Future.succeededFuture() : client.close();
    }

    /** Ends when every command has its answer, or has failed. */
    Future<Void> finished() {
        return finished.future();
    }

    /** To be read when {@link #finished()}. */
    Measurement measurement() {
        return measurement;
    }

    /** Lets every client send one command after the other until the window is over. */
    void runClosed() {
        context.runOnContext(v -> {
            noMore = idle.isEmpty();
            VirtualClient next = idle.poll();
            while (next != null) {
                runOn(next);
                next = idle.poll();
            }
            finishIfDone();
        });
    }

    private void runOn(VirtualClient user) {
        long begunNanos = System.nanoTime();
        if (window.over(begunNanos)) {
            noMore = true;
            return;
        }
        issue(user, begunNanos);
    }

    /**
     * Sends the open loop's commands that are due, as many as there are idle clients; what exceeds is an error.
     *
     * @param schedule when which command is due
     * @param from the first command
     * @param to the one after the last; only every {@code connections}-th is this loop's
     */
    void runDue(Pacer.Schedule schedule, long from, long to) {
        context.runOnContext(v -> {
            for (long i = from; i < to; i++) {
                if (i % settings.connections() == number) {
                    runDue(schedule.dueNanos(i));
                }
            }
        });
    }

    private void runDue(long dueNanos) {
        VirtualClient user = idle.poll();
        if (user == null) {
            measurement.failed(dueNanos, "IN_FLIGHT_LIMIT");
        } else {
            issue(user, dueNanos);
        }
    }

    /** The open loop sends nothing more. */
    void noMoreDue() {
        context.runOnContext(v -> {
            noMore = true;
            finishIfDone();
        });
    }

    private void issue(VirtualClient user, long begunNanos) {
        underWay++;
        user.next().onComplete(ack -> succeeded(user, begunNanos, ack), failure -> failed(user, begunNanos, failure));
    }

    private void succeeded(VirtualClient user, long begunNanos, VirtualClient.Ack ack) {
        measurement.succeeded(begunNanos, System.nanoTime());
        acks.ifPresent(log -> log.append(ack));
        goOn(user);
    }

    private void failed(VirtualClient user, long begunNanos, Throwable failure) {
        measurement.failed(
                begunNanos,
                failure instanceof RoomCallException refused
                        ? refused.reason()
                        : failure.getClass().getSimpleName());
        user.startOver();
        vertx.setTimer(PAUSE_AFTER_FAILURE_MS, id -> goOn(user));
    }

    private void goOn(VirtualClient user) {
        underWay--;
        if (settings.openLoop()) {
            idle.add(user);
        } else {
            runOn(user);
        }
        finishIfDone();
    }

    private void finishIfDone() {
        if (noMore && underWay == 0) {
            finished.tryComplete();
        }
    }
}
