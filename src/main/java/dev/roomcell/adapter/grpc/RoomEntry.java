package dev.roomcell.adapter.grpc;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.cell.Answer.Refused;
import dev.roomcell.cell.Forwarding;
import dev.roomcell.port.PeerAnswer;
import dev.roomcell.port.PeerCall;
import dev.roomcell.port.PeerLink;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where calls that concern a room come in: from clients, to be run where the room is (LEASE-4), and from peers, to be run
 * here and nowhere else (LEASE-5).
 */
public final class RoomEntry {
    private final Map<String, Function<Buffer, RoomCall>> methods = new ConcurrentHashMap<>();
    private final @Nullable Forwarding<RoomCall, Reply> forwarding;

    private RoomEntry(@Nullable Forwarding<RoomCall, Reply> forwarding) {
        this.forwarding = forwarding;
    }

    /** The entry of a node that knows no peers: whoever asks for another node's room is told where it is. */
    public static RoomEntry alone() {
        return new RoomEntry(null);
    }

    /** The entry of a node that sends calls to its peers. */
    public static RoomEntry among(String nodeId, PeerLink<PeerCall, PeerAnswer> peers, RoomClock clock) {
        return new RoomEntry(new Forwarding<>(nodeId, new Calls(), sent(peers), clock));
    }

    private static PeerLink<RoomCall, Reply> sent(PeerLink<PeerCall, PeerAnswer> peers) {
        return (peer, call, timeoutMs) -> peers.send(
                        peer, new PeerCall(call.method(), call.request().getBytes()), timeoutMs)
                .map(RoomEntry::reply);
    }

    private static Reply reply(PeerAnswer answer) {
        return answer instanceof PeerAnswer.Replied replied
                ? new Reply.Ok(Buffer.buffer(replied.reply()))
                : new Reply.Failed(PeerErrors.decode(((PeerAnswer.Failed) answer).error()));
    }

    /** Makes a method known, under its full name, to peers. */
    void register(String method, Function<Buffer, RoomCall> reader) {
        methods.put(method, reader);
    }

    /** Runs a client's call where its room is; never fails. */
    Future<Reply> run(RoomCall call, long timeoutMs) {
        return forwarding == null ? call.runHere(timeoutMs) : forwarding.run(call.key(), call, timeoutMs);
    }

    /** The same by the method's full name and the request's bytes, for callers in the house; never fails. */
    Future<Reply> call(String method, Buffer request, long timeoutMs) {
        Function<Buffer, RoomCall> reader = methods.get(method);
        if (reader == null) {
            return Future.succeededFuture(new Reply.Failed(ApiError.unimplemented(method)));
        }
        try {
            return run(reader.apply(request), timeoutMs);
        } catch (ApiException refused) {
            return Future.succeededFuture(new Reply.Failed(refused.error()));
        }
    }

    /** Runs a peer's call on this node; never fails. Callable from any thread. */
    public Future<PeerAnswer> serve(PeerCall call, long timeoutMs) {
        Function<Buffer, RoomCall> reader = methods.get(call.method());
        if (reader == null) {
            return Future.succeededFuture(
                    failed(ApiError.unimplemented(call.method() + ", which a peer has sent here,")));
        }
        RoomCall read;
        try {
            read = reader.apply(Buffer.buffer(call.request()));
        } catch (ApiException refused) {
            return Future.succeededFuture(failed(refused.error()));
        }
        return read.runHere(timeoutMs)
                .map(reply -> reply instanceof Reply.Ok ok
                        ? new PeerAnswer.Replied(ok.message().getBytes())
                        : failed(((Reply.Failed) reply).error()));
    }

    private static PeerAnswer failed(ApiError error) {
        return new PeerAnswer.Failed(PeerErrors.encode(error));
    }

    private static final class Calls implements Forwarding.Calls<RoomCall, Reply> {
        @Override
        public Future<Reply> runHere(RoomCall call, long timeoutMs) {
            return call.runHere(Math.max(1, timeoutMs));
        }

        @Override
        public Optional<Refused> refusal(Reply answer) {
            if (!(answer instanceof Reply.Failed failed) || failed.error().status() != GrpcStatus.UNAVAILABLE) {
                return Optional.empty();
            }
            ApiError error = failed.error();
            // A newer peer may have reasons that this node does not know; they go to the client as they are.
            return Stream.of(Refusal.values())
                    .filter(refusal -> refusal.name().equals(error.reason()))
                    .map(refusal -> new Refused(refusal, error.message(), error.owner()))
                    .findFirst();
        }

        @Override
        public Reply refused(RoomCall call, Refused refused) {
            boolean nothingToLearn = refused.refusal() == Refusal.OUTCOME_UNKNOWN && !call.changes();
            Refused told = nothingToLearn
                    ? new Refused(
                            Refusal.OWNER_UNREACHABLE,
                            "the room's owner was asked and has not answered; ask again",
                            refused.owner())
                    : refused;
            return new Reply.Failed(ErrorTable.of(told));
        }
    }
}
