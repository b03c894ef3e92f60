package dev.roomcell.adapter.im;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Posts JSON to one address, on connections of its own. Any 2xx is success. Belongs to one event loop. */
final class SinkPost {
    private static final Logger log = LoggerFactory.getLogger(SinkPost.class);

    private final HttpClientAgent client;
    private final URI sink;

    /**
     * Of the calling event loop; nothing connects before the first post.
     *
     * @param connections posts on their way at once
     * @param waiting posts that wait for a connection; one more fails
     */
    SinkPost(Vertx vertx, URI sink, int connections, int waiting) {
        this.client = vertx.createHttpClient(
                new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(waiting));
        this.sink = sink;
    }

    /** Completes when the sink has it; what is not answered within {@code timeoutMs} is called off, and fails. */
    Future<Void> post(String json, long timeoutMs) {
        Buffer body = Buffer.buffer(json);
        RequestOptions post = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(sink.toString())
                .setConnectTimeout(timeoutMs)
                .putHeader("content-type", "application/json");
        return client.request(post)
                .compose(request -> request.send(body)
                        .compose(SinkPost::taken)
                        .timeout(timeoutMs, TimeUnit.MILLISECONDS)
                        .onFailure(failure -> callOff(request)));
    }

    /** The body of an answer is read to its end, so that the connection can be used again, and thrown away. */
    private static Future<Void> taken(HttpClientResponse response) {
        int status = response.statusCode();
        return response.end()
                .compose(read -> status >= 200 && status < 300
                        ? Future.succeededFuture()
                        : Future.failedFuture(new IllegalStateException("the sink answered " + status)));
    }

    /** Ends the connection if the message is still on it; one that was answered keeps it. */
    private static void callOff(HttpClientRequest request) {
        request.reset().onFailure(over -> log.debug("not called off: {}", over.toString()));
    }

    /** Closes every connection; what is on its way fails. */
    Future<Void> close() {
        return client.close();
    }
}
