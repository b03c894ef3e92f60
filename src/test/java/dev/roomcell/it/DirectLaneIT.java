package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.dev.ImSink;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.common.GrpcStatus;
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

    @TempDir
    Path folder;

    private SinkStage stage;

    @BeforeEach
    void start() {
        stage = new SinkStage(folder, ROOM, vertx -> ImSink.start(vertx, 0));
    }

    @AfterEach
    void stop() {
        stage.close();
    }

    private List<String> outbox() {
        try (RoomTables now = stage.backends().tables()) {
            List<String> ids = new ArrayList<>();
            for (byte[] envelope : now.envelopes(ROOM)) {
                ids.add(FactEnvelope.parseFrom(envelope).getEventId());
            }
            return ids;
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** LANE-6, OUT-8; LEASE-10: the last messages are sent by a node that has been told to stop. */
    @Test
    void clientsSeeEveryEventOfTheirRoomInOrderToTheLast() {
        try (NodeProcess node =
                stage.startNode(Map.of("ROOM_IM_SINK_URL", stage.sink().url()))) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = stage.connect(ready)) {
                connection
                        .call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"))
                        .assertOk();
                stage.joinAll(connection);
                Await.until("all that has happened is seen", () -> stage.seen().size() == SinkStage.GUESTS + 1);
                Await.until(
                        "all that was seen is counted",
                        () -> Page.metrics(ready)
                                .contains("room_messages_total{outcome=\"sent\",priority=\"\",reason=\"\"} "
                                        + (SinkStage.GUESTS + 1) + ".0"));
                assertThat(Page.metrics(ready))
                        .contains(
                                "room_messages_total{outcome=\"dropped\",priority=\"low\",reason=\"queue_full\"} 0.0");
                RawAnswer refused = connection.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(ROOM, "guest-1", "no"));
                assertThat(refused.reason()).isEqualTo("NEED_OWNER");
                connection
                        .call(RoomCalls.CLOSE_ROOM, RoomCalls.close(ROOM, "owner", "close"))
                        .assertOk();
                node.signal("TERM");
                assertThat(node.awaitExit()).as(node.tail()).isZero();
            }
            assertThat(stage.seen()).hasSize(SinkStage.GUESTS + 2).isEqualTo(outbox());
            assertThat(node.log()).doesNotContainPattern(" ERROR (?:d\\.r|dev\\.r)");
        }
    }

    /** A COMMIT that never reaches the server: nobody is told what did not happen. */
    @Test
    void nobodySeesACommandThatWasNotCommitted() {
        FaultProxy proxy = Await.result(
                FaultProxy.startMysql(stage.vertx(), stage.backends().servers().mysqlPort()));
        Map<String, String> environment =
                Map.of("ROOM_IM_SINK_URL", stage.sink().url(), "ROOM_MYSQL_PORT", Integer.toString(proxy.port()));
        try (NodeProcess node = stage.startNode(environment)) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = stage.connect(ready)) {
                connection
                        .call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"))
                        .assertOk();
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
                Await.until("what has happened is seen", () -> stage.seen().size() >= committed.size());
                assertThat(stage.seen()).isEqualTo(committed);
            }
        }
    }

    @Test
    void aSinkThatAnswersNothingHoldsNoCommand() {
        HttpServer silent = Await.result(stage.vertx()
                .createHttpServer()
                .requestHandler(request -> request.pause())
                .listen(0, "127.0.0.1"));
        String url = "http://127.0.0.1:" + silent.actualPort() + "/";
        try (NodeProcess node = stage.startNode(Map.of("ROOM_IM_SINK_URL", url))) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = stage.connect(ready)) {
                connection
                        .call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"))
                        .assertOk();
                for (int i = 0; i < SinkStage.GUESTS; i++) {
                    connection
                            .call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "g-" + i, "join-" + i))
                            .assertOk();
                }
            }
            Await.until(
                    "given up",
                    () -> !Page.metrics(ready)
                            .contains("room_messages_total{outcome=\"failed\",priority=\"\",reason=\"\"} 0.0"));
            assertThat(Page.metrics(ready))
                    .contains("room_messages_total{outcome=\"sent\",priority=\"\",reason=\"\"} 0.0");
            assertThat(node.log()).doesNotContainPattern(" ERROR (?:d\\.r|dev\\.r)");
        }
    }

    @Test
    void withoutASinkMessagesAreCountedAsDropped() {
        try (NodeProcess node = stage.startNode(Map.of())) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = stage.connect(ready)) {
                connection
                        .call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"))
                        .assertOk();
            }
            assertThat(Page.metrics(ready))
                    .contains(
                            "room_messages_total{outcome=\"dropped\",priority=\"high\",reason=\"not_connected\"} 1.0");
        }
    }
}
