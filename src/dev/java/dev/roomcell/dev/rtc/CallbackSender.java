package dev.roomcell.dev.rtc;

import dev.roomcell.adapter.rtc.CallbackSignature;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends callbacks as TRTC does: signed, to one node after the other; what is not answered with 200 within five seconds is
 * sent again at once, and then every ten seconds for a minute. Callable from any thread.
 */
public final class CallbackSender {
    private static final Logger log = LoggerFactory.getLogger(CallbackSender.class);
    private static final long ANSWER_MS = 5_000;
    /** Callbacks on their way at once, of all nodes. */
    private static final int CONNECTIONS = 64;

    private static final int OK = 200;

    private final Vertx vertx;
    private final RtcApp app;
    private final CallbackSignature signature;
    private final HttpClientAgent http;
    private final LongSupplier nowMs;
    private final Retries retries;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile List<String> nodes = List.of();
    private volatile RtcFaults faults = RtcFaults.NONE;
    private volatile RtcFaults.Dice dice = RtcFaults.NONE.dice();

    /**
     * What TRTC does with a callback that was not taken: once more at once, then again and again.
     *
     * @param everyMs the pause before every time but the first, ms
     * @param times how often after that first time
     */
    public record Retries(long everyMs, int times) {
        /** The vendor's. */
        public static final Retries OF_THE_VENDOR = new Retries(10_000, 6);
        /** None at all, not even at once. */
        public static final Retries NONE = new Retries(0, -1);
    }

    /**
     * What a node made of one sending.
     *
     * @param status the HTTP status; 0 if there was no answer in five seconds
     * @param tookMs until the answer, ms
     */
    public record Sent(int status, long tookMs) {
        /** Whether TRTC takes it for the end of the matter. */
        public boolean isTaken() {
            return status == OK;
        }
    }

    /** A sender for the app; {@code nowMs} is its clock, epoch ms. */
    public CallbackSender(Vertx vertx, RtcApp app, LongSupplier nowMs, Retries retries) {
        this.vertx = vertx;
        this.app = app;
        this.signature = new CallbackSignature(app.callbackKey());
        this.http = vertx.createHttpClient(
                new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(CONNECTIONS * 16));
        this.nowMs = nowMs;
        this.retries = retries;
    }

    /** Where callbacks go from now on: {@code http://HOST:PORT/rtc/callback} of each node. */
    public void sendTo(List<String> urls) {
        nodes = List.copyOf(urls);
    }

    /** What goes wrong from now on. */
    public void fail(RtcFaults wanted) {
        faults = wanted;
        dice = wanted.dice();
    }

    /** Sends an event, and again until it is taken; all its sendings, in order, when there are no more. Never fails. */
    public Future<List<Sent>> send(RtcEvent event) {
        List<Future<List<Sent>>> copies = new ArrayList<>();
        for (int i = 0; i < faults.copies(); i++) {
            if (!dice.loses()) {
                int delayMs = dice.delayMs();
                copies.add(pause(delayMs).compose(now -> untilTaken(event, -1)));
            }
        }
        return Future.join(copies)
                .map(all ->
                        copies.stream().flatMap(copy -> copy.result().stream()).toList());
    }

    private Future<List<Sent>> untilTaken(RtcEvent event, int retry) {
        return sendOnce(event, nextNode()).compose(sent -> {
            List<Sent> sendings = new ArrayList<>(List.of(sent));
            if (sent.isTaken() || retry >= retries.times()) {
                return Future.succeededFuture(sendings);
            }
            return pause(retry < 0 ? 0 : retries.everyMs())
                    .compose(again -> untilTaken(event, retry + 1))
                    .map(later -> {
                        sendings.addAll(later);
                        return sendings;
                    });
        });
    }

    private String nextNode() {
        List<String> known = nodes;
        if (known.isEmpty()) {
            throw new IllegalStateException("nobody to send callbacks to");
        }
        return known.get(Math.floorMod(turn.getAndIncrement(), known.size()));
    }

    /** Sends an event to one node, once. Never fails. */
    public Future<Sent> sendOnce(RtcEvent event, String url) {
        String body = event.body(nowMs.getAsLong());
        return post(url, body, signature.of(Buffer.buffer(body).getBytes()), Integer.toString(app.sdkAppId()));
    }

    /** Sends whatever is wanted under whatever signature. Never fails. */
    public Future<Sent> post(String url, String body, String sign, String sdkAppId) {
        long startedNs = System.nanoTime();
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(url)
                .setConnectTimeout(ANSWER_MS)
                .putHeader("content-type", "application/json")
                .putHeader("Sign", sign)
                .putHeader("SdkAppId", sdkAppId);
        return http.request(options)
                .compose(request -> {
                    // Listened to before it is sent: whoever listens later, from another thread, may find it at its
                    // end.
                    Future<Integer> status = request.response()
                            .compose(response -> response.end().map(response.statusCode()));
                    return request.end(Buffer.buffer(body)).compose(sent -> status);
                })
                .timeout(ANSWER_MS, TimeUnit.MILLISECONDS)
                .otherwise(failure -> {
                    log.info("a callback was not answered by {}: {}", url, failure.toString());
                    return 0;
                })
                .map(status -> new Sent(status, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNs)));
    }

    private Future<Void> pause(long ms) {
        return ms <= 0
                ? Future.succeededFuture()
                : vertx.timer(ms, TimeUnit.MILLISECONDS).mapEmpty();
    }

    /** Closes every connection. */
    public Future<Void> close() {
        return http.close();
    }
}
