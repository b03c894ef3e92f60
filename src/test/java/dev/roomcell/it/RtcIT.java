package dev.roomcell.it;

import static dev.roomcell.dev.rtc.RtcEvent.AUDIO_STARTED;
import static dev.roomcell.dev.rtc.RtcEvent.AUDIO_STOPPED;
import static dev.roomcell.dev.rtc.RtcEvent.EXITED;
import static dev.roomcell.proto.room.v1.MicSeatStatus.MIC_SEAT_STATUS_IDLE;
import static dev.roomcell.proto.room.v1.MicSeatStatus.MIC_SEAT_STATUS_PENDING_PUBLISH;
import static dev.roomcell.proto.room.v1.MicSeatStatus.MIC_SEAT_STATUS_PUBLISHING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.adapter.rtc.CallbackSignature;
import dev.roomcell.dev.rtc.CallbackSender.Retries;
import dev.roomcell.dev.rtc.CallbackSender.Sent;
import dev.roomcell.dev.rtc.RtcApp;
import dev.roomcell.dev.rtc.RtcEvent;
import dev.roomcell.dev.rtc.RtcFaults;
import dev.roomcell.dev.rtc.RtcRooms.Removal;
import dev.roomcell.dev.rtc.RtcSimulator;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.admin.v1.DrainRequest;
import dev.roomcell.proto.room.admin.v1.UndrainRequest;
import dev.roomcell.proto.room.v1.RoomSnapshot;
import dev.roomcell.testkit.Await;
import dev.roomcell.verticle.RtcVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two nodes that are told by RTC who speaks, and have RTC take users out. */
final class RtcIT {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static Vertx vertx;
    private static RtcSimulator trtc;
    private static RoomTables tables;
    private static final List<RoomNode> nodes = new ArrayList<>();
    private static final List<RawConnection> to = new ArrayList<>();

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        trtc = Await.result(RtcSimulator.start(vertx, 0, RtcApp.sample(), new Retries(500, 6)));
        Backends backends = Backends.shared();
        for (Map<String, String> member : Backends.cluster(2)) {
            Map<String, String> more = new HashMap<>(member);
            more.putAll(trtc.environment());
            RoomNode node = backends.startNode("rtc-" + nodes.size(), more);
            nodes.add(node);
            to.add(RawConnection.open(vertx, node.grpcPort()));
        }
        trtc.sender().sendTo(List.of(url(0), url(1)));
        tables = backends.tables();
    }

    @AfterAll
    static void stop() {
        tables.close();
        nodes.forEach(node -> Await.result(node.stop()));
        Await.result(vertx.close());
    }

    private static String url(int node) {
        return "http://127.0.0.1:" + nodes.get(node).rtcPort().orElseThrow() + RtcVerticle.PATH;
    }

    private static RtcRoom room(String roomId) {
        return RtcRoom.created(roomId, to.get(0));
    }

    /** What a node answers to a callback, whatever it says, signed as it must be. */
    private static int post(int node, String body) {
        String sign = new CallbackSignature(trtc.app().callbackKey()).of(body.getBytes(StandardCharsets.UTF_8));
        return Await.result(trtc.sender().post(url(node), body, sign, app())).status();
    }

    private static String app() {
        return Integer.toString(trtc.app().sdkAppId());
    }

    private static int send(int node, RtcEvent event) {
        return Await.result(trtc.sender().sendOnce(event, url(node))).status();
    }

    private static String ops(RoomNode node, HttpRequest.Builder request, String path) {
        try {
            URI uri = URI.create("http://127.0.0.1:" + node.opsPort() + path);
            return HTTP.send(request.uri(uri).build(), BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** How many callbacks have come to that, on both nodes. */
    private static double counted(String event, String outcome) {
        String line = "room_rtc_callbacks_total{event=\"" + event + "\",outcome=\"" + outcome + "\"} ";
        return nodes.stream()
                .flatMap(node -> ops(node, HttpRequest.newBuilder(), "/metrics").lines())
                .filter(metric -> metric.startsWith(line))
                .mapToDouble(metric -> Double.parseDouble(metric.substring(line.length())))
                .sum();
    }

    private static void release(RtcRoom room) {
        String query = "?app=" + room.key().appCode() + "&room=" + room.key().roomId();
        HttpRequest.Builder post = HttpRequest.newBuilder().POST(BodyPublishers.noBody());
        assertThat(ops(nodes.get(0), post, "/rooms/release" + query)).contains("released");
    }

    @Test
    void whoSpeaksIsWhatRtcSays() {
        RtcRoom room = room("speaks").seated("ann", 1);
        assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_PENDING_PUBLISH);

        assertThat(send(1, room.event(AUDIO_STARTED, "ann"))).isEqualTo(200);
        assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_PUBLISHING);

        assertThat(send(0, room.laterEvent(EXITED, "ann"))).isEqualTo(200);
        assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_IDLE);
        assertThat(room.now().getOnlineCount()).isEqualTo(1);
        assertThat(tables.owners(room.key())).containsExactly(nodes.get(0).nodeId());
    }

    @Test
    @DisplayName("MIC-9, B38: in whatever order, on whatever node and how often callbacks come, the newest event holds")
    void theNewestEventHolds() {
        RtcRoom room = room("disorder");
        List<String> users =
                IntStream.rangeClosed(1, 8).mapToObj(i -> "user" + i).toList();
        users.forEach(user -> room.seated(user, 1 + users.indexOf(user)));
        List<Future<List<Sent>>> sendings = new ArrayList<>();
        trtc.sender().fail(new RtcFaults(4, 3, 300, 0));
        try {
            for (String user : users) {
                sendings.add(trtc.happen(room.event(AUDIO_STOPPED, user)));
                sendings.add(trtc.happen(room.laterEvent(AUDIO_STARTED, user)));
            }
        } finally {
            trtc.sender().fail(RtcFaults.NONE);
        }
        assertThat(sendings).allSatisfy(sent -> assertThat(Await.result(sent)).hasSizeGreaterThanOrEqualTo(3));

        assertThat(users)
                .allSatisfy(
                        user -> assertThat(room.seat(1 + users.indexOf(user))).isEqualTo(MIC_SEAT_STATUS_PUBLISHING));
        assertThat(counted("audio_started", "replayed")).isGreaterThanOrEqualTo(16);
    }

    @Test
    @DisplayName("B49: a callback with a wrong or missing signature, or the right one of other bytes, is refused")
    void whatRtcHasNotSignedIsRefused() {
        RtcRoom room = room("forged").seated("ann", 1);
        String body = room.event(AUDIO_STARTED, "ann").body(1);
        CallbackSignature ours = new CallbackSignature(trtc.app().callbackKey());
        String sign = ours.of(body.getBytes(StandardCharsets.UTF_8));
        String wrong = new CallbackSignature("another").of(body.getBytes(StandardCharsets.UTF_8));
        String compact = new JsonObject(body).encode();
        double before = counted("other", "unsigned");

        for (List<String> forged :
                List.of(List.of(body, wrong, app()), List.of(body, "", app()), List.of(compact, sign, app()))) {
            assertThat(Await.result(trtc.sender().post(url(0), forged.get(0), forged.get(1), forged.get(2)))
                            .status())
                    .isEqualTo(401);
        }
        assertThat(Await.result(trtc.sender().post(url(0), body, sign, "1")).status())
                .isEqualTo(401);

        assertThat(counted("other", "unsigned") - before).isEqualTo(3);
        assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_PENDING_PUBLISH);
        assertThat(Await.result(trtc.sender().post(url(0), body, sign, app())).status())
                .isEqualTo(200);
        assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_PUBLISHING);
    }

    @Test
    @DisplayName("B45: unknown fields and types, other types of ids, missing fields: taken, or ignored and counted")
    void whatIsNewIsNoReasonToSendItAgain() {
        RtcRoom room = room("new").seated("ann", 1);
        double before = counted("other", "ignored");
        assertThat(post(0, "{\"EventType\":999,\"New\":{\"a\":[1]}}")).isEqualTo(200);
        assertThat(post(0, "{\"EventGroupId\":9,\"EventType\":203}")).isEqualTo(200);
        assertThat(counted("other", "ignored") - before).isEqualTo(2);
        assertThat(post(
                        0,
                        "{\"EventType\":203,\"EventInfo\":{\"RoomId\":8489,\"EventTs\":1664209748,\"UserId\":\"x\"}}"))
                .isEqualTo(200);

        JsonObject body = new JsonObject(room.event(AUDIO_STARTED, "ann").body(1)).put("Later", true);
        body.getJsonObject("EventInfo").put("Role", 20).put("Later", new JsonObject());
        assertThat(post(0, body.encode())).isEqualTo(200);
        assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_PUBLISHING);

        assertThat(post(0, "{\"EventType\":203}")).isEqualTo(400);
        assertThat(post(0, "no JSON")).isEqualTo(400);
        assertThat(post(0, "{\"EventType\":999,\"New\":\"" + "x".repeat(70_000) + "\"}"))
                .isEqualTo(413);
        assertThat(post(0, "{\"EventType\":999}")).isEqualTo(200);
    }

    @Test
    @DisplayName("B46: a room that is none, closed, or without anybody is not loaded for a callback")
    void roomsThatNobodyIsInAreLeftAlone() {
        RtcRoom empty = room("empty");
        release(empty);
        RtcRoom closed = room("closed");
        closed.close();
        RtcRoom none = new RtcRoom(new RoomKey("rtc", "none"), to.get(0));
        RtcRoom ofAnotherApp = new RtcRoom(new RoomKey("other", "empty"), to.get(0));
        double notLive = counted("exited", "room_not_live");
        double ofClosed = counted("exited", "room_closed");
        double ofNone = counted("exited", "no_such_room");
        for (RtcRoom room : List.of(empty, closed, none, ofAnotherApp)) {
            assertThat(send(0, room.event(AUDIO_STARTED, "ann"))).isEqualTo(200);
            assertThat(send(1, room.event(EXITED, "ann"))).isEqualTo(200);
        }
        // At least: users whom other tests put out exit too, when they will.
        assertThat(counted("exited", "room_not_live")).isGreaterThanOrEqualTo(notLive + 1);
        assertThat(counted("exited", "room_closed")).isGreaterThanOrEqualTo(ofClosed + 1);
        assertThat(counted("exited", "no_such_room")).isGreaterThanOrEqualTo(ofNone + 2);
        assertThat(tables.room(empty.key()).orElseThrow().epoch()).isEqualTo(2);
        assertThat(tables.room(none.key())).isEmpty();
    }

    @Test
    @DisplayName("B46: an active room that no node has loaded is loaded, and hears it")
    void aRoomWithSomebodyInItIsLoaded() {
        RtcRoom room = room("asleep").seated("ann", 1);
        release(room);

        assertThat(send(0, room.event(AUDIO_STARTED, "ann"))).isEqualTo(200);

        assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_PUBLISHING);
    }

    @Test
    @DisplayName("B41: what RTC says of who is absent, was kicked, or has no seat changes nothing")
    void whoHasNoSeatLosesNone() {
        RtcRoom room = room("seatless").joined("guest").seated("ben", 1);
        room.kick("ben");
        RoomSnapshot before = room.now();
        for (String user : List.of("nobody", "ben", "guest")) {
            assertThat(send(0, room.laterEvent(EXITED, user))).isEqualTo(200);
            assertThat(send(1, room.laterEvent(AUDIO_STOPPED, user))).isEqualTo(200);
        }

        assertThat(room.now()).isEqualTo(before);
        assertThat(before.getOnlineCount()).isEqualTo(1);
        assertThat(counted("exited", "no_seat")).isGreaterThanOrEqualTo(3);
    }

    @Test
    @DisplayName("B48: a draining node loads nothing for a callback, and never swallows it")
    void aDrainingNodeHandsOnOrSaysNo() {
        RtcRoom room = room("drain").seated("ann", 1);
        to.get(1).call("room.admin.v1.NodeAdminService/Drain", DrainRequest.getDefaultInstance());
        try {
            release(room);
            int status = send(1, room.event(AUDIO_STARTED, "ann"));
            assertThat(status).isIn(200, 503);
            if (status == 503) {
                assertThat(send(0, room.event(AUDIO_STARTED, "ann"))).isEqualTo(200);
            }
            assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_PUBLISHING);
            assertThat(send(1, room.laterEvent(EXITED, "ann")))
                    .as("sent on to the owner")
                    .isEqualTo(200);
            assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_IDLE);
            assertThat(tables.owners(room.key())).containsExactly(nodes.get(0).nodeId());
        } finally {
            to.get(1).call("room.admin.v1.NodeAdminService/Undrain", UndrainRequest.getDefaultInstance());
        }
    }

    @Test
    @DisplayName("TIMER-1: who is kicked is taken out of the RTC room once, and a closed room has none any more")
    void whoIsKickedIsTakenOut() {
        RtcRoom room = room("kick");
        List<String> users = IntStream.range(0, 30).mapToObj(i -> "user" + i).toList();
        for (String user : users) {
            room.joined(user);
            trtc.rooms().enter(room.rtcRoomId(), user);
        }
        trtc.rooms().enter(room.rtcRoomId(), "stays");
        users.forEach(room::kick);
        Await.until("all are gone", () -> trtc.rooms().users(room.rtcRoomId()).equals(List.of("stays")));

        assertThat(trtc.rooms().removals(room.rtcRoomId()))
                .extracting(Removal::userId)
                .containsExactlyInAnyOrderElementsOf(users);
        room.close();
        Await.until(
                "the room is gone", () -> trtc.rooms().users(room.rtcRoomId()).isEmpty());
    }

    @Test
    @DisplayName("MIC-10: who is heard without a seat, and is not in the room, is taken out")
    void whoMayNotBeHeardIsTakenOut() {
        RtcRoom room = room("stranger").joined("ann");

        assertThat(Await.result(trtc.happen(room.event(AUDIO_STARTED, "stranger"))))
                .anyMatch(sent -> sent.status() == 200);

        Await.until(
                "the stranger is out",
                () -> trtc.rooms().users(room.rtcRoomId()).isEmpty());
        assertThat(room.now().getOnlineCount()).isEqualTo(1);
    }
}
