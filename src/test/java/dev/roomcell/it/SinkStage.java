package dev.roomcell.it;

import dev.roomcell.dev.ImSink;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/** One room of a node that is a process of its own, and a sink that shows what the room's clients see. */
final class SinkStage implements AutoCloseable {
    /** How many come with {@link #joinAll}. */
    static final int GUESTS = 150;

    private final Vertx vertx = Vertx.vertx();
    private final Backends backends = Backends.shared();
    private final Path folder;
    private final RoomKey room;
    private final ImSink sink;

    /**
     * Starts the sink.
     *
     * @param folder for the nodes' logs
     * @param room nodes are called like its app
     * @param sink how to start it
     */
    SinkStage(Path folder, RoomKey room, Function<Vertx, Future<ImSink>> sink) {
        this.folder = folder;
        this.room = room;
        this.sink = Await.result(sink.apply(vertx));
    }

    Vertx vertx() {
        return vertx;
    }

    Backends backends() {
        return backends;
    }

    ImSink sink() {
        return sink;
    }

    /** Starts a node with these variables, and does not wait for it. */
    NodeProcess startNode(Map<String, String> variables) {
        return NodeProcess.start(folder, backends.environment(room.appCode(), variables));
    }

    RawConnection connect(NodeProcess.Ready node) {
        return RawConnection.open(vertx, node.grpcPort());
    }

    /** All guests join at once. */
    void joinAll(RawConnection connection) {
        List<Future<RawAnswer>> joins = IntStream.range(0, GUESTS)
                .mapToObj(i -> connection.send(
                        RoomCalls.JOIN_ROOM,
                        RoomCalls.join(room, "guest-" + i, "join-" + i).toByteArray()))
                .toList();
        joins.forEach(join -> Await.result(join).assertOk());
    }

    /** The ids of the events that the room's clients saw, in order. */
    List<String> seen() {
        return new JsonArray(Page.get(sink.page() + "rooms/" + room.appCode() + "/" + room.roomId() + "/messages"))
                .stream()
                        .map(message -> ((JsonObject) message).getString("event_id"))
                        .toList();
    }

    @Override
    public void close() {
        Await.result(vertx.close());
    }
}
