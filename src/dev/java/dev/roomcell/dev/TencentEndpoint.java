package dev.roomcell.dev;

import dev.roomcell.dev.TencentFaults.Fault;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /v4/SERVICE/COMMAND}: the simulated Tencent IM over HTTP, with its troubles. */
final class TencentEndpoint {
    static final String PREFIX = "/v4/";

    private static final Logger log = LoggerFactory.getLogger(TencentEndpoint.class);

    private final Vertx vertx;
    private final TencentSimulator simulator;

    TencentEndpoint(Vertx vertx, TencentSimulator simulator) {
        this.vertx = vertx;
        this.simulator = simulator;
    }

    void handle(HttpServerRequest request) {
        request.body()
                .onSuccess(body -> serve(request, body))
                .onFailure(lost -> log.debug("a call was not sent to its end: {}", lost.toString()));
    }

    private void serve(HttpServerRequest request, Buffer body) {
        Optional<Fault> fault = simulator.faults().take();
        if (fault.isEmpty()) {
            answer(request, 200, done(request, body));
            return;
        }
        Fault trouble = fault.get();
        switch (trouble.kind()) {
            case CODE -> answer(request, 200, TencentSimulator.fail(trouble.number()));
            case STATUS -> answer(request, trouble.number(), new JsonObject());
            case LOST_CALL -> cut(request);
            case LOST_ANSWER -> {
                JsonObject lost = done(request, body);
                log.debug("an answer is lost: {}", lost);
                cut(request);
            }
            case SILENCE -> log.debug("{} is not answered", request.path());
            case SILENT_DROP -> answer(request, 200, TencentSimulator.dropped(System.currentTimeMillis()));
        }
    }

    private JsonObject done(HttpServerRequest request, Buffer body) {
        Map<String, String> query = new HashMap<>();
        request.params().forEach(query::put);
        return simulator.answer(request.path().substring(PREFIX.length()), query, body);
    }

    private static void cut(HttpServerRequest request) {
        request.connection().close().onFailure(gone -> log.debug("already closed: {}", gone.toString()));
    }

    private void answer(HttpServerRequest request, int status, JsonObject body) {
        long slownessMs = simulator.faults().slownessMs();
        if (slownessMs > 0) {
            vertx.setTimer(slownessMs, late -> end(request, status, body));
        } else {
            end(request, status, body);
        }
    }

    private static void end(HttpServerRequest request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(body.encode())
                .onFailure(gone -> log.debug("{} not answered: {}", request.path(), gone.toString()));
    }
}
