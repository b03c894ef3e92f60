package dev.roomcell.adapter.tencent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ChatGuard;
import dev.roomcell.port.ChatGuard.Verdict;
import dev.roomcell.port.ExternalRooms;
import dev.roomcell.port.StoreException;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Tencent IM is answered over HTTP, by a guard that says what the test wants. */
final class ChatWebhookTest {
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final String GROUP = ExternalIds.groupId(ROOM);
    private static final String TIME = "1669872112";
    private static final long AT_MS = 1_669_872_112_000L;
    private static final WebhookToken TOKEN = new WebhookToken("xxxxyyyy", 300_000);
    private static final long APP = 1_400_000_000;
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private volatile Future<Verdict> verdict = Future.succeededFuture(Verdict.ALLOWED);
    private final AtomicReference<String> asked = new AtomicReference<>("");
    private final AtomicInteger lookups = new AtomicInteger();
    private final ExternalRooms rooms = id -> {
        lookups.incrementAndGet();
        if (id.equals("broken")) {
            return Future.failedFuture(new StoreException("no database"));
        }
        return Future.succeededFuture(
                id.equals(GROUP)
                        ? Optional.of(new ExternalRooms.Found(ROOM, Lifecycle.Status.ACTIVE, true, "node"))
                        : Optional.empty());
    };
    private final ChatGuard guard = (key, userId, timeoutMs) -> {
        asked.set(key + " " + userId);
        return verdict;
    };

    private HttpServer server;

