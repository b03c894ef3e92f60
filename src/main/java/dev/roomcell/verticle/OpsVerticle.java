package dev.roomcell.verticle;

import dev.roomcell.domain.RoomKey;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operators' HTTP port: {@code GET /health/live}, {@code /health/ready} and {@code /metrics}; {@code POST
 * /rooms/release?app=APP&room=ROOM} lets a room go in order, so that whoever asks for it next loads it.
 */
public final class OpsVerticle extends VerticleBase {
    private final String host;
    private final int port;
    private final PrometheusMeterRegistry metrics;
    private final Supplier<Future<Readiness>> ready;
    private final Function<RoomKey, Future<Boolean>> release;
    private @Nullable HttpServer server;

    /**
     * A port over one node.
     *
     * @param ready whether the node can serve; the future never fails
     * @param release lets a room go; true if it was loaded
     */
    public OpsVerticle(
            String host,
            int port,
            PrometheusMeterRegistry metrics,
            Supplier<Future<Readiness>> ready,
            Function<RoomKey, Future<Boolean>> release) {
        this.host = host;
        this.port = port;
        this.metrics = metrics;
        this.ready = ready;
        this.release = release;
    }

    @Override
    public Future<?> start() {
        return vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(port, host)
                .onSuccess(listening -> server = listening)
                .recover(failure -> Future.failedFuture(
                        new IllegalStateException("ops.port " + port + ": " + failure.getMessage(), failure)));
    }

    private void answer(HttpServerRequest request) {
        switch (request.path()) {
            // Alive is whoever can answer: neither MySQL nor Redis makes a node worth killing (LEASE-13).
            case "/health/live" -> health(request.response(), 200, new JsonObject().put("status", "UP"));
            case "/health/ready" ->
                ready.get()
                        .onSuccess(found -> health(request.response(), found.isReady() ? 200 : 503, found.toJson()))
                        .onFailure(fault -> text(request.response(), 500, "not checked; a bug"));
            case "/metrics" ->
                request.response()
                        .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                        .end(metrics.scrape());
            case "/rooms/release" -> release(request);
            default -> text(request.response(), 404, "there are /health/live, /health/ready, /metrics, /rooms/release");
        }
    }

    private void release(HttpServerRequest request) {
        String app = request.getParam("app", "");
        String room = request.getParam("room", "");
        if (!request.method().equals(HttpMethod.POST)) {
            text(request.response(), 405, "POST only");
        } else if (app.isEmpty() || room.isEmpty() || app.indexOf('\0') >= 0 || room.indexOf('\0') >= 0) {
            text(request.response(), 400, "app and room name the room");
        } else {
            release.apply(new RoomKey(app, room))
                    .onSuccess(loaded ->
                            text(request.response(), loaded ? 200 : 404, loaded ? "released" : "not loaded here"))
                    .onFailure(failure -> text(request.response(), 500, "not released; the log has more"));
        }
    }

    private static void text(HttpServerResponse response, int code, String line) {
        response.setStatusCode(code).end(line + "\n");
    }

    private static void health(HttpServerResponse response, int code, JsonObject body) {
        response.setStatusCode(code)
                .putHeader("content-type", "application/json")
                .end(body.encode() + "\n");
    }

    /** The port it listens on, once it is deployed. */
    public int port() {
        return Objects.requireNonNull(server, "not deployed").actualPort();
    }
}
