package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.im.HttpMessenger;
import dev.roomcell.dev.ImSink;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The messenger over HTTP: on the sink that development has, and on servers that behave badly. */
final class HttpMessengerTest extends RoomMessengerContract {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Vertx vertx = Vertx.vertx();
    private ImSink sink;
    private RoomMessenger messenger;

    @BeforeEach
    void startSink() {
        sink = Await.result(ImSink.start(vertx, 0));
        messenger = messengerTo(sink.url());
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private RoomMessenger messengerTo(String url) {
        EventLoop loop = EventLoop.of(vertx);
        return new RoomMessenger() {
            private final RoomMessenger right = loop.call(() -> new HttpMessenger(vertx, URI.create(url)));

            @Override
            public Future<Void> send(Message message, long timeoutMs) {
                return loop.port(RoomMessenger.class, right).send(message, timeoutMs);
            }
        };
    }

    @Override
    RoomMessenger messenger() {
        return messenger;
    }

    @Override
    List<String> seen(RoomKey key) {
        return messages(key).stream()
                .map(message -> ((JsonObject) message).getString("event_id"))
                .toList();
    }

    private JsonArray messages(RoomKey key) {
        return new JsonArray(get("rooms/" + encoded(key.appCode()) + "/" + encoded(key.roomId()) + "/messages"));
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private String get(String path) {
        try {
            return HTTP.send(
                            HttpRequest.newBuilder(URI.create(sink.page() + path))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** LANE-6: names as in the API, 64-bit numbers as text. */
    @Test
    void aMessageIsJsonThatABrowserCanRead() {
        MicSeats.RoomMicChanged event = new MicSeats.RoomMicChanged(
                3,
                0,
                MicSeats.Status.IDLE,
                MicSeats.Status.PENDING_PUBLISH,
                new MicSession("session", "ann", 1L << 60, 1, 1L << 61, false, 0),
                MicSeats.Cause.TAKEN);
        Await.result(messenger.send(message(ROOM, 1L << 60, event), TIMEOUT_MS));

        JsonObject seen = messages(ROOM).getJsonObject(0);
        JsonObject payload = seen.getJsonObject("payload");
        seen.remove("payload");
        assertThat(seen)
                .isEqualTo(new JsonObject()
                        .put("type", "ROOM_MIC_CHANGED")
                        .put("event_id", ROOM.roomId() + ":1152921504606846976:0")
                        .put("app_code", "app")
                        .put("room_id", ROOM.roomId())
                        .put("room_version", "1152921504606846976")
                        .put("index", 0)
                        .put("occurred_at_ms", Long.toString(1_700_000_000_000L + (1L << 60)))
                        .put("actor_user_id", "ann"));
        assertThat(payload.getInteger("seat_no")).isEqualTo(3);
        assertThat(payload.getString("to_status")).isEqualTo("MIC_SEAT_STATUS_PENDING_PUBLISH");
        assertThat(payload.getString("publish_deadline_ms")).isEqualTo("2305843009213693952");
    }

    @Test
    void anAnswerThatIsNoSuccessIsAFailureAndTheNextMessageGoes() {
        AtomicInteger calls = new AtomicInteger();
        RoomMessenger refused = messengerTo(server(request -> request.response()
                .setStatusCode(calls.incrementAndGet() == 1 ? 500 : 200)
                .end("x".repeat(100_000))));
        assertThat(Await.failure(refused.send(joined(ROOM, 1), TIMEOUT_MS))).hasMessageContaining("500");
        Await.result(refused.send(joined(ROOM, 2), TIMEOUT_MS));
    }

    @Test
    void aServerThatIsNotThereIsAFailure() {
        assertThat(Await.failure(messengerTo("http://127.0.0.1:1/").send(joined(ROOM, 1), TIMEOUT_MS)))
                .isNotNull();
    }

    @Test
    void aServerThatDoesNotAnswerIsCalledOffInTime() {
        Promise<Void> calledOff = Promise.promise();
        RoomMessenger silent =
                messengerTo(server(request -> request.connection().closeHandler(closed -> calledOff.tryComplete())));
        assertThat(Await.failure(silent.send(joined(ROOM, 1), 100))).isNotNull();
        Await.result(calledOff.future());
    }

    /** Each post costs as much as a command, and a group commit has messages of many rooms. */
    @Test
    void whatIsSentInOneTurnGoesInOnePostAndHasOneFate() {
        List<Integer> posted = new CopyOnWriteArrayList<>();
        String url = server(request -> request.body().onSuccess(body -> {
            posted.add(body.toJsonArray().size());
            request.response().setStatusCode(posted.size() == 1 ? 204 : 500).end();
        }));
        EventLoop loop = EventLoop.of(vertx);
        HttpMessenger right = loop.call(() -> new HttpMessenger(vertx, URI.create(url)));
        List<Future<Void>> sent = loop.call(() -> sendEach(right, 20));
        Await.result(Future.join(sent).otherwiseEmpty());
        assertThat(posted).containsExactlyInAnyOrder(12, 8);
        assertThat(sent.stream().filter(Future::succeeded).count()).isIn(12L, 8L);
    }

    private static List<Future<Void>> sendEach(HttpMessenger right, int messages) {
        return IntStream.range(0, messages)
                .mapToObj(i -> right.send(joined(new RoomKey("app", "room-" + i), 1), TIMEOUT_MS))
                .toList();
    }

    @Test
    void whatIsSentInTheTurnOfTheEndOrLaterFails() {
        EventLoop loop = EventLoop.of(vertx);
        HttpMessenger right = loop.call(() -> new HttpMessenger(vertx, URI.create(sink.url())));
        List<Future<Void>> sent = new ArrayList<>();
        Future<Void> closed = loop.call(() -> {
            sent.addAll(sendEach(right, 3));
            Future<Void> closing = right.close();
            sent.addAll(sendEach(right, 20));
            return closing;
        });
        Await.result(closed);
        Await.result(Future.join(sent).otherwiseEmpty());
        assertThat(sent).hasSize(23).allMatch(Future::failed);
    }

    private String server(Handler<HttpServerRequest> handler) {
        HttpServer server =
                Await.result(vertx.createHttpServer().requestHandler(handler).listen(0, "127.0.0.1"));
        return "http://127.0.0.1:" + server.actualPort() + "/messages";
    }
}
