package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.dev.ImSink;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LANE-2: what a room's clients see of a node that is a process of its own. */
final class DirectLaneIT {
    private static final RoomKey ROOM = new RoomKey("lane", "room");
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final int GUESTS = 150;

    @TempDir
    Path folder;

    private Vertx vertx;
    private Backends backends;
    private ImSink sink;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        sink = Await.result(ImSink.start(vertx, 0));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private NodeProcess startNode(Map<String, String> more) {
        return NodeProcess.start(folder, backends.environment("lane", more));
    }

    private static String get(String url) {
        try {
            return HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The ids of the events that the room's clients saw, in order. */
    private List<String> seen() {
        JsonArray messages = new JsonArray(get(sink.page() + "rooms/lane/room/messages"));
        return messages.stream()
                .map(message -> ((JsonObject) message).getString("event_id"))
                .toList();
    }

    private List<String> outbox() {
        try (RoomTables now = backends.tables()) {
            List<String> ids = new ArrayList<>();
            for (byte[] envelope : now.envelopes(ROOM)) {
                ids.add(FactEnvelope.parseFrom(envelope).getEventId());
            }
            return ids;
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertDone(RawAnswer answer) {
        assertThat(answer.status()).as(answer.message()).isEqualTo(GrpcStatus.OK);
    }

    /** LANE-6, OUT-8; LEASE-10: the last messages are sent by a node that has been told to stop. */
    @Test
    void clientsSeeEveryEventOfTheirRoomInOrderToTheLast() {
        try (NodeProcess node = startNode(Map.of("ROOM_IM_SINK_URL", sink.url()))) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = RawConnection.open(vertx, ready.grpcPort())) {
                assertDone(connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create")));
                List<Future<RawAnswer>> joins = new ArrayList<>();
                for (int i = 0; i < GUESTS; i++) {
                    joins.add(connection.send(
                            RoomCalls.JOIN_ROOM,
                            RoomCalls.join(ROOM, "guest-" + i, "join-" + i).toByteArray()));
                }
                joins.forEach(join -> assertDone(Await.result(join)));
                Await.until("all that has happened is seen", () -> seen().size() == GUESTS + 1);
                String metrics = get("http://127.0.0.1:" + ready.opsPort() + "/metrics");
                assertThat(metrics)
                        .contains("room_messages_total{outcome=\"sent\",priority=\"\",reason=\"\"} " + (GUESTS + 1)
                                + ".0")
                        .contains(
                                "room_messages_total{outcome=\"dropped\",priority=\"low\",reason=\"queue_full\"} 0.0");
                RawAnswer refused = connection.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(ROOM, "guest-1", "no"));
                assertThat(refused.reason()).isEqualTo("NEED_OWNER");
                assertDone(connection.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(ROOM, "owner", "close")));
                node.signal("TERM");
                assertThat(node.awaitExit()).as(node.tail()).isZero();
            }
            assertThat(seen()).hasSize(GUESTS + 2).isEqualTo(outbox());
            assertThat(node.log()).doesNotContainPattern(" ERROR (?:d\\.r|dev\\.r)");
        }
    }

    /** A COMMIT that never reaches the server: nobody is told what did not happen. */
    @Test
    void nobodySeesACommandThatWasNotCommitted() {
        FaultProxy proxy =
                Await.result(FaultProxy.startMysql(vertx, backends.servers().mysqlPort()));
        Map<String, String> environment =
                Map.of("ROOM_IM_SINK_URL", sink.url(), "ROOM_MYSQL_PORT", Integer.toString(proxy.port()));
        try (NodeProcess node = startNode(environment)) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = RawConnection.open(vertx, ready.grpcPort())) {
                assertDone(connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create")));
                RawAnswer lost = null;
                for (int attempt = 0; lost == null; attempt++) {
                    // The timeout worker commits too; now and then the cut is its.
                    Future<Void> cut = proxy.cutNextCommit(FaultProxy.CutPoint.BEFORE_SERVER);
                    RawAnswer answer = connection.call(
                            RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "early-" + attempt, "early-" + attempt));
                    Await.result(cut);
                    lost = answer.status() == GrpcStatus.OK ? null : answer;
                }
                assertThat(lost.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
                Await.until(
                        "the room works again",
                        () -> connection
                                        .call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "after", "after"))
                                        .status()
                                == GrpcStatus.OK);
                List<String> committed = outbox();
                Await.until("what has happened is seen", () -> seen().size() >= committed.size());
                assertThat(seen()).isEqualTo(committed);
            }
        }
    }

    @Test
    void aSinkThatAnswersNothingHoldsNoCommand() {
        HttpServer silent = Await.result(vertx.createHttpServer()
                .requestHandler(request -> request.pause())
                .listen(0, "127.0.0.1"));
        String url = "http://127.0.0.1:" + silent.actualPort() + "/";
        try (NodeProcess node = startNode(Map.of("ROOM_IM_SINK_URL", url))) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = RawConnection.open(vertx, ready.grpcPort())) {
                assertDone(connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create")));
                for (int i = 0; i < GUESTS; i++) {
                    assertDone(connection.call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "g-" + i, "join-" + i)));
                }
            }
            String metrics = "http://127.0.0.1:" + ready.opsPort() + "/metrics";
            Await.until(
                    "given up",
                    () -> !get(metrics)
                            .contains("room_messages_total{outcome=\"failed\",priority=\"\",reason=\"\"} 0.0"));
            assertThat(get(metrics)).contains("room_messages_total{outcome=\"sent\",priority=\"\",reason=\"\"} 0.0");
            assertThat(node.log()).doesNotContainPattern(" ERROR (?:d\\.r|dev\\.r)");
        }
    }

    @Test
    void withoutASinkMessagesAreCountedAsDropped() {
        try (NodeProcess node = startNode(Map.of())) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = RawConnection.open(vertx, ready.grpcPort())) {
                assertDone(connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create")));
            }
            assertThat(get("http://127.0.0.1:" + ready.opsPort() + "/metrics"))
                    .contains(
                            "room_messages_total{outcome=\"dropped\",priority=\"high\",reason=\"not_connected\"} 1.0");
        }
    }
}
