package dev.roomcell.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sink that stands in for an IM provider. */
class ImSinkTest {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Vertx vertx = Vertx.vertx();
    private ImSink sink;

    @BeforeEach
    void start() {
        sink = Await.result(ImSink.start(vertx, 0));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private static JsonObject message(String roomId, long version) {
        return new JsonObject()
                .put("app_code", "app")
                .put("room_id", roomId)
                .put("room_version", Long.toString(version));
    }

    private int post(String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(sink.url()))
                .POST(BodyPublishers.ofString(body))
                .build();
        return HTTP.send(request, BodyHandlers.discarding()).statusCode();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return HTTP.send(HttpRequest.newBuilder(URI.create(sink.page() + path)).build(), BodyHandlers.ofString());
    }

    @Test
    void aRoomsMessagesAreKeptInOrder() throws Exception {
        for (int version = 1; version <= 3; version++) {
            assertThat(post(message("a room", version).encode())).isEqualTo(204);
        }
        assertThat(post(message("another", 9).encode())).isEqualTo(204);
        assertThat(new JsonArray(get("rooms/app/a%20room/messages").body()))
                .containsExactly(message("a room", 1), message("a room", 2), message("a room", 3));
        assertThat(get("rooms/app/absent/messages").body()).isEqualTo("[]");
    }

    @Test
    void anArrayOfMessagesIsTakenInItsOrderOrNotAtAll() throws Exception {
        JsonArray two = new JsonArray().add(message("a", 1)).add(message("a", 2));
        assertThat(post(two.encode())).isEqualTo(204);
        assertThat(post(two.copy().add(new JsonObject()).encode())).isEqualTo(400);
        assertThat(new JsonArray(get("rooms/app/a/messages").body())).isEqualTo(two);
    }

    @Test
    void whatOneUserAloneIsToldIsNotTheRooms() throws Exception {
        JsonObject personal =
                new JsonObject().put("app_code", "app").put("room_id", "a").put("to_user_id", "ann");
        post(message("a", 1).encode());
        assertThat(post(personal.encode())).isEqualTo(204);
        assertThat(new JsonArray(get("rooms/app/a/messages").body())).containsExactly(message("a", 1));
        assertThat(new JsonArray(get("users/app/ann/messages").body())).containsExactly(personal);
        assertThat(get("users/app/a/messages").body()).isEqualTo("[]");
    }

    @Test
    void onlyTheNewestOfARoomAreKept() throws Exception {
        for (int version = 1; version <= 1_010; version++) {
            post(message("a", version).encode());
        }
        JsonArray kept = new JsonArray(get("rooms/app/a/messages").body());
        assertThat(kept.size()).isEqualTo(1_000);
        assertThat(kept.getJsonObject(0)).isEqualTo(message("a", 11));
        assertThat(kept.getJsonObject(999)).isEqualTo(message("a", 1_010));
    }

    @Test
    void whatIsNoMessageIsRefused() throws Exception {
        for (String body : List.of(
                "",
                "{",
                "[]",
                "[7]",
                "[null]",
                "7",
                "null",
                "{}",
                "{\"app_code\":\"app\"}",
                "{\"app_code\":1,\"room_id\":2}")) {
            assertThat(post(body)).as(body).isEqualTo(400);
        }
        assertThat(post("x".repeat(1024 * 1024 + 1))).isEqualTo(413);
        assertThat(get("nothing").statusCode()).isEqualTo(404);
        assertThat(get("rooms/app/messages").statusCode()).isEqualTo(404);
    }

    @Test
    void thePageNeedsNothingFromElsewhere() throws Exception {
        HttpResponse<String> page = get("");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("new EventSource('/messages')")
                .doesNotContain("http://", "https://", "src=", "innerHTML");
    }

    @Test
    @Timeout(60)
    void whoWatchesSeesTheNewestAndThenEachThatComes() throws Exception {
        post(message("a", 1).encode());
        HttpRequest request = HttpRequest.newBuilder(URI.create(sink.url())).build();
        HttpResponse<InputStream> watching = HTTP.send(request, BodyHandlers.ofInputStream());
        assertThat(watching.headers().firstValue("content-type")).contains("text/event-stream");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(watching.body(), StandardCharsets.UTF_8))) {
            assertThat(nextData(lines)).isEqualTo(message("a", 1));
            post(message("b", 1).encode());
            post(message("a", 2).encode());
            assertThat(nextData(lines)).isEqualTo(message("b", 1));
            assertThat(nextData(lines)).isEqualTo(message("a", 2));
        }
    }

    private static JsonObject nextData(BufferedReader lines) {
        return Stream.generate(() -> read(lines))
                .filter(line -> line.startsWith("data: "))
                .map(line -> new JsonObject(line.substring("data: ".length())))
                .findFirst()
                .orElseThrow();
    }

    private static String read(BufferedReader lines) {
        try {
            String line = lines.readLine();
            if (line == null) {
                throw new AssertionError("the stream has ended");
            }
            return line;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
