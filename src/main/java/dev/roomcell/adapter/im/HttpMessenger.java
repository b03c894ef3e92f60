package dev.roomcell.adapter.im;

import dev.roomcell.port.RoomMessenger;
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

/**
 * Posts each message as JSON to one address, which is there for all rooms: the sink that shows what clients see where no
 * IM provider is. Any 2xx is success. Belongs to one event loop.
 */
public final class HttpMessenger implements RoomMessenger {
    private static final Logger log = LoggerFactory.getLogger(HttpMessenger.class);
    /** Messages on their way at once; as many as the lane of a loop sends. */
    private static final int CONNECTIONS = 64;
    /** Messages that wait for a connection; one more fails. */
    private static final int WAITING = 64;

    private final HttpClientAgent client;
    private final URI sink;

    /** A messenger of the calling event loop; nothing connects before the first message. */
    public HttpMessenger(Vertx vertx, URI sink) {
        this.client = vertx.createHttpClient(
                new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(WAITING));
        this.sink = sink;
    }

    @Override
    public Future<Void> send(Message message, long timeoutMs) {
        Buffer body = Buffer.buffer(MessageJson.of(message));
        RequestOptions post = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(sink.toString())
                .setConnectTimeout(timeoutMs)
                .putHeader("content-type", "application/json");
        return client.request(post)
                .compose(request -> request.send(body)
                        .compose(HttpMessenger::taken)
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
    public Future<Void> close() {
        return client.close();
    }
}
