package dev.roomcell.adapter.wallet;

import dev.roomcell.port.Wallet.WalletException;
import dev.roomcell.port.Wallet.WalletException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.common.ServiceMethod;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The calls of one event loop to one service: with a deadline, so many at once and no more, and none for a while to one
 * that does not answer. A call that is not made fails as {@link Kind#NOT_SENT}, at once: nothing waits here.
 */
final class GuardedCalls {
    /** Failures in a row after which the service is left alone. */
    static final int FAILURES_TO_OPEN = 10;
    /** For how long it is left alone before one call tries it again, ms. */
    static final long PAUSE_MS = 1_000;

    private static final int MAX_ANSWER_BYTES = 64 * 1024;

    private final Vertx vertx;
    private final WalletSettings settings;
    private final SocketAddress server;
    private final GrpcClient grpc;
    private final CircuitBreaker breaker;
    private final LongSupplier monotonicMs;
    private final ServiceCallMeter meter;
    private int inFlight;

    /** Calls of the calling event loop; nothing connects before it is needed. */
    GuardedCalls(Vertx vertx, WalletSettings settings, LongSupplier monotonicMs, ServiceCallMeter meter) {
        this.monotonicMs = monotonicMs;
        this.meter = meter;
        this.vertx = vertx;
        this.settings = settings;
        this.server = SocketAddress.inetSocketAddress(settings.port(), settings.host());
        this.grpc = GrpcClient.client(
                vertx, new GrpcClientOptions().setMaxMessageSize(MAX_ANSWER_BYTES), transport(settings));
        this.breaker = new CircuitBreaker(FAILURES_TO_OPEN, PAUSE_MS, monotonicMs);
    }

    private static HttpClientOptions transport(WalletSettings settings) {
        int timeoutMs = (int) Math.min(Integer.MAX_VALUE / 2, settings.callTimeoutMs());
        return new HttpClientOptions()
                .setHttp2ClearTextUpgrade(false)
                .setConnectTimeout(timeoutMs)
                // A peer that is gone without a word: its connection would swallow every call.
                .setReadIdleTimeout(2 * timeoutMs)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    }

    /** Whether a call would be made now. */
    boolean takesCalls() {
        return inFlight < settings.maxInFlight() && breaker.admits();
    }

    /** Makes a call, if it may be made; fails with {@link WalletException}. */
    <Q, A> Future<A> call(ServiceMethod<A, Q> method, Q request, long timeoutMs) {
        long askedMs = monotonicMs.getAsLong();
        return guarded(method, request, timeoutMs)
                .onComplete(over -> meter.ended(method, over.cause(), monotonicMs.getAsLong() - askedMs));
    }

    private <Q, A> Future<A> guarded(ServiceMethod<A, Q> method, Q request, long timeoutMs) {
        if (inFlight >= settings.maxInFlight()) {
            return Future.failedFuture(new WalletException(Kind.NOT_SENT, inFlight + " calls are under way"));
        }
        OptionalLong ticket = breaker.admit();
        if (ticket.isEmpty()) {
            return Future.failedFuture(new WalletException(Kind.NOT_SENT, "too many calls have failed lately"));
        }
        inFlight++;
        return new ServiceCall<Q, A>(vertx, Math.max(1, Math.min(timeoutMs, settings.callTimeoutMs())))
                .send(grpc, server, method, request)
                .onComplete(
                        answer -> {
                            inFlight--;
                            breaker.answered(ticket.getAsLong());
                        },
                        failure -> ended(failure, ticket.getAsLong()));
    }

    private void ended(Throwable failure, long ticket) {
        inFlight--;
        if (failure instanceof WalletException known && known.kind() == Kind.REFUSED) {
            breaker.answered(ticket);
        } else {
            breaker.failed(ticket);
        }
    }

    /** Closes the connections; what is under way fails. */
    Future<Void> close() {
        return grpc.close();
    }
}
