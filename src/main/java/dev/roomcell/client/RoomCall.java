package dev.roomcell.client;

import com.google.protobuf.Message;
import dev.roomcell.proto.room.v1.OwnerHint;
import io.vertx.core.Promise;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.common.ServiceMethod;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One call, from its first attempt to its answer. Every attempt sends the same bytes. Confined to the client's loop. */
final class RoomCall<Q extends Message, A> implements Attempt.Listener<A> {
    /** Hints followed without a wait; two nodes that name each other must not keep a client busy. */
    private static final int MAX_HINTS_AT_ONCE = 3;

    private final RoomClient client;
    private final ServiceMethod<A, Q> method;
    private final Q request;
    private final String room;
    private final String commandId;
    private final boolean command;
    private final Promise<A> promise;
    private final long deadlineNanos;
    private @Nullable Backoff backoff;
    private SocketAddress server;
    private int attempts;
    private int hintsAtOnce;
    private boolean maybeDone;
    private @Nullable Attempt<Q, A> underWay;
    private @Nullable CallFailure last;

    RoomCall(RoomClient client, ServiceMethod<A, Q> method, Q request, RequestShape shape, Promise<A> promise) {
        this.client = client;
        this.method = method;
        this.request = request;
        this.room = shape.roomOf(request);
        this.commandId = shape.commandIdOf(request);
        this.command = shape.isCommand();
        this.promise = promise;
        this.deadlineNanos = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(client.options().deadlineMs());
        SocketAddress owner = client.routes().owner(room);
        this.server = owner != null ? owner : client.routes().seed();
    }

    /** Makes the next attempt, at {@link #server}. */
    void attempt() {
        long leftMs = leftMs();
        if (leftMs < 1) {
            giveUp();
            return;
        }
        attempts++;
        Attempt<Q, A> attempt = new Attempt<>(
                client.vertx(), server, Math.min(leftMs, client.options().attemptTimeoutMs()), this);
        underWay = attempt;
        attempt.send(client.grpc(), method, request);
    }

    @Override
    public void answered(A answer) {
        client.ended(this);
        promise.complete(answer);
    }

    @Override
    public void failed(CallFailure failure) {
        underWay = null;
        last = failure;
        // No later answer takes that back: what was lost on its way may still arrive.
        maybeDone |= failure.effect() == CallFailure.Effect.UNKNOWN;
        if (failure.mayRetry()) {
            retry(failure);
        } else {
            giveUp();
        }
    }

    private void retry(CallFailure failure) {
        SocketAddress asked = server;
        Optional<SocketAddress> owner = hintedOwner(failure).filter(address -> !address.equals(asked));
        if (owner.isPresent()) {
            server = owner.get();
            client.routes().learn(room, server);
        } else if (failure.elsewhere()) {
            client.routes().forget(room, asked);
            server = client.routes().seedAfter(asked);
            if (failure.blamesNode()) {
                client.routes().avoid(asked);
            }
        }
        long waitMs = owner.isPresent() && ++hintsAtOnce <= MAX_HINTS_AT_ONCE ? 0 : waitMs(failure);
        if (waitMs >= leftMs()) {
            giveUp();
            return;
        }
        client.options().retryObserver().accept(exception(failure));
        if (waitMs == 0) {
            attempt();
        } else {
            hintsAtOnce = 0;
            client.vertx().setTimer(waitMs, id -> attemptUnlessEnded());
        }
    }

    private void attemptUnlessEnded() {
        if (!promise.future().isComplete()) {
            attempt();
        }
    }

    private long waitMs(CallFailure failure) {
        Backoff waits = backoff;
        if (waits == null) {
            RoomClientOptions options = client.options();
            waits = new Backoff(options.firstBackoffMs(), options.maxBackoffMs(), options.jitter());
            backoff = waits;
        }
        return Math.max(0, failure.retry().getAfterMs()) + waits.nextMs();
    }

    private Optional<SocketAddress> hintedOwner(CallFailure failure) {
        try {
            return failure.ownerHint()
                    .map(OwnerHint::getAdvertiseAddr)
                    .filter(address -> !address.isEmpty())
                    .map(RoomClientOptions::address);
        } catch (IllegalArgumentException e) {
            // A hint is only a hint: without a usable address there is none.
            return Optional.empty();
        }
    }

    /** Ends the call because the client is closed. */
    void close() {
        Attempt<Q, A> attempt = underWay;
        if (attempt != null) {
            maybeDone |= attempt.sent();
            attempt.cancel(CallFailure.closed());
        } else {
            last = CallFailure.closed();
            giveUp();
        }
    }

    private void giveUp() {
        CallFailure failure = last;
        client.ended(this);
        promise.fail(exception(failure != null ? failure : CallFailure.closed()));
    }

    private RoomCallException exception(CallFailure failure) {
        return new RoomCallException(failure, commandId, command && maybeDone, attempts);
    }

    private long leftMs() {
        return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    }
}
