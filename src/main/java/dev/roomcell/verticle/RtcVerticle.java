package dev.roomcell.verticle;

import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.MysqlExternalRooms;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.rtc.CallbackDesk;
import dev.roomcell.adapter.rtc.CallbackDesk.Verdict;
import dev.roomcell.adapter.rtc.CallbackOutcome;
import dev.roomcell.adapter.rtc.ClockOffset;
import dev.roomcell.adapter.rtc.RtcMeter;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RtcInbox;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP port for TRTC's callbacks, {@code POST /rtc/callback}, on one event loop. */
public final class RtcVerticle extends VerticleBase {
    /** Where TRTC posts. */
    public static final String PATH = "/rtc/callback";

    private static final Logger log = LoggerFactory.getLogger(RtcVerticle.class);
    /** Callbacks have a few hundred. */
    private static final int LONGEST_BODY_BYTES = 64 * 1024;
    /** A body that takes longer than a callback may take to be answered is none that anybody waits for. */
    private static final int SILENT_CONNECTION_SECONDS = 60;

    private final Settings settings;
    private final MysqlSettings mysql;
    private final RtcInbox inbox;
    private final RoomClock clock;
    private final ClockOffset offset;
    private final RtcMeter meter;
    private @Nullable Connections connections;
    private @Nullable CallbackDesk desk;
    private @Nullable HttpServer server;

    /**
     * Where to listen, and for what.
     *
     * @param host the interface
     * @param port the port; 0 is any free one
     * @param sdkAppId the app at TRTC
     * @param callbackKey what TRTC signs with
     */
    public record Settings(String host, int port, int sdkAppId, String callbackKey) {
        /** Without what nobody may read. */
        @Override
        public String toString() {
            return host + ":" + port + ", app " + sdkAppId;
        }
    }

    /** A body that no callback has. */
    private static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A port that brings what it hears to {@code inbox}. */
    public RtcVerticle(
            Settings settings,
            MysqlSettings mysql,
            RtcInbox inbox,
            RoomClock clock,
            ClockOffset offset,
            RtcMeter meter) {
        this.settings = settings;
        this.mysql = mysql;
        this.inbox = inbox;
        this.clock = clock;
        this.offset = offset;
        this.meter = meter;
    }

    @Override
    public Future<?> start() {
        Connections opened = new Connections(vertx, mysql);
        connections = opened;
        desk = new CallbackDesk(
                settings.sdkAppId(), settings.callbackKey(), new MysqlExternalRooms(opened), inbox, clock, offset);
        return vertx.createHttpServer(new HttpServerOptions()
                        .setIdleTimeout(SILENT_CONNECTION_SECONDS)
                        .setIdleTimeoutUnit(TimeUnit.SECONDS))
                .requestHandler(this::handle)
                .listen(settings.port(), settings.host())
                .onSuccess(listening -> server = listening)
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        "rtc.port " + settings.port() + ": " + failure.getMessage(), failure)));
    }

    private void handle(HttpServerRequest request) {
        if (!request.path().equals(PATH)) {
            answer(request, 404, new JsonObject().put("there_is", PATH));
        } else if (!HttpMethod.POST.equals(request.method())) {
            answer(request, 405, new JsonObject().put("wanted", "POST"));
        } else {
            take(request, Objects.requireNonNull(desk));
        }
    }

    private void take(HttpServerRequest request, CallbackDesk taker) {
        long startedNs = System.nanoTime();
        long arrivedMs = clock.monotonicMs();
        body(request)
                .timeout(CallbackDesk.HANDLED_WITHIN_MS, TimeUnit.MILLISECONDS)
                .compose(body -> taker.take(
                        request.getHeader("Sign") == null ? "" : request.getHeader("Sign"),
                        request.getHeader("SdkAppId") == null ? "" : request.getHeader("SdkAppId"),
                        body,
                        arrivedMs))
                .otherwise(failure -> Verdict.of(
                        failure instanceof TooLargeException ? CallbackOutcome.TOO_LARGE : CallbackOutcome.NOT_HANDLED))
                // The room's answer may come on another loop, and this one's connections are this one's.
                .onSuccess(verdict -> context.runOnContext(back -> {
                    meter.answered(verdict.fact(), verdict.outcome(), System.nanoTime() - startedNs);
                    answer(request, verdict);
                }))
                .onFailure(fault -> log.error("a callback of TRTC is not answered", fault));
    }

    /** What is too much is read to its end all the same, or the sender would miss the answer; but it is not kept. */
    private static Future<Buffer> body(HttpServerRequest request) {
        Promise<Buffer> whole = Promise.promise();
        Buffer body = Buffer.buffer();
        AtomicLong bytes = new AtomicLong();
        request.handler(part -> {
            if (bytes.addAndGet(part.length()) <= LONGEST_BODY_BYTES) {
                body.appendBuffer(part);
            }
        });
        request.endHandler(end -> {
            if (bytes.get() <= LONGEST_BODY_BYTES) {
                whole.tryComplete(body);
            } else {
                whole.tryFail(new TooLargeException());
            }
        });
        request.exceptionHandler(whole::tryFail);
        return whole.future();
    }

    /** TRTC looks at the status alone; the rest is for people. */
    private static void answer(HttpServerRequest request, Verdict verdict) {
        int status = verdict.outcome().status();
        JsonObject body = new JsonObject().put("code", status == 200 ? 0 : 1);
        if (status != 200) {
            body.put("outcome", verdict.outcome().tag()).put("reason", verdict.reason());
        }
        answer(request, status, body);
    }

    private static void answer(HttpServerRequest request, int status, JsonObject body) {
        boolean whole = request.isEnded();
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(body.encode())
                // Whoever sends on and on is not listened to any longer.
                .compose(sent ->
                        whole ? Future.succeededFuture() : request.connection().close())
                .onFailure(gone -> log.debug("a callback of TRTC was not answered: {}", gone.toString()));
    }

    /** Takes no new callback, and waits until those that are here are answered, at the latest {@code ms} from now. */
    public Future<Void> finish(long ms) {
        HttpServer listening = server;
        return listening == null ? Future.succeededFuture() : listening.shutdown(ms, TimeUnit.MILLISECONDS);
    }

    /** The port it listens on, once it is deployed. */
    public int port() {
        return Objects.requireNonNull(server, "not deployed").actualPort();
    }

    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(connections).close();
    }
}
