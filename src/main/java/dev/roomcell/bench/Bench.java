package dev.roomcell.bench;

import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One run: makes the rooms, loads them, and joins what the loops measured. */
final class Bench {
    private static final int ROOMS_AT_ONCE = 64;
    private static final String OWNER = "bench-owner";

    private final BenchSettings settings;
    private final Optional<AckLog> acks;
    private final Consumer<String> progress;

    /** {@code progress} is told, a line each, what the run is doing. */
    Bench(BenchSettings settings, Optional<AckLog> acks, Consumer<String> progress) {
        this.settings = settings;
        this.acks = acks;
        this.progress = progress;
    }

    /**
     * Blocks until the run is over.
     *
     * @throws ExecutionException if it could not be begun: caused by a {@link RoomCallException} if a room could not be
     *     made
     */
    Measurement run() throws ExecutionException, InterruptedException {
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(settings.eventLoops())
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        try {
            makeRooms(vertx);
            return load(vertx);
        } finally {
            await(vertx.close());
        }
    }

    private void makeRooms(Vertx vertx) throws ExecutionException, InterruptedException {
        RoomClient client = RoomClient.create(vertx, RoomClientOptions.to(settings.target()));
        AtomicInteger next = new AtomicInteger();
        List<Future<Void>> chains = new ArrayList<>();
        for (int i = 0; i < Math.min(ROOMS_AT_ONCE, settings.rooms()); i++) {
            chains.add(makeRooms(client, next));
        }
        await(Future.all(chains));
        await(client.close());
        progress.accept("rooms: " + settings.rooms() + ", " + settings.room(0) + " and on");
    }

    /** Makes one room after the other until all are made. */
    private Future<Void> makeRooms(RoomClient client, AtomicInteger next) {
        int index = next.getAndIncrement();
        return index >= settings.rooms()
                ? Future.succeededFuture()
                : makeRoom(client, index).compose(made -> makeRooms(client, next));
    }

    private Future<Void> makeRoom(RoomClient client, int index) {
        String room = settings.room(index);
        String commandId = settings.runId() + "-create-" + index;
        CreateRoomRequest request = CreateRoomRequest.newBuilder()
                .setMeta(CommandMeta.newBuilder()
                        .setAppCode(settings.app())
                        .setActorUserId(OWNER)
                        .setCommandId(commandId))
                .setRoomId(room)
                .setTitle("bench room " + index)
                .build();
        return client.createRoom(request)
                .<Void>map(made -> {
                    acks.ifPresent(log -> log.append(new VirtualClient.Ack(
                            room, commandId, made.getResult().getRoomVersion(), "CREATE_ROOM")));
                    return null;
                })
                .recover(failure -> isThere(failure) ? Future.succeededFuture() : Future.failedFuture(failure));
    }

    /** A room that an earlier run with the same prefix made will do. */
    private static boolean isThere(Throwable failure) {
        return failure instanceof RoomCallException refused && refused.reason().equals("ROOM_EXISTS");
    }

    private Measurement load(Vertx vertx) throws ExecutionException, InterruptedException {
        MeasuredWindow window = MeasuredWindow.from(System.nanoTime(), settings.warmupSeconds(), settings.seconds());
        List<LoadLoop> loops = new ArrayList<>();
        List<Future<?>> deployed = new ArrayList<>();
        for (int i = 0; i < settings.connections(); i++) {
            LoadLoop loop = new LoadLoop(settings, i, window, acks);
            loops.add(loop);
            deployed.add(vertx.deployVerticle(loop));
        }
        await(Future.all(deployed));
        progress.accept("load: " + settings.warmupSeconds() + " s warm-up, then " + settings.seconds() + " s measured");
        if (settings.openLoop()) {
            new Pacer(new Pacer.Schedule(window.startNanos(), settings.ratePerSecond()), window, loops).start();
        } else {
            loops.forEach(LoadLoop::runClosed);
        }
        await(Future.all(loops.stream().map(LoadLoop::finished).toList()));
        Measurement whole = new Measurement(window);
        loops.forEach(loop -> whole.add(loop.measurement()));
        return whole;
    }

    private static void await(Future<?> future) throws ExecutionException, InterruptedException {
        future.toCompletionStage().toCompletableFuture().get();
    }
}
