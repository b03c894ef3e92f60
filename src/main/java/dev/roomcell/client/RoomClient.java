package dev.roomcell.client;

import com.google.protobuf.Message;
import dev.roomcell.proto.room.v1.CheckPresenceRequest;
import dev.roomcell.proto.room.v1.CheckPresenceResponse;
import dev.roomcell.proto.room.v1.CloseRoomRequest;
import dev.roomcell.proto.room.v1.CloseRoomResponse;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.CreateRoomResponse;
import dev.roomcell.proto.room.v1.GetRoomRequest;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import dev.roomcell.proto.room.v1.LeaveRoomRequest;
import dev.roomcell.proto.room.v1.LeaveRoomResponse;
import dev.roomcell.proto.room.v1.ListPresenceRequest;
import dev.roomcell.proto.room.v1.ListPresenceResponse;
import dev.roomcell.proto.room.v1.RoomCommandServiceGrpcClient;
import dev.roomcell.proto.room.v1.RoomGuardServiceGrpcClient;
import dev.roomcell.proto.room.v1.RoomHeartbeatRequest;
import dev.roomcell.proto.room.v1.RoomHeartbeatResponse;
import dev.roomcell.proto.room.v1.RoomQueryServiceGrpcClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.common.ServiceMethod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Calls a room service over gRPC. A call is tried until it is answered, refused for good, or its deadline is over; all
 * its attempts carry the same command id and the same {@code sent_at_ms} (CMD-8, LOG-2). A hint about a room's owner is
 * followed at once and remembered until that node fails; other failures wait, exponentially and jittered, or as long as
 * the node asks for.
 *
 * <p>All futures fail with {@link RoomCallException}. May be used from any thread; works on one event loop, and
 * completes its futures there. Keeps one connection to each node it talks to, with as many calls on it as the node
 * allows; what goes beyond waits for its turn.
 */
public final class RoomClient {
    private static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
    private static final int CONNECTION_WINDOW_BYTES = 4 * 1024 * 1024;

    private final Vertx vertx;
    private final Context context;
    private final RoomClientOptions options;
    private final GrpcClient grpc;
    private final RoomRoutes routes;
    private final Set<RoomCall<?, ?>> calls = new HashSet<>();
    private boolean closed;

    private RoomClient(Vertx vertx, Context context, RoomClientOptions options) {
        this.vertx = vertx;
        this.context = context;
        this.options = options;
        this.routes = new RoomRoutes(options.seeds());
        this.grpc = GrpcClient.client(
                vertx, new GrpcClientOptions().setMaxMessageSize(MAX_MESSAGE_BYTES), transport(options));
    }

    /** A client on the caller's event loop, or on one of its own when called from another thread. */
    public static RoomClient create(Vertx vertx, RoomClientOptions options) {
        Context context = vertx.getOrCreateContext();
        if (!context.isEventLoopContext()) {
            throw new IllegalStateException("a client cannot be made on a worker thread");
        }
        return new RoomClient(vertx, context, options);
    }

    private static HttpClientOptions transport(RoomClientOptions options) {
        int attemptMs = (int) Math.min(Integer.MAX_VALUE / 2, options.attemptTimeoutMs());
        return new HttpClientOptions()
                .setHttp2ClearTextUpgrade(false)
                .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
                .setConnectTimeout(attemptMs)
                // A peer that is gone without a word: its connection would swallow every attempt.
                .setReadIdleTimeout(2 * attemptMs)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    }

    /**
     * Calls any method of the API. A command without id or {@code sent_at_ms} gets them here, once.
     *
     * @param method a constant of a generated {@code …GrpcClient}
     * @param request is sent as it is otherwise
     */
    public <Q extends Message, A> Future<A> call(ServiceMethod<A, Q> method, Q request) {
        RequestShape shape = RequestShape.of(request);
        Q stamped = shape.stamped(request, options);
        Promise<A> promise = Promise.promise();
        if (Vertx.currentContext() == context) {
            start(method, stamped, shape, promise);
        } else {
            context.runOnContext(v -> start(method, stamped, shape, promise));
        }
        return promise.future();
    }

    private <Q extends Message, A> void start(
            ServiceMethod<A, Q> method, Q request, RequestShape shape, Promise<A> promise) {
        if (closed) {
            promise.fail(new RoomCallException(CallFailure.closed(), false, 0));
            return;
        }
        RoomCall<Q, A> call = new RoomCall<>(this, method, request, shape, promise);
        calls.add(call);
        call.attempt();
    }

    /** Makes a room. */
    public Future<CreateRoomResponse> createRoom(CreateRoomRequest request) {
        return call(RoomCommandServiceGrpcClient.CreateRoom, request);
    }

    /** Ends a room for ever. */
    public Future<CloseRoomResponse> closeRoom(CloseRoomRequest request) {
        return call(RoomCommandServiceGrpcClient.CloseRoom, request);
    }

    /** Makes the actor present. */
    public Future<JoinRoomResponse> joinRoom(JoinRoomRequest request) {
        return call(RoomCommandServiceGrpcClient.JoinRoom, request);
    }

    /** Ends the actor's presence. */
    public Future<LeaveRoomResponse> leaveRoom(LeaveRoomRequest request) {
        return call(RoomCommandServiceGrpcClient.LeaveRoom, request);
    }

    /** Says that the actor is still there. */
    public Future<RoomHeartbeatResponse> heartbeat(RoomHeartbeatRequest request) {
        return call(RoomCommandServiceGrpcClient.RoomHeartbeat, request);
    }

    /** The room as it stands. */
    public Future<GetRoomResponse> getRoom(GetRoomRequest request) {
        return call(RoomQueryServiceGrpcClient.GetRoom, request);
    }

    /** Who is present, a page at a time. */
    public Future<ListPresenceResponse> listPresence(ListPresenceRequest request) {
        return call(RoomQueryServiceGrpcClient.ListPresence, request);
    }

    /** Whether a user is in the room. */
    public Future<CheckPresenceResponse> checkPresence(CheckPresenceRequest request) {
        return call(RoomGuardServiceGrpcClient.CheckPresence, request);
    }

    /** Ends all calls under way with CLIENT_CLOSED, and the connections. Later calls fail at once. */
    public Future<Void> close() {
        Promise<Void> promise = Promise.promise();
        context.runOnContext(v -> {
            closed = true;
            new ArrayList<>(calls).forEach(RoomCall::close);
            grpc.close().onComplete(promise);
        });
        return promise.future();
    }

    void ended(RoomCall<?, ?> call) {
        calls.remove(call);
    }

    Vertx vertx() {
        return vertx;
    }

    RoomClientOptions options() {
        return options;
    }

    GrpcClient grpc() {
        return grpc;
    }

    RoomRoutes routes() {
        return routes;
    }
}
