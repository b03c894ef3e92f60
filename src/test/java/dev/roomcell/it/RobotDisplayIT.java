package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.dev.ImSink;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.PresenceKind;
import dev.roomcell.proto.room.v1.PublishRobotDisplayRequest;
import dev.roomcell.proto.room.v1.PublishRobotDisplayResponse;
import dev.roomcell.proto.room.v1.RetryHint;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What robots show, through two nodes that find each other, as it reaches the clients of their rooms. */
@Alone
final class RobotDisplayIT {
    private static final String ROBOT = "robot-1";
    private static final int IN_A_SECOND = 3;
    private static Vertx vertx;
    private static Backends backends;
    private static ImSink sink;
    private static final List<RoomNode> nodes = new ArrayList<>();
    private static final List<RawConnection> to = new ArrayList<>();

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        sink = Await.result(ImSink.start(vertx, 0));
        for (Map<String, String> member : Backends.cluster(2)) {
            Map<String, String> more = new TreeMap<>(member);
            more.put("ROOM_IM_SINK_URL", sink.url());
            more.put("ROOM_IM_DISPLAYS_PER_SECOND", Integer.toString(IN_A_SECOND));
            RoomNode node = backends.startNode("display-" + nodes.size(), more);
            nodes.add(node);
            to.add(RawConnection.open(vertx, node.grpcPort()));
        }
    }

    @AfterAll
    static void stop() {
        Await.result(Future.join(nodes.stream().map(RoomNode::stop).toList()));
        Await.result(vertx.close());
    }

    /** A room that the first node owns, with a robot and the user "ann" in it: version 3. */
    private static RoomKey room(String roomId) {
        RoomKey room = new RoomKey("display", roomId);
        makeRoom(to.get(0), room);
        return room;
    }

    private static void makeRoom(RawConnection node, RoomKey room) {
        JoinRoomRequest asRobot = RoomCalls.join(room, ROBOT, "join-robot").toBuilder()
                .setKind(PresenceKind.PRESENCE_KIND_ROBOT)
                .build();
        node.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create")).assertOk();
        node.call(RoomCalls.JOIN_ROOM, asRobot).assertOk();
        node.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "ann", "join-ann")).assertOk();
    }

    private static RawAnswer show(int node, RoomKey room, String robotId, String type, String payloadJson) {
        return to.get(node).call(RoomCalls.PUBLISH_ROBOT_DISPLAY, RoomCalls.display(room, robotId, type, payloadJson));
    }

    /** The displays that the room's clients saw, in order. */
    private static List<JsonObject> seen(RoomKey room) {
        return new JsonArray(Page.get(sink.page() + "rooms/" + room.appCode() + "/" + room.roomId() + "/messages"))
                .stream()
                        .map(JsonObject.class::cast)
                        .filter(message -> message.getString("type").equals("ROBOT_DISPLAY"))
                        .toList();
    }

    private static String metrics(RoomNode node) {
        return Page.get("http://127.0.0.1:" + node.opsPort() + "/metrics");
    }

    @Test
    @Tag("LANE-5")
    void aDisplayReachesTheClientsThroughWhicheverNodeAndMakesNoVersionAndNoFact() throws Exception {
        RoomKey room = room("shown");
        RawAnswer answer = show(1, room, ROBOT, "dance.v2", "{\"steps\": [1, 2]}");
        answer.assertOk();
        PublishRobotDisplayResponse reply = PublishRobotDisplayResponse.parseFrom(answer.reply());
        assertThat(reply.getRoomVersion()).isEqualTo(3);
        assertThat(reply.getServerTimeMs()).isPositive();

        Await.until("it is seen", () -> seen(room).size() == 1);
        JsonObject shown = seen(room).get(0);
        assertThat(shown.getString("occurred_at_ms")).matches("\\d+");
        shown.remove("occurred_at_ms");
        assertThat(shown)
                .isEqualTo(new JsonObject()
                        .put("type", "ROBOT_DISPLAY")
                        .put("app_code", "display")
                        .put("room_id", "shown")
                        .put("room_version", "3")
                        .put("actor_user_id", ROBOT)
                        .put("display_type", "dance.v2")
                        .put("payload", new JsonObject().put("steps", JsonArray.of(1, 2))));
        RawAnswer after = to.get(0).call(RoomCalls.GET_ROOM, RoomCalls.get(room));
        assertThat(GetRoomResponse.parseFrom(after.reply()).getRoom().getRoomVersion())
                .isEqualTo(3);
        try (RoomTables now = backends.tables()) {
            assertThat(now.envelopes(room))
                    .as("a room and a user; robots make no facts")
                    .hasSize(2);
        }
    }

    @Test
    @Tag("PRES-8")
    void whoeverIsNoRobotInTheRoomShowsNothing() {
        RoomKey room = room("strangers");
        for (String actor : List.of("ann", "nobody")) {
            RawAnswer refused = show(1, room, actor, "dance", "");
            assertThat(refused.reason()).as(actor).isEqualTo("NOT_PRESENT");
            assertThat(refused.status()).isEqualTo(GrpcStatus.FAILED_PRECONDITION);
            assertThat(refused.metadata()).isEqualTo(Map.of("user_id", actor));
        }
        assertThat(show(1, new RoomKey("display", "never"), ROBOT, "dance", "").reason())
                .isEqualTo("ROOM_NOT_FOUND");
        to.get(0)
                .call(RoomCalls.CLOSE_ROOM, RoomCalls.close(room, "owner", "close"))
                .assertOk();
        assertThat(show(1, room, ROBOT, "dance", "").reason()).isEqualTo("ROOM_CLOSED");
        assertThat(seen(room)).isEmpty();
    }

    /** SEC-2. */
    @Test
    void whatIsNotAsItMustBeIsNamed() {
        RoomKey room = room("fields");
        for (String type : List.of("", "t".repeat(65), "d nce", "dänce", "dance\n", "a/b")) {
            assertInvalid("display_type", show(0, room, ROBOT, type, ""));
        }
        String longest = "{\"a\":\"" + "x".repeat(8_192 - 8) + "\"}";
        for (String payload : List.of(longest + " ", "[]", "dance", "{}{}", "{/**/}", "{\"a\":\0}")) {
            assertInvalid("payload_json", show(0, room, ROBOT, "dance", payload));
        }
        PublishRobotDisplayRequest good = RoomCalls.display(room, ROBOT, "t".repeat(64), longest);
        assertInvalid("meta.actor_user_id", show(0, room, "", "dance", ""));
        assertInvalid(
                "room_id",
                to.get(0)
                        .call(
                                RoomCalls.PUBLISH_ROBOT_DISPLAY,
                                good.toBuilder().setRoomId("").build()));
        assertThat(seen(room)).isEmpty();

        to.get(0).call(RoomCalls.PUBLISH_ROBOT_DISPLAY, good).assertOk();
        Await.until("the longest is seen", () -> seen(room).size() == 1);
    }

    private static void assertInvalid(String field, RawAnswer answer) {
        assertThat(answer.reason()).as(field).isEqualTo("INVALID_FIELD");
        assertThat(answer.field()).isEqualTo(field);
    }

    @Test
    void aRoomShowsSoManyInASecondAndTheCallerIsToldToComeBack() {
        RoomKey room = room("flood");
        List<Future<RawAnswer>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            calls.add(to.get(0)
                    .send(
                            RoomCalls.PUBLISH_ROBOT_DISPLAY,
                            RoomCalls.display(room, ROBOT, "d" + i, "").toByteArray()));
        }
        List<RawAnswer> answers = calls.stream().map(Await::result).toList();
        List<RawAnswer> refused = answers.stream()
                .filter(answer -> answer.status() != GrpcStatus.OK)
                .toList();
        // Fifty calls may take a second or two on a slow machine.
        assertThat(refused).hasSizeGreaterThan(25).allSatisfy(answer -> {
            assertThat(answer.reason()).isEqualTo("OVERLOADED");
            assertThat(answer.retry()).isEqualTo(RetryHint.Kind.KIND_AFTER);
        });
        int taken = answers.size() - refused.size();
        assertThat(taken).isGreaterThanOrEqualTo(IN_A_SECOND);
        Await.until("those that were taken are seen", () -> seen(room).size() == taken);
        assertThat(metrics(nodes.get(0)))
                .contains("room_displays_total{outcome=\"refused\",reason=\"too_many_in_room\"} " + refused.size()
                        + ".0");
    }

    @Test
    void withoutASinkTheCallerIsAnsweredAndTheDisplayCounted() {
        RoomNode alone = backends.startNode("display-alone", Map.of());
        try (RawConnection connection = RawConnection.open(vertx, alone.grpcPort())) {
            RoomKey room = new RoomKey("display", "alone");
            makeRoom(connection, room);
            connection
                    .call(RoomCalls.PUBLISH_ROBOT_DISPLAY, RoomCalls.display(room, ROBOT, "dance", ""))
                    .assertOk();
            assertThat(metrics(alone))
                    .contains("room_displays_total{outcome=\"dropped\",reason=\"not_connected\"} 1.0");
        } finally {
            Await.result(alone.stop());
        }
    }
}
