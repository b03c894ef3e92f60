package dev.roomcell.adapter.tencent;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Posts JSON and reads JSON, on connections of its own. Belongs to one event loop. */
final class ImPost {
    private static final Logger log = LoggerFactory.getLogger(ImPost.class);

    private final HttpClientAgent client;
    private final URI site;

    /**
     * Of the calling event loop; nothing connects before the first post.
     *
     * @param connections posts on their way at once
     * @param waiting posts that wait for a connection; one more fails
     */
    ImPost(Vertx vertx, URI site, int connections, int waiting) {
        this.client = vertx.createHttpClient(
                new HttpClientOptions().setSsl("https".equals(site.getScheme())),
                new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(waiting));
        this.site = site;
    }

    /**
     * The answer; fails if there is none within {@code timeoutMs}, or one that is no JSON with status 200: then nobody
     * knows what was done.
     */
    Future<JsonObject> post(String pathAndQuery, Buffer body, long timeoutMs) {
        RequestOptions post = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(site.resolve("/") + pathAndQuery)
                .setConnectTimeout(timeoutMs)
                .putHeader("content-type", "application/json");
        return client.request(post)
                .compose(request -> request.send(body)
                        .compose(ImPost::read)
                        .timeout(timeoutMs, TimeUnit.MILLISECONDS)
                        .onFailure(failure -> callOff(request)));
    }

    private static Future<JsonObject> read(HttpClientResponse response) {
        int status = response.statusCode();
        return response.body().compose(body -> {
            if (status != 200) {
                return Future.failedFuture(new IllegalStateException("status " + status));
            }
            return Future.succeededFuture(body.toJsonObject());
        });
    }

    /** Ends the connection if the call is still on it; one that was answered keeps it. */
    private static void callOff(HttpClientRequest request) {
        request.reset().onFailure(over -> log.debug("not called off: {}", over.toString()));
    }

    /** Closes every connection; what is on its way fails. */
    Future<Void> close() {
        return client.close();
    }
}
