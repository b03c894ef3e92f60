package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.dev.ImSink;
import dev.roomcell.dev.TencentApp;
import dev.roomcell.dev.TencentFaults;
import dev.roomcell.dev.TencentSimulator;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node, a process of its own, whose rooms' groups are at the simulated Tencent IM. */
final class TencentIT {
    private static final RoomKey ROOM = new RoomKey("tencent", "room");

    @TempDir
    Path folder;

    private final TencentApp app = new TencentApp(1_400_000_000, "administrator", "0123abc");
    private final TencentFaults faults = new TencentFaults();
    private final TencentSimulator simulator = new TencentSimulator(app, System::currentTimeMillis, faults, null);
    private SinkStage stage;

    @BeforeEach
    void start() {
        stage = new SinkStage(folder, ROOM, vertx -> ImSink.start(vertx, 0, simulator));
    }

    @AfterEach
    void stop() {
        stage.close();
    }

    private NodeProcess startNode(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("ROOM_TENCENT_BASE_URL", stage.sink().site());
        environment.put("ROOM_TENCENT_SDK_APP_ID", Long.toString(app.sdkAppId()));
        environment.put("ROOM_TENCENT_SECRET_KEY", app.secretKey());
        return stage.startNode(environment);
    }

    /** LANE-2, ROOM-7. */
    @Test
    @DisplayName("B111, B112: a room has its group before it can be used, and no trouble of Tencent's fails a command")
    void aRoomHasItsGroupFirstAndCommandsDoNotCareForTheRest() {
        try (NodeProcess node = startNode(Map.of("ROOM_TENCENT_SIG_TTL_MS", "5000"))) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = stage.connect(ready)) {
                faults.code(10036, 1);
                RawAnswer refused = connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"));
                assertThat(refused.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
                connection
                        .call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"))
                        .assertOk();
                for (int i = 1; i <= 10; i++) {
                    connection
                            .call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "guest-" + i, "join-" + i))
                            .assertOk();
                }
                Await.until("all that has happened is seen", () -> stage.seen().size() == 11);
                assertThat(stage.seen())
                        .isEqualTo(IntStream.rangeClosed(1, 11)
                                .mapToObj(version -> "room:" + version + ":0")
                                .toList());
                faults.code(70001, 1).loseAnswers(1).code(80002, 1).drop(1);
                for (int i = 11; i <= 16; i++) {
                    connection
                            .call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "guest-" + i, "join-" + i))
                            .assertOk();
                }
                Await.until("the last of it is seen", () -> stage.seen().contains("room:17:0"));
            }
            assertThat(stage.seen()).doesNotHaveDuplicates();
            String metrics = Page.metrics(ready);
            assertThat(metrics)
                    .contains("room_messages_total{outcome=\"dropped\",priority=\"low\",reason=\"by_provider\"} 1.0")
                    .contains("room_messages_total{outcome=\"failed\",priority=\"\",reason=\"\"} 1.0")
                    .contains("room_im_answers_total{code=\"70001\",command=\"send_group_msg\"} 1.0");
            assertThat(node.log()).doesNotContain(app.secretKey()).doesNotContainPattern(" ERROR (?:d\\.r|dev\\.r)");
        }
    }

    @Test
    @DisplayName("B111: above a group's rate messages are dropped and counted, without a storm, and no command fails")
    void aRoomThatIsTooLoudLosesMessagesAndNothingElse() {
        try (NodeProcess node = startNode(Map.of("ROOM_TENCENT_ROOM_MESSAGES_PER_SECOND", "1000"))) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = stage.connect(ready)) {
                connection
                        .call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"))
                        .assertOk();
                stage.joinAll(connection);
                Await.until("each message has its fate", () -> {
                    String now = Page.metrics(ready);
                    return messages(now, "sent", "") + messages(now, "dropped", "by_provider") == SinkStage.GUESTS + 1;
                });
            }
            String now = Page.metrics(ready);
            assertThat(stage.seen()).hasSize(messages(now, "sent", ""));
            assertThat(messages(now, "dropped", "by_provider")).isPositive();
            assertThat(now)
                    .as("a join gives way and is not tried again")
                    .contains("room_im_answers_total{code=\"10023\",command=\"send_group_msg\"} "
                            + messages(now, "dropped", "by_provider") + ".0");
        }
    }

    /** LANE-6. */
    @Test
    @DisplayName("B111: a room within its budget loses the least important, and Tencent has nothing to drop")
    void aRoomWithABudgetDropsForItself() {
        try (NodeProcess node = startNode(Map.of())) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = stage.connect(ready)) {
                connection
                        .call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"))
                        .assertOk();
                stage.joinAll(connection);
                connection
                        .call(RoomCalls.CLOSE_ROOM, RoomCalls.close(ROOM, "owner", "close"))
                        .assertOk();
                Await.until("each message has its fate", () -> {
                    String now = Page.metrics(ready);
                    return messages(now, "sent", "") + messages(now, "dropped", "over_budget") == SinkStage.GUESTS + 2;
                });
            }
            String now = Page.metrics(ready);
            assertThat(messages(now, "dropped", "over_budget")).isPositive();
            assertThat(messages(now, "dropped", "by_provider")).isZero();
            assertThat(stage.seen())
                    .hasSize(messages(now, "sent", ""))
                    .last()
                    .as("the room's end, that everybody must see")
                    .isEqualTo("room:" + (SinkStage.GUESTS + 2) + ":0");
        }
    }

    private void awaitTold(JsonObject body) {
        Await.until("told " + body, () -> simulator.bodies().contains(body));
    }

    private static JsonObject forbidden(String userId, long seconds) {
        return new JsonObject()
                .put("GroupId", ExternalIds.groupId(ROOM))
                .put("Members_Account", new JsonArray().add(userId))
                .put("ShutUpTime", seconds);
    }

    @Test
    @Tag("TIMER-1")
    void theGroupIsToldWhoIsNotHeardAndItsEnd() {
        try (NodeProcess node = startNode(Map.of())) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = stage.connect(ready)) {
                connection
                        .call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"))
                        .assertOk();
                connection
                        .call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "ann", "join"))
                        .assertOk();
                connection
                        .call(RoomCalls.KICK_USER, RoomCalls.kick(ROOM, "ann", "kick"))
                        .assertOk();
                awaitTold(forbidden("ann", 4_294_967_295L));
                connection
                        .call(RoomCalls.UNBAN_USER, RoomCalls.unban(ROOM, "ann", "unban"))
                        .assertOk();
                awaitTold(forbidden("ann", 0));
                connection
                        .call(RoomCalls.CLOSE_ROOM, RoomCalls.close(ROOM, "owner", "close"))
                        .assertOk();
            }
            awaitTold(new JsonObject().put("GroupId", ExternalIds.groupId(ROOM)));
            assertThat(stage.seen()).as("its end was heard").last().isEqualTo("room:5:0");
        }
    }

    /** Of all priorities. */
    private static int messages(String metrics, String outcome, String reason) {
        return metrics.lines()
                .filter(line -> line.startsWith("room_messages_total{outcome=\"" + outcome + "\"")
                        && line.contains(",reason=\"" + reason + "\"}"))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    void aNodeWithASinkAndAnAppDoesNotStart() {
        try (NodeProcess node =
                startNode(Map.of("ROOM_IM_SINK_URL", stage.sink().url()))) {
            assertThat(node.awaitExit()).isNotZero();
            assertThat(node.tail()).contains("im.sink_url: must be empty where tencent.sdk_app_id is set");
        }
    }
}
