package dev.roomcell.client;

import dev.roomcell.wire.SharedConnection;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One sending of a call to one node. Confined to the client's event loop; its listener is told exactly once. */
final class Attempt<Q, A> {
    /** Told how an attempt ended. */
    interface Listener<A> {
        /** The node did it. */
        void answered(A answer);

        /** The node refused, or nobody knows. */
        void failed(CallFailure failure);
    }

    /** The share of the timeout that a node is told as its deadline, in tenths. */
    private static final int SERVER_TENTHS = 9;

    private final Vertx vertx;
    private final SocketAddress server;
    private final long timeoutMs;
    private final Listener<A> listener;
    private long timerId;
    private boolean sent;
    private boolean over;
    private @Nullable GrpcClientRequest<Q, A> request;
    private @Nullable A answer;

    Attempt(Vertx vertx, SocketAddress server, long timeoutMs, Listener<A> listener) {
        this.vertx = vertx;
        this.server = server;
        this.timeoutMs = timeoutMs;
        this.listener = listener;
    }

    void send(GrpcClient grpc, ServiceMethod<A, Q> method, Q message) {
        timerId = vertx.setTimer(timeoutMs, id -> cancel(CallFailure.timedOut(server, timeoutMs, sent)));
        try {
            grpc.request(server, method)
                    .onComplete(
                            opened -> send(opened, message), cause -> end(CallFailure.connectFailed(server, cause)));
        } catch (IllegalStateException closed) {
            // The connections go with the verticle that the client was made in.
            end(CallFailure.closed());
        }
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
        opened.response().onComplete(this::receive, this::lost);
        opened.end(message).onFailure(this::lost);
    }

    private void receive(GrpcClientResponse<Q, A> response) {
        response.handler(message -> answer = message);
        response.exceptionHandler(this::lost);
        response.errorHandler(error -> end(CallFailure.malformed(server, "the stream was reset: " + error)));
        response.endHandler(ended -> read(response));
    }

    private void read(GrpcClientResponse<Q, A> response) {
        A message = answer;
        if (response.status() != GrpcStatus.OK) {
            end(CallFailure.of(response));
        } else if (message == null) {
            end(CallFailure.malformed(server, "status OK without a message"));
        } else if (finish()) {
            listener.answered(message);
        }
    }

    private void lost(Throwable cause) {
        end(CallFailure.connectionLost(server, cause));
    }

    /** Gives up: tells the listener {@code why} and the node that nobody waits any more. */
    void cancel(CallFailure why) {
        GrpcClientRequest<Q, A> open = request;
        end(why);
        if (open != null) {
            open.cancel();
        }
    }

    /** Whether the request has gone out, so that it may have an effect. */
    boolean sent() {
        return sent;
    }

    private void end(CallFailure failure) {
        if (finish()) {
            listener.failed(failure);
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
