package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.dev.ImSink;
import dev.roomcell.dev.TencentApp;
import dev.roomcell.dev.TencentFaults;
import dev.roomcell.dev.TencentSimulator;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.MuteUserRequest;
import dev.roomcell.proto.room.v1.SetChatEnabledRequest;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tencent IM asks two nodes who may write; the first of them owns the room. */
final class WebhookIT {
    private static final TencentApp APP = new TencentApp(1_400_000_000, "administrator", "0123abc");
    private static final String TOKEN = "a token of the console's";
    private static final int NODES = 2;
    private static final int ASKED = Integer.getInteger("webhook.calls", 300);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static Vertx vertx;
    private static final List<RoomNode> nodes = new ArrayList<>();
    private static final List<Integer> webhooks = new ArrayList<>();
    private static RawConnection owner;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        ImSink sink = Await.result(ImSink.start(
                vertx, 0, new TencentSimulator(APP, System::currentTimeMillis, new TencentFaults(), null)));
        Backends backends = Backends.shared();
        List<Map<String, String>> cluster = Backends.cluster(NODES);
        for (int i = 0; i < NODES; i++) {
            int port = Backends.freePort();
            Map<String, String> environment = new HashMap<>(cluster.get(i));
            environment.put("ROOM_TENCENT_BASE_URL", sink.site());
            environment.put("ROOM_TENCENT_SDK_APP_ID", Long.toString(APP.sdkAppId()));
            environment.put("ROOM_TENCENT_SECRET_KEY", APP.secretKey());
            environment.put("ROOM_WEBHOOK_PORT", Integer.toString(port));
            environment.put("ROOM_WEBHOOK_TOKEN", TOKEN);
            // The machine may be slow: what is tested is the verdict.
            environment.put("ROOM_WEBHOOK_DEADLINE_MS", "1500");
            nodes.add(backends.startNode("hook" + i, environment));
            webhooks.add(port);
        }
        owner = RawConnection.open(vertx, nodes.get(0).grpcPort());
    }

    @AfterAll
    static void stop() {
        Await.result(Future.join(nodes.stream().map(RoomNode::stop).toList()));
        Await.result(vertx.close());
    }

    private static void done(RawAnswer answer) {
        assertThat(answer.status()).as(answer.message()).isEqualTo(GrpcStatus.OK);
    }

    private static RoomKey room(String roomId, String... guests) {
        RoomKey room = new RoomKey("hook", roomId);
        done(owner.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create")));
        for (String guest : guests) {
            done(owner.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, guest, "join-" + guest)));
        }
        return room;
    }

    private static HttpResponse<String> post(int node, RoomKey room, String user, String sign, String platform) {
        String time = Long.toString(System.currentTimeMillis() / 1000);
        String query = "?SdkAppid=" + APP.sdkAppId() + "&CallbackCommand=Group.CallbackBeforeSendMsg&contenttype=json"
                + "&ClientIP=10.0.0.7&OptPlatform=" + platform + "&RequestTime=" + time + "&Sign="
                + (sign.isEmpty() ? sha256(TOKEN + time) : sign);
        JsonObject body = new JsonObject()
                .put("CallbackCommand", "Group.CallbackBeforeSendMsg")
                .put("GroupId", ExternalIds.groupId(room))
                .put("Type", "AVChatRoom")
                .put("From_Account", user)
                .put("Operator_Account", platform.equals("RESTAPI") ? APP.identifier() : user)
                .put("EventTime", "1670574414123");
        URI uri = URI.create("http://127.0.0.1:" + webhooks.get(node) + "/tencent/im" + query);
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(uri)
                            .POST(BodyPublishers.ofString(body.encode()))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** The same at the owner and at the node that has to ask it. */
    private static int verdict(RoomKey room, String user) {
        List<Integer> codes = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            HttpResponse<String> response = post(node, room, user, "", "Android");
            assertThat(response.statusCode()).isEqualTo(200);
            codes.add(new JsonObject(response.body()).getInteger("ErrorCode"));
        }
        assertThat(codes).containsOnly(codes.get(0));
        return codes.get(0);
    }

    @Test
    void whoMayWriteIsDecidedByTheOwnerWhicheverNodeIsAsked() {
        RoomKey room = room("verdicts", "ann", "ben", "cy");
        assertThat(verdict(room, "ann")).isZero();
        assertThat(verdict(room, "nobody")).as("absent").isEqualTo(10102);

        done(owner.call(
                RoomCalls.MUTE_USER,
                MuteUserRequest.newBuilder()
                        .setMeta(RoomCalls.meta(room, "owner", "mute"))
                        .setRoomId(room.roomId())
                        .setTargetUserId("ann")
                        .setDurationMs(60_000)
                        .build()));
        assertThat(verdict(room, "ann")).as("muted").isEqualTo(10103);
        done(owner.call(RoomCalls.KICK_USER, RoomCalls.kick(room, "ben", "kick")));
        assertThat(verdict(room, "ben")).as("banned").isEqualTo(10101);

        done(owner.call(
                RoomCalls.SET_CHAT_ENABLED,
                SetChatEnabledRequest.newBuilder()
                        .setMeta(RoomCalls.meta(room, "owner", "chat"))
                        .setRoomId(room.roomId())
                        .setEnabled(false)
                        .build()));
        assertThat(verdict(room, "cy")).as("chat is off").isEqualTo(10104);
        done(owner.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(room, "owner", "close")));
        assertThat(verdict(room, "cy")).as("closed").isEqualTo(10100);
    }

    @Test
    void whatWeSendOurselvesPasses() {
        RoomKey room = room("own");
        assertThat(new JsonObject(post(1, room, "nobody", "", "RESTAPI").body()).getInteger("ErrorCode"))
                .isZero();
    }

    @Test
    void aCallWithAnotherTokenIsRefused() {
        RoomKey room = room("token", "ann");
        String forged = sha256("another" + System.currentTimeMillis() / 1000);
        assertThat(post(0, room, "ann", forged, "Android").statusCode()).isEqualTo(401);
    }

    /** How long it takes is printed, and not asserted: this machine may do other things. */
    @Test
    void howLongAnAnswerTakes() {
        RoomKey room = room("fast", "ann");
        for (int node = 0; node < NODES; node++) {
            long[] micros = new long[ASKED];
            for (int i = 0; i < ASKED; i++) {
                long begun = System.nanoTime();
                assertThat(new JsonObject(post(node, room, "ann", "", "Android").body()).getInteger("ErrorCode"))
                        .isZero();
                micros[i] = (System.nanoTime() - begun) / 1000;
            }
            Arrays.sort(micros);
            System.out.printf(
                    "PRINT webhook answers, %s, %d calls: p50 %.1f ms, p99 %.1f ms, most %.1f ms%n",
                    node == 0 ? "at the owner" : "owner on another node",
                    ASKED,
                    micros[ASKED / 2] / 1e3,
                    micros[ASKED * 99 / 100] / 1e3,
                    micros[ASKED - 1] / 1e3);
        }
    }
}
