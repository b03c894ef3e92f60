package dev.roomcell.it;

import com.google.protobuf.MessageLite;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** One HTTP/2 connection to a node: sends also what no gRPC client would, shows all of the answer, and knows its end. */
final class RawConnection implements AutoCloseable {
    private static final Map<String, String> GRPC = Map.of("content-type", "application/grpc", "te", "trailers");

    /** The HTTP/2 error code that gRPC clients cancel with. */
    private static final long CANCEL = 8;

    private final HttpClientAgent client;
    private final HttpClientConnection connection;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private RawConnection(HttpClientAgent client, HttpClientConnection connection) {
        this.client = client;
        this.connection = connection;
        connection.closeHandler(closed -> open.set(false));
        // A GOAWAY takes no new call.
        connection.goAwayHandler(goAway -> open.set(false));
    }

    /** Connects to a port of 127.0.0.1. */
    static RawConnection open(Vertx vertx, int port) {
        HttpClientAgent client = vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        HttpConnectOptions where = new HttpConnectOptions().setHost("127.0.0.1").setPort(port);
        return new RawConnection(client, Await.result(client.connect(where)));
    }

    /** Whether the node keeps the connection. */
    boolean isOpen() {
        return open.get();
    }

    /** A gRPC call of a method ({@code package.Service/Method}). */
    RawAnswer call(String method, MessageLite request) {
        return call(method, request.toByteArray());
    }

    RawAnswer call(String method, byte[] message) {
        return Await.result(send(method, message));
    }

    Future<RawAnswer> send(String method, byte[] message) {
        return post("/" + method, GRPC, framed(message));
    }

    /** A message as gRPC sends it: not compressed, its length, itself. */
    static Buffer framed(byte[] message) {
        return Buffer.buffer().appendByte((byte) 0).appendInt(message.length).appendBytes(message);
    }

    /** A gRPC call with a body that is anything. */
    Future<RawAnswer> postGrpc(String method, Map<String, String> moreHeaders, Buffer body) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(GRPC).addAll(moreHeaders);
        return post("/" + method, headers, body);
    }

    /** Calls a method and resets the stream at once; fails, unless the answer was faster. */
    Future<RawAnswer> sendAndReset(String method, byte[] message) {
        return sendAndReset(method, message, Future.succeededFuture());
    }

    /** Calls a method and resets the stream when {@code patience} is over; fails, unless the answer was faster. */
    Future<RawAnswer> sendAndReset(String method, byte[] message, Future<?> patience) {
        return connection.request(HttpMethod.POST, "/" + method).compose(request -> {
            GRPC.forEach((name, value) -> request.putHeader(name, value));
            Future<RawAnswer> answer = answer(request, framed(message));
            return patience.compose(over -> request.reset(CANCEL)).transform(reset -> answer);
        });
    }

    /** Any POST. */
    Future<RawAnswer> post(String path, Map<String, String> headers, Buffer body) {
        return post(path, MultiMap.caseInsensitiveMultiMap().addAll(headers), body);
    }

    private Future<RawAnswer> post(String path, MultiMap headers, Buffer body) {
        return connection.request(HttpMethod.POST, path).compose(request -> {
            headers.forEach((name, value) -> request.putHeader(name, value));
            return answer(request, body);
        });
    }

    private static Future<RawAnswer> answer(HttpClientRequest request, Buffer body) {
        // The node may answer, and reset the rest, before all of a long body was sent.
        Future<HttpClientResponse> response = request.response();
        Future<Void> sent = request.end(body);
        return response.compose(head -> head.body()
                .map(read -> new RawAnswer(head.statusCode(), fields(head), read))
                .eventually(() -> sent.transform(over -> Future.succeededFuture())));
    }

    private static MultiMap fields(HttpClientResponse response) {
        return MultiMap.caseInsensitiveMultiMap().addAll(response.headers()).addAll(response.trailers());
    }

    @Override
    public void close() {
        Await.result(client.close());
    }
}
