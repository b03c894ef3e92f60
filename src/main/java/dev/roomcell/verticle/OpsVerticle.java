package dev.roomcell.verticle;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operators' HTTP port: {@code /health/live}, {@code /health/ready} and {@code /metrics}. */
public final class OpsVerticle extends VerticleBase {
    private final String host;
    private final int port;
    private final PrometheusMeterRegistry metrics;
    private final Supplier<Future<Void>> ready;
    private @Nullable HttpServer server;

    /** A port whose readiness is {@code ready}: it fails with what is missing. */
    public OpsVerticle(String host, int port, PrometheusMeterRegistry metrics, Supplier<Future<Void>> ready) {
        this.host = host;
        this.port = port;
        this.metrics = metrics;
        this.ready = ready;
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
            case "/health/live" -> health(request.response(), 200, "UP", "");
            case "/health/ready" ->
                ready.get()
                        .onSuccess(yes -> health(request.response(), 200, "UP", ""))
                        .onFailure(no -> health(request.response(), 503, "DOWN", String.valueOf(no.getMessage())));
            case "/metrics" ->
                request.response()
                        .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                        .end(metrics.scrape());
            default ->
                request.response().setStatusCode(404).end("there are /health/live, /health/ready and /metrics\n");
        }
    }

    private static void health(HttpServerResponse response, int code, String status, String why) {
        JsonObject body = new JsonObject().put("status", status);
        if (!why.isEmpty()) {
            body.put("reason", why);
        }
        response.setStatusCode(code)
                .putHeader("content-type", "application/json")
                .end(body.encode() + "\n");
    }

    /** The port it listens on, once it is deployed. */
    public int port() {
        return Objects.requireNonNull(server, "not deployed").actualPort();
    }
}
