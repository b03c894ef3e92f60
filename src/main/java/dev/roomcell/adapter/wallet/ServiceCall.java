package dev.roomcell.adapter.wallet;

import dev.roomcell.port.Wallet.WalletException;
import dev.roomcell.port.Wallet.WalletException.Kind;
import dev.roomcell.wire.SharedConnection;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One call, from its sending to its end. It knows whether the request has gone out. Confined to one event loop. */
final class ServiceCall<Q, A> {
    /** The share of the timeout that the service is told as its deadline, in tenths. */
    private static final int SERVER_TENTHS = 9;

    private final Vertx vertx;
    private final long timeoutMs;
    private final Promise<A> promise = Promise.promise();
    private boolean sent;
    private boolean over;
    private long timerId;
    private @Nullable GrpcClientRequest<Q, A> request;
    private @Nullable A answer;

    ServiceCall(Vertx vertx, long timeoutMs) {
        this.vertx = vertx;
        this.timeoutMs = timeoutMs;
    }

    /** Makes the call; fails with {@link WalletException}. */
    Future<A> send(GrpcClient grpc, SocketAddress server, ServiceMethod<A, Q> method, Q message) {
        timerId = vertx.setTimer(timeoutMs, id -> timeOut());
        try {
            grpc.request(server, method)
                    .onComplete(opened -> send(opened, message), cause -> lost("not connected", cause));
        } catch (IllegalStateException closed) {
            // The connections go with the verticle that the client was made in.
            lost("not connected", closed);
        }
        return promise.future();
    }

    private void send(GrpcClientRequest<Q, A> opened, Q message) {
        if (over) {
            opened.cancel();
            return;
        }
        SharedConnection.prepare(opened.connection());
        request = opened;
        sent = true;
        opened.timeout(Math.max(1, timeoutMs * SERVER_TENTHS / 10), TimeUnit.MILLISECONDS);
        opened.response().onComplete(this::receive, cause -> lost("no answer", cause));
        opened.end(message).onFailure(cause -> lost("not written", cause));
    }

    private void receive(GrpcClientResponse<Q, A> response) {
        response.handler(message -> answer = message);
        response.exceptionHandler(cause -> lost("no whole answer", cause));
        response.errorHandler(error -> fail(Kind.UNKNOWN, "the stream was reset: " + error));
        response.endHandler(ended -> read(response));
    }

    private void read(GrpcClientResponse<Q, A> response) {
        A message = answer;
        GrpcStatus status = response.status();
        if (status == GrpcStatus.OK && message != null) {
            if (finish()) {
                promise.complete(message);
            }
        } else {
            fail(kindOf(status), (status == null ? "no status" : status.name()) + ": " + response.statusMessage());
        }
    }

    /** Only what wallet.proto and lucky_gift.proto promise to have had no effect counts as that. */
    private static Kind kindOf(@Nullable GrpcStatus status) {
        return status == GrpcStatus.INVALID_ARGUMENT
                        || status == GrpcStatus.FAILED_PRECONDITION
                        || status == GrpcStatus.OUT_OF_RANGE
                ? Kind.REFUSED
                : Kind.UNKNOWN;
    }

    private void timeOut() {
        GrpcClientRequest<Q, A> open = request;
        fail(sent ? Kind.UNKNOWN : Kind.NOT_SENT, "no answer within " + timeoutMs + " ms");
        if (open != null) {
            open.cancel();
        }
    }

    private void lost(String what, Throwable cause) {
        fail(sent ? Kind.UNKNOWN : Kind.NOT_SENT, what + ": " + cause);
    }

    private void fail(Kind kind, String message) {
        if (finish()) {
            promise.fail(new WalletException(kind, message));
        }
    }

    private boolean finish() {
        if (over) {
            return false;
        }
        over = true;
        request = null;
        vertx.cancelTimer(timerId);
        return true;
    }
}
