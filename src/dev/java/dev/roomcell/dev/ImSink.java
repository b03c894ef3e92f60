package dev.roomcell.dev;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands where an IM provider will: nodes post their rooms' messages to it, and it shows what each room's clients see.
 *
 * <ul>
 *   <li>{@code POST /messages}: one message, or an array of some, as a node sends them
 *   <li>{@code GET /}: a page that shows them, live
 *   <li>{@code GET /messages}: the newest of all rooms and then each that comes, as server-sent events
 *   <li>{@code GET /rooms/APP/ROOM/messages}: what one room's clients saw, in order, as a JSON array
 *   <li>{@code GET /users/APP/USER/messages}: what one user alone was told, in order, as a JSON array
 *   <li>{@code POST /v4/SERVICE/COMMAND}: Tencent IM's REST API, if there is a simulator of it
 * </ul>
 */
public final class ImSink extends VerticleBase {
    private static final Logger log = LoggerFactory.getLogger(ImSink.class);
    private static final int LONGEST_POST_BYTES = 1024 * 1024;
    /** Pages that may be open at once. */
    private static final int VIEWERS = 50;

    private final int port;
    private final SeenMessages seen = new SeenMessages();
    private final Set<HttpServerResponse> viewers = new LinkedHashSet<>();
    private final @Nullable TencentSimulator tencent;
    private @Nullable TencentEndpoint endpoint;
    private @Nullable HttpServer server;

    private ImSink(int port, @Nullable TencentSimulator tencent) {
        this.port = port;
        this.tencent = tencent;
    }

    /** Starts a sink on loopback; it ends with {@code vertx}. Port 0 takes a free one. */
    public static Future<ImSink> start(Vertx vertx, int port) {
        ImSink sink = new ImSink(port, null);
        return vertx.deployVerticle(sink).map(sink);
    }

    /** The same, with Tencent IM's REST API on the same port; what is sent to groups is shown on the same page. */
    public static Future<ImSink> start(Vertx vertx, int port, TencentSimulator tencent) {
        ImSink sink = new ImSink(port, tencent);
        return vertx.deployVerticle(sink).map(sink);
    }

    /** Where nodes find the simulator of Tencent IM: their {@code tencent.base_url}. */
    public String site() {
        return "http://127.0.0.1:" + Objects.requireNonNull(server).actualPort();
    }

    /** The page. */
    public String page() {
        return "http://127.0.0.1:" + Objects.requireNonNull(server).actualPort() + "/";
    }

    /** Where nodes post: their {@code im.sink_url}. */
    public String url() {
        return page() + "messages";
    }

    @Override
    public Future<?> start() {
        if (tencent != null) {
            tencent.showTo(this::take);
            endpoint = new TencentEndpoint(vertx, tencent);
        }
        return vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(port, "127.0.0.1")
                .onSuccess(listening -> server = listening);
    }

    private void handle(HttpServerRequest request) {
        boolean get = HttpMethod.GET.equals(request.method());
        List<String> path = List.of(request.path().substring(1).split("/", -1));
        if (get && request.path().equals("/")) {
            answer(request, 200, "text/html; charset=utf-8", SinkPage.HTML);
        } else if (get && request.path().equals("/messages")) {
            watch(request);
        } else if (HttpMethod.POST.equals(request.method()) && request.path().equals("/messages")) {
            post(request);
        } else if (endpoint != null && request.path().startsWith(TencentEndpoint.PREFIX)) {
            endpoint.handle(request);
        } else if (get
                && path.size() == 4
                && (path.get(0).equals("rooms") || path.get(0).equals("users"))
                && path.get(3).equals("messages")) {
            String app = decoded(path.get(1));
            String name = decoded(path.get(2));
            JsonArray messages = new JsonArray(path.get(0).equals("users") ? seen.to(app, name) : seen.of(app, name));
            answer(request, 200, "application/json", messages.encode());
        } else {
            answer(
                    request,
                    404,
                    "text/plain",
                    "there are /, /messages, /rooms/APP/ROOM/messages and /users/APP/USER/messages\n");
        }
    }

    /** A plus is a plus in a path. */
    private static String decoded(String segment) {
        return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private void post(HttpServerRequest request) {
        String length = request.getHeader("content-length");
        if (length == null || Long.parseLong(length) > LONGEST_POST_BYTES) {
            answer(request, 413, "text/plain", "say how long it is, at most " + LONGEST_POST_BYTES + " bytes\n");
            return;
        }
        request.body()
                .onSuccess(body -> take(request, body))
                .onFailure(lost -> log.debug("a message was not posted to its end: {}", lost.toString()));
    }

    private void take(HttpServerRequest request, Buffer body) {
        try {
            List<JsonObject> messages = messagesIn(body);
            if (!messages.isEmpty() && messages.stream().allMatch(SeenMessages::isOfARoom)) {
                messages.forEach(this::take);
                answer(request, 204, "text/plain", "");
            } else {
                answer(request, 400, "text/plain", "a message has no app_code or no room_id\n");
            }
        } catch (DecodeException | ClassCastException noJson) {
            answer(request, 400, "text/plain", "neither a JSON object nor an array of some\n");
        }
    }

    private static List<JsonObject> messagesIn(Buffer body) {
        return Json.decodeValue(body) instanceof JsonArray array
                ? IntStream.range(0, array.size())
                        .mapToObj(array::getJsonObject)
                        .toList()
                : List.of(new JsonObject(body));
    }

    private boolean take(JsonObject message) {
        boolean ofARoom = seen.add(message);
        if (ofARoom) {
            // One that is gone is no viewer any more from within this.
            List.copyOf(viewers).forEach(viewer -> show(viewer, message));
        }
        return ofARoom;
    }

    private void watch(HttpServerRequest request) {
        if (viewers.size() >= VIEWERS) {
            answer(request, 503, "text/plain", "too many pages are open\n");
            return;
        }
        HttpServerResponse viewer = request.response().setChunked(true);
        viewer.putHeader("content-type", "text/event-stream").putHeader("cache-control", "no-store");
        viewer.closeHandler(closed -> viewers.remove(viewer));
        viewers.add(viewer);
        write(viewer, ": these are the newest\n\n");
        seen.newest().forEach(message -> show(viewer, message));
    }

    /** Whoever reads too slowly misses some, as clients do. */
    private void show(HttpServerResponse viewer, JsonObject message) {
        if (!viewer.writeQueueFull()) {
            write(viewer, "data: " + message.encode() + "\n\n");
        }
    }

    private void write(HttpServerResponse viewer, String text) {
        viewer.write(text).onFailure(gone -> viewers.remove(viewer));
    }

    private static void answer(HttpServerRequest request, int status, String type, String body) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", type)
                .end(body)
                .onFailure(gone -> log.debug("{} not answered: {}", request.path(), gone.toString()));
    }
}
