package dev.roomcell.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The class that shows the channel is Vert.x's own: these tests hear of it when it changes. */
class SharedConnectionTest {
    private static final int CALLS = 50;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger flushes = new AtomicInteger();

    /** Counts what would be a system call. */
    private final class CountFlushes extends ChannelOutboundHandlerAdapter {
        @Override
        public void flush(ChannelHandlerContext context) {
            flushes.incrementAndGet();
            context.flush();
        }
    }

    @AfterEach
    void close() {
        done(vertx.close());
    }

    @Test
    void theAnswersOfOneTurnLeaveTogether() {
        List<HttpServerRequest> held = new ArrayList<>();
        int port = serve(
                connection -> {
                    SharedConnection.prepare(connection);
                    ((ConnectionBase) connection).channel().pipeline().addFirst(new CountFlushes());
                },
                request -> {
                    held.add(request);
                    if (held.size() == CALLS) {
                        vertx.runOnContext(turn -> {
                            flushes.set(0);
                            held.forEach(each -> each.response().end("answer"));
                        });
                    }
                });
        HttpClient client = client();

        List<Future<Buffer>> answers = IntStream.range(0, CALLS)
                .mapToObj(i -> client.request(HttpMethod.POST, port, "127.0.0.1", "/")
                        .compose(request -> request.send())
                        .compose(HttpClientResponse::body))
                .toList();

        done(Future.all(answers));
        assertThat(answers).allMatch(answer -> answer.result().toString().equals("answer"));
        // The client's acknowledgements may have one of their own.
        assertThat(flushes.get()).isBetween(1, 5);
    }

    @Test
    void whatIsWrittenRightBeforeTheEndArrives() {
        Promise<Void> ended = Promise.promise();
        int port = serve(SharedConnection::prepare, request -> {
            HttpConnection connection = request.connection();
            request.response().end("last words");
            connection.shutdown(1, TimeUnit.SECONDS).onComplete(ended);
        });

        Buffer answer = done(client().request(HttpMethod.POST, port, "127.0.0.1", "/")
                .compose(request -> request.send())
                .compose(HttpClientResponse::body));

        assertThat(answer.toString()).isEqualTo("last words");
        done(ended.future());
    }

    @Test
    void theBufferIsWideAndAConnectionIsMadeReadyOnce() {
        int port = serve(connection -> {}, request -> request.response().end());

        int more =
                done(client().request(HttpMethod.POST, port, "127.0.0.1", "/").map(request -> {
                    SharedConnection.prepare(request.connection());
                    ConnectionBase connection = (ConnectionBase) request.connection();
                    assertThat(connection.channel().config().getWriteBufferHighWaterMark())
                            .isGreaterThanOrEqualTo(1024 * 1024);
                    int handlers = connection.channel().pipeline().names().size();
                    SharedConnection.prepare(request.connection());
                    return connection.channel().pipeline().names().size() - handlers;
                }));

        assertThat(more).isZero();
    }

    private int serve(Handler<HttpConnection> connected, Handler<HttpServerRequest> requested) {
        HttpServer server =
                vertx.createHttpServer().connectionHandler(connected).requestHandler(requested);
        return done(server.listen(0, "127.0.0.1")).actualPort();
    }

    private HttpClient client() {
        return vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }
}