    @BeforeEach
    void start() {
        server = serve(true, 20_000);
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private HttpServer serve(boolean deliverUndecided, long deadlineMs) {
        Promise<HttpServer> listening = Promise.promise();
        vertx.getOrCreateContext().runOnContext(now -> {
            ChatGate gate = new ChatGate(vertx.getOrCreateContext(), rooms, guard, "administrator", deadlineMs);
            ChatWebhook webhook = new ChatWebhook(
                    gate,
                    new ChatWebhook.Settings(APP, TOKEN, deliverUndecided),
                    () -> AT_MS,
                    new WebhookMeter(metrics));
            vertx.createHttpServer()
                    .requestHandler(webhook::handle)
                    .listen(0, "127.0.0.1")
                    .onComplete(listening);
        });
        return Await.result(listening.future());
    }

    private static JsonObject message() {
        return new JsonObject()
                .put("CallbackCommand", ChatCallback.COMMAND)
                .put("GroupId", GROUP)
                .put("Type", "AVChatRoom")
                .put("From_Account", "ann")
                .put("Operator_Account", "ann")
                .put("EventTime", "1670574414123")
                .put("SomethingNew", new JsonObject().put("a", 1));
    }

    private static String query(Map<String, String> changed) {
        StringBuilder query = new StringBuilder();
        Map.of(
                        "SdkAppid",
                        Long.toString(APP),
                        "CallbackCommand",
                        ChatCallback.COMMAND,
                        "contenttype",
                        "json",
                        "ClientIP",
                        "1.2.3.4",
                        "OptPlatform",
                        "iOS",
                        "Sign",
                        TOKEN.sign(TIME),
                        "RequestTime",
                        TIME)
                .forEach((key, value) -> query.append(query.isEmpty() ? "?" : "&")
                        .append(key)
                        .append('=')
                        .append(changed.getOrDefault(key, value)));
        return query.toString();
    }

    private HttpResponse<String> post(String path, Map<String, String> changed, String body) {
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.actualPort() + path + query(changed));
            return HTTP.send(
                    HttpRequest.newBuilder(uri)
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private JsonObject answered(Map<String, String> changed, JsonObject body) {
        HttpResponse<String> response = post("/tencent/im", changed, body.encode());
        assertThat(response.statusCode()).isEqualTo(200);
        JsonObject answer = new JsonObject(response.body());
        assertThat(answer.getString("ActionStatus")).isEqualTo("OK");
        return answer;
    }

    private long counted(String outcome) {
        return metrics.get("room.im.callbacks").tag("outcome", outcome).timer().count();
    }

    @ParameterizedTest
    @CsvSource({
        "ALLOWED, 0, ''",
        "ROOM_CLOSED, 10100, ROOM_CLOSED",
        "BANNED, 10101, BANNED",
        "NOT_PRESENT, 10102, NOT_PRESENT",
        "MUTED, 10103, MUTED",
        "CHAT_DISABLED, 10104, CHAT_DISABLED",
        "UNDECIDED, 0, ''"
    })
    void theOwnersVerdictIsTheAnswer(Verdict said, int code, String info) {
        verdict = Future.succeededFuture(said);
        assertThat(answered(Map.of(), message()))
                .isEqualTo(new JsonObject()
                        .put("ActionStatus", "OK")
                        .put("ErrorInfo", info)
                        .put("ErrorCode", code));
        assertThat(asked).hasValue(ROOM + " ann");
        assertThat(counted(said.name().toLowerCase(Locale.ROOT))).isEqualTo(1);
    }

    @Test
    void whatIsNotDecidedInTimeIsDeliveredUnlessTheNodeIsToldNotTo() {
        verdict = Promise.<Verdict>promise().future();
        server = serve(true, 20);
        assertThat(answered(Map.of(), message()).getInteger("ErrorCode")).isZero();
        server = serve(false, 20);
        assertThat(answered(Map.of(), message()).getInteger("ErrorCode")).isEqualTo(10105);
        assertThat(counted("undecided")).isEqualTo(2);
    }

    @Test
    void aDatabaseThatDoesNotAnswerLeavesItUndecided() {
        assertThat(answered(Map.of(), message().put("GroupId", "broken")).getInteger("ErrorCode"))
                .isZero();
        assertThat(counted("undecided")).isEqualTo(1);
    }

    @Test
    void theDatabaseIsAskedForAGroupOnce() {
        for (int i = 0; i < 5; i++) {
            answered(Map.of(), message());
        }
        assertThat(lookups).hasValue(1);
    }

    @Test
    void ourOwnMessagesPassAndNobodyIsAsked() {
        verdict = Future.succeededFuture(Verdict.BANNED);
        Map<String, String> rest = Map.of("OptPlatform", "RESTAPI");
        assertThat(answered(rest, message().put("Operator_Account", "administrator"))
                        .getInteger("ErrorCode"))
                .isZero();
        JsonObject bare = message().put("From_Account", "administrator");
        bare.remove("Operator_Account");
        assertThat(answered(rest, bare).getInteger("ErrorCode")).isZero();
        assertThat(asked).hasValue("");
        assertThat(counted("our_own")).isEqualTo(2);
        assertThat(answered(rest, message().put("Operator_Account", "somebody")).getInteger("ErrorCode"))
                .as("another administrator speaks for ann")
                .isEqualTo(10101);
        assertThat(answered(Map.of(), message().put("Operator_Account", "administrator"))
                        .getInteger("ErrorCode"))
                .as("a client that says that it is")
                .isEqualTo(10101);
    }

    @Test
    void groupsThatAreNoRoomsAreNoneOfOurBusiness() {
        verdict = Future.succeededFuture(Verdict.BANNED);
        assertThat(answered(Map.of(), message().put("GroupId", "@TGS#2J4SZEAEL"))
                        .getInteger("ErrorCode"))
                .isZero();
        assertThat(counted("other_group")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Group.CallbackAfterSendMsg", "State.StateChange", "Something.New", ""})
    void otherCallbacksAreHeardAndCounted(String command) {
        JsonObject answer = answered(Map.of("CallbackCommand", command), new JsonObject().put("GroupId", 7));
        assertThat(answer.getInteger("ErrorCode")).isZero();
        assertThat(counted("other")).isEqualTo(1);
        assertThat(asked).hasValue("");
    }

    @ParameterizedTest
    @CsvSource({
        "Sign, 17773bc39a671d7b9aa835458704d2a6db81360a5940292b587d6d760d484060",
        "Sign, ''",
        "RequestTime, 1669872113",
        "RequestTime, ''",
        "SdkAppid, 1400000001",
        "SdkAppid, ''"
    })
    void whoIsNotTencentIsRefused(String key, String value) {
        HttpResponse<String> response =
                post("/tencent/im", Map.of(key, value), message().encode());
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(asked).hasValue("");
        assertThat(counted("not_signed")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[]", "null", "{}", "{\"GroupId\":7,\"From_Account\":\"ann\"}", "{\"GroupId\":\"g\"}"})
    void whatCannotBeReadIsRefusedAndCounted(String body) {
        assertThat(post("/tencent/im", Map.of(), body).statusCode()).isEqualTo(400);
        assertThat(counted("malformed")).isEqualTo(1);
    }

    @Test
    void aBodyHasABound() {
        assertThat(post("/tencent/im", Map.of(), "x".repeat(64 * 1024)).statusCode())
                .isEqualTo(400);
        assertThat(post("/tencent/im", Map.of(), "x".repeat(64 * 1024 + 1)).statusCode())
                .isEqualTo(413);
        assertThat(counted("too_long")).isEqualTo(1);
    }

    @Test
    void otherPathsAndMethodsAreRefused() throws IOException, InterruptedException {
        assertThat(post("/other", Map.of(), "{}").statusCode()).isEqualTo(404);
        URI uri = URI.create("http://127.0.0.1:" + server.actualPort() + "/tencent/im" + query(Map.of()));
        assertThat(HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(405);
    }

    @Test
    void theTimeOfACallbackIsANumberOrText() {
        assertThat(time(message())).isEqualTo(OptionalLong.of(1_670_574_414_123L));
        assertThat(time(message().put("EventTime", 1_670_574_414_123L))).isEqualTo(OptionalLong.of(1_670_574_414_123L));
        assertThat(time(message().put("EventTime", "soon"))).isEmpty();
        assertThat(time(message().putNull("EventTime"))).isEmpty();
    }

    private static OptionalLong time(JsonObject message) {
        return ChatCallback.parse(Buffer.buffer(message.encode())).orElseThrow().eventTimeMs();
    }
}
