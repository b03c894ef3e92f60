package dev.roomcell.client;

import com.google.protobuf.Message;
import dev.roomcell.proto.room.v1.ChangeMicSeatRequest;
import dev.roomcell.proto.room.v1.ChangeMicSeatResponse;
import dev.roomcell.proto.room.v1.CheckPresenceRequest;
import dev.roomcell.proto.room.v1.CheckPresenceResponse;
import dev.roomcell.proto.room.v1.CheckSpeakRequest;
import dev.roomcell.proto.room.v1.CheckSpeakResponse;
import dev.roomcell.proto.room.v1.CloseRoomRequest;
import dev.roomcell.proto.room.v1.CloseRoomResponse;
import dev.roomcell.proto.room.v1.ConfirmMicPublishingRequest;
import dev.roomcell.proto.room.v1.ConfirmMicPublishingResponse;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.CreateRoomResponse;
import dev.roomcell.proto.room.v1.GetRoomEventsRequest;
import dev.roomcell.proto.room.v1.GetRoomEventsResponse;
import dev.roomcell.proto.room.v1.GetRoomRankRequest;
import dev.roomcell.proto.room.v1.GetRoomRankResponse;
import dev.roomcell.proto.room.v1.GetRoomRequest;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import dev.roomcell.proto.room.v1.KickUserRequest;
import dev.roomcell.proto.room.v1.KickUserResponse;
import dev.roomcell.proto.room.v1.LeaveRoomRequest;
import dev.roomcell.proto.room.v1.LeaveRoomResponse;
import dev.roomcell.proto.room.v1.ListPresenceRequest;
import dev.roomcell.proto.room.v1.ListPresenceResponse;
import dev.roomcell.proto.room.v1.ListRoomsRequest;
import dev.roomcell.proto.room.v1.ListRoomsResponse;
import dev.roomcell.proto.room.v1.MicDownRequest;
import dev.roomcell.proto.room.v1.MicDownResponse;
import dev.roomcell.proto.room.v1.MicUpRequest;
import dev.roomcell.proto.room.v1.MicUpResponse;
import dev.roomcell.proto.room.v1.MuteUserRequest;
import dev.roomcell.proto.room.v1.MuteUserResponse;
import dev.roomcell.proto.room.v1.PublishRobotDisplayRequest;
import dev.roomcell.proto.room.v1.PublishRobotDisplayResponse;
import dev.roomcell.proto.room.v1.RoomCommandServiceGrpcClient;
import dev.roomcell.proto.room.v1.RoomGuardServiceGrpcClient;
import dev.roomcell.proto.room.v1.RoomHeartbeatRequest;
import dev.roomcell.proto.room.v1.RoomHeartbeatResponse;
import dev.roomcell.proto.room.v1.RoomQueryServiceGrpcClient;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SendGiftResponse;
import dev.roomcell.proto.room.v1.SetChatEnabledRequest;
import dev.roomcell.proto.room.v1.SetChatEnabledResponse;
import dev.roomcell.proto.room.v1.SetMicSeatLockRequest;
import dev.roomcell.proto.room.v1.SetMicSeatLockResponse;
import dev.roomcell.proto.room.v1.SetRoomAdminRequest;
import dev.roomcell.proto.room.v1.SetRoomAdminResponse;
import dev.roomcell.proto.room.v1.SetRoomBackgroundRequest;
import dev.roomcell.proto.room.v1.SetRoomBackgroundResponse;
import dev.roomcell.proto.room.v1.UnbanUserRequest;
import dev.roomcell.proto.room.v1.UnbanUserResponse;
import dev.roomcell.proto.room.v1.UpdateRoomProfileRequest;
import dev.roomcell.proto.room.v1.UpdateRoomProfileResponse;
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
            promise.fail(new RoomCallException(CallFailure.closed(), shape.commandIdOf(request), false, 0));
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

    /** Changes what the room shows about itself. */
    public Future<UpdateRoomProfileResponse> updateRoomProfile(UpdateRoomProfileRequest request) {
        return call(RoomCommandServiceGrpcClient.UpdateRoomProfile, request);
    }

    /** Changes or removes the room's background. */
    public Future<SetRoomBackgroundResponse> setRoomBackground(SetRoomBackgroundRequest request) {
        return call(RoomCommandServiceGrpcClient.SetRoomBackground, request);
    }

    /** Takes an idle mic seat. */
    public Future<MicUpResponse> micUp(MicUpRequest request) {
        return call(RoomCommandServiceGrpcClient.MicUp, request);
    }

    /** Frees a mic seat. */
    public Future<MicDownResponse> micDown(MicDownRequest request) {
        return call(RoomCommandServiceGrpcClient.MicDown, request);
    }

    /** Moves to another idle mic seat. */
    public Future<ChangeMicSeatResponse> changeMicSeat(ChangeMicSeatRequest request) {
        return call(RoomCommandServiceGrpcClient.ChangeMicSeat, request);
    }

    /** Says that the actor's audio is on the air. */
    public Future<ConfirmMicPublishingResponse> confirmMicPublishing(ConfirmMicPublishingRequest request) {
        return call(RoomCommandServiceGrpcClient.ConfirmMicPublishing, request);
    }

    /** Locks or unlocks a mic seat. */
    public Future<SetMicSeatLockResponse> setMicSeatLock(SetMicSeatLockRequest request) {
        return call(RoomCommandServiceGrpcClient.SetMicSeatLock, request);
    }

    /** Switches chat for all but the owner and admins. */
    public Future<SetChatEnabledResponse> setChatEnabled(SetChatEnabledRequest request) {
        return call(RoomCommandServiceGrpcClient.SetChatEnabled, request);
    }

    /** Makes a user admin, or ends it. */
    public Future<SetRoomAdminResponse> setRoomAdmin(SetRoomAdminRequest request) {
        return call(RoomCommandServiceGrpcClient.SetRoomAdmin, request);
    }

    /** Silences a user for a time, or ends it. */
    public Future<MuteUserResponse> muteUser(MuteUserRequest request) {
        return call(RoomCommandServiceGrpcClient.MuteUser, request);
    }

    /** Puts a user out and shuts the user out. */
    public Future<KickUserResponse> kickUser(KickUserRequest request) {
        return call(RoomCommandServiceGrpcClient.KickUser, request);
    }

    /** Lets a kicked user join again. */
    public Future<UnbanUserResponse> unbanUser(UnbanUserRequest request) {
        return call(RoomCommandServiceGrpcClient.UnbanUser, request);
    }

    /** Gives something; charges at most once, whatever is sent again (GIFT-1). */
    public Future<SendGiftResponse> sendGift(SendGiftRequest request) {
        return call(RoomCommandServiceGrpcClient.SendGift, request);
    }

    /** Shows something that a robot does, best effort; an answer does not say that anybody saw it (LANE-5). */
    public Future<PublishRobotDisplayResponse> publishRobotDisplay(PublishRobotDisplayRequest request) {
        return call(RoomCommandServiceGrpcClient.PublishRobotDisplay, request);
    }

    /** Who gave most in the room. */
    public Future<GetRoomRankResponse> getRoomRank(GetRoomRankRequest request) {
        return call(RoomQueryServiceGrpcClient.GetRoomRank, request);
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

    /** An app's active rooms, a page at a time. */
    public Future<ListRoomsResponse> listRooms(ListRoomsRequest request) {
        return call(RoomQueryServiceGrpcClient.ListRooms, request);
    }

    /** What happened in a room since a version. */
    public Future<GetRoomEventsResponse> getRoomEvents(GetRoomEventsRequest request) {
        return call(RoomQueryServiceGrpcClient.GetRoomEvents, request);
    }

    /** Whether a user may write in the room's chat. */
    public Future<CheckSpeakResponse> checkSpeak(CheckSpeakRequest request) {
        return call(RoomGuardServiceGrpcClient.CheckSpeak, request);
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
