package dev.roomcell.dev.wallet;

import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.wire.SharedConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gRPC server on one loopback port, which may go down and come up again. What it does must not block. */
final class MoneyService {
    private static final Logger log = LoggerFactory.getLogger(MoneyService.class);
    /** Calls that have come in and whose effects are not over; one more is answered UNAVAILABLE. */
    private static final int CALLS_WAITING = 4_096;

    private final Vertx vertx;
    private final int port;
    private final WalletFaults faults;
    private final GrpcServer grpc;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong effects = new AtomicLong();
    private @Nullable HttpServer server;

    MoneyService(Vertx vertx, int port, WalletFaults faults) {
        this.vertx = vertx;
        this.port = port;
        this.faults = faults;
        this.grpc = GrpcServer.server(vertx);
    }

    /** Serves a method. */
    <Q, A> MoneyService on(ServiceMethod<Q, A> method, Function<Q, String> keyOf, Function<Q, Future<A>> effect) {
        grpc.callHandler(
                method,
                call -> call.handler(request -> {
                    Fault fault = faults.onCall(method.methodName(), keyOf.apply(request));
                    serve(call, fault, () -> effect.apply(request));
                }));
        return this;
    }

    private <A> void serve(GrpcServerRequest<?, A> call, Fault fault, Supplier<Future<A>> effect) {
        switch (fault.kind()) {
            case PASS -> answer(call, run(effect));
            case LOST_BEFORE -> log.debug("a call is lost");
            case LOST_AFTER -> drop(run(effect));
            case UNAVAILABLE_BEFORE -> fail(call, GrpcStatus.UNAVAILABLE, "on demand");
            case UNAVAILABLE_AFTER ->
                run(effect).onComplete(over -> fail(call, GrpcStatus.UNAVAILABLE, "on demand, after it"));
            case REFUSED -> fail(call, GrpcStatus.FAILED_PRECONDITION, "refused on demand");
            case SLOW -> vertx.setTimer(Math.max(1, fault.ms()), id -> answer(call, run(effect)));
            case LATE -> vertx.setTimer(Math.max(1, fault.ms()), id -> drop(run(effect)));
        }
    }

    /** The answer comes on the caller's event loop. */
    private <A> Future<A> run(Supplier<Future<A>> effect) {
        if (waiting.incrementAndGet() > CALLS_WAITING) {
            waiting.decrementAndGet();
            return Future.failedFuture(ServiceRefusal.busy());
        }
        Context caller = vertx.getOrCreateContext();
        Promise<A> answered = Promise.promise();
        Future.succeededFuture().compose(begun -> effect.get()).onComplete((answer, failure) -> {
            waiting.decrementAndGet();
            effects.incrementAndGet();
            caller.runOnContext(go -> answered.complete(answer, failure));
        });
        return answered.future();
    }

    /** How many calls have had their effects, or been refused. */
    long effects() {
        return effects.get();
    }

    private static <A> void drop(Future<A> over) {
        over.onFailure(failure -> log.debug("a lost call was refused: {}", failure.toString()));
    }

    private static <A> void answer(GrpcServerRequest<?, A> call, Future<A> over) {
        over.onComplete(reply -> send(() -> call.response().end(reply)), failure -> {
            if (failure instanceof ServiceRefusal refusal) {
                fail(call, refusal.status(), String.valueOf(refusal.getMessage()));
            } else {
                log.warn("a call failed", failure);
                fail(call, GrpcStatus.UNAVAILABLE, failure.toString());
            }
        });
    }

    private static void fail(GrpcServerRequest<?, ?> call, GrpcStatus status, String message) {
        send(() -> call.response().status(status).statusMessage(message).end());
    }

    private static void send(Supplier<Future<Void>> answer) {
        try {
            answer.get().onFailure(gone -> log.debug("not answered: {}", gone.toString()));
        } catch (IllegalStateException | NullPointerException gone) {
            log.debug("not answered, the stream has ended: {}", gone.getMessage());
        }
    }

    /** Listens, on the same port each time. */
    Future<Void> comeUp() {
        HttpServerOptions options =
                new HttpServerOptions().setInitialSettings(new Http2Settings().setMaxConcurrentStreams(CALLS_WAITING));
        return vertx.createHttpServer(options)
                .connectionHandler(SharedConnection::prepare)
                .requestHandler(grpc)
                .listen(port, "127.0.0.1")
                .onSuccess(listening -> server = listening)
                .mapEmpty();
    }

    /** Ends every connection and listens no more, at once; effects that are under way come to their end. */
    Future<Void> goDown() {
        HttpServer listening = server;
        server = null;
        return listening == null ? Future.succeededFuture() : listening.close();
    }
}
