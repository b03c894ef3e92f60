package dev.roomcell.client;

import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A client, and a node that answers as it is told. */
abstract class ClientScene {
    static final JoinRoomRequest JOIN = JoinRoomRequest.newBuilder()
            .setMeta(CommandMeta.newBuilder()
                    .setAppCode("a")
                    .setActorUserId("u")
                    .setCommandId("c-1")
                    .setSentAtMs(7))
            .setRoomId("r")
            .build();

    final AtomicInteger waits = new AtomicInteger();
    final Vertx vertx = Vertx.vertx();
    final ScriptedNode node = ScriptedNode.start(vertx);

    @BeforeEach
    void countNoWaits() {
        waits.set(0);
    }

    @AfterEach
    void stop() {
        Done.of(vertx.close());
    }

    RoomClient client(String seeds) {
        return client(RoomClientOptions.to(seeds));
    }

    /** Short waits, and every draw of one counted. */
    RoomClient client(RoomClientOptions options) {
        return RoomClient.create(
                vertx,
                options.withBackoff(1, 20)
                        .withSources(
                                () -> 4_711,
                                () -> {
                                    waits.incrementAndGet();
                                    return 0.5;
                                },
                                () -> "made"));
    }

    RoomClient impatient() {
        return client(RoomClientOptions.to(node.address()).withTimeouts(1_500, 200));
    }

    static long version(Future<JoinRoomResponse> call) {
        return Done.of(call).getResult().getRoomVersion();
    }
}
