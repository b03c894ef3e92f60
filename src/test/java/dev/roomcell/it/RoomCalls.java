package dev.roomcell.it;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.CheckPresenceRequest;
import dev.roomcell.proto.room.v1.CheckSpeakRequest;
import dev.roomcell.proto.room.v1.CloseRoomRequest;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.GetRoomEventsRequest;
import dev.roomcell.proto.room.v1.GetRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.KickUserRequest;
import dev.roomcell.proto.room.v1.LeaveRoomRequest;
import dev.roomcell.proto.room.v1.ListPresenceRequest;
import dev.roomcell.proto.room.v1.ListRoomsRequest;
import dev.roomcell.proto.room.v1.MicUpRequest;
import dev.roomcell.proto.room.v1.PublishRobotDisplayRequest;
import dev.roomcell.proto.room.v1.QueryMeta;
import dev.roomcell.proto.room.v1.RoomCommandServiceGrpcService;
import dev.roomcell.proto.room.v1.RoomGuardServiceGrpcService;
import dev.roomcell.proto.room.v1.RoomHeartbeatRequest;
import dev.roomcell.proto.room.v1.RoomQueryServiceGrpcService;
import dev.roomcell.proto.room.v1.UnbanUserRequest;
import java.util.List;
import java.util.stream.Stream;

/** Good requests, and the names of the methods they go to. */
final class RoomCalls {
    static final String CREATE_ROOM = "room.v1.RoomCommandService/CreateRoom";
    static final String CLOSE_ROOM = "room.v1.RoomCommandService/CloseRoom";
    static final String JOIN_ROOM = "room.v1.RoomCommandService/JoinRoom";
    static final String LEAVE_ROOM = "room.v1.RoomCommandService/LeaveRoom";
    static final String HEARTBEAT = "room.v1.RoomCommandService/RoomHeartbeat";
    static final String UPDATE_ROOM_PROFILE = "room.v1.RoomCommandService/UpdateRoomProfile";
    static final String SET_ROOM_BACKGROUND = "room.v1.RoomCommandService/SetRoomBackground";
    static final String MIC_UP = "room.v1.RoomCommandService/MicUp";
    static final String MIC_DOWN = "room.v1.RoomCommandService/MicDown";
    static final String CHANGE_MIC_SEAT = "room.v1.RoomCommandService/ChangeMicSeat";
    static final String CONFIRM_MIC_PUBLISHING = "room.v1.RoomCommandService/ConfirmMicPublishing";
    static final String SET_MIC_SEAT_LOCK = "room.v1.RoomCommandService/SetMicSeatLock";
    static final String SET_CHAT_ENABLED = "room.v1.RoomCommandService/SetChatEnabled";
    static final String SET_ROOM_ADMIN = "room.v1.RoomCommandService/SetRoomAdmin";
    static final String MUTE_USER = "room.v1.RoomCommandService/MuteUser";
    static final String KICK_USER = "room.v1.RoomCommandService/KickUser";
    static final String UNBAN_USER = "room.v1.RoomCommandService/UnbanUser";
    static final String PUBLISH_ROBOT_DISPLAY = "room.v1.RoomCommandService/PublishRobotDisplay";
    static final String SEND_GIFT = "room.v1.RoomCommandService/SendGift";
    static final String GET_ROOM_RANK = "room.v1.RoomQueryService/GetRoomRank";
    static final String GET_ROOM = "room.v1.RoomQueryService/GetRoom";
    static final String LIST_PRESENCE = "room.v1.RoomQueryService/ListPresence";
    static final String LIST_ROOMS = "room.v1.RoomQueryService/ListRooms";
    static final String GET_ROOM_EVENTS = "room.v1.RoomQueryService/GetRoomEvents";
    static final String CHECK_SPEAK = "room.v1.RoomGuardService/CheckSpeak";
    static final String CHECK_PRESENCE = "room.v1.RoomGuardService/CheckPresence";

    static final List<ServiceDescriptor> SERVICES = List.of(
            RoomCommandServiceGrpcService.SERVICE_DESCRIPTOR,
            RoomQueryServiceGrpcService.SERVICE_DESCRIPTOR,
            RoomGuardServiceGrpcService.SERVICE_DESCRIPTOR);

    private RoomCalls() {}

    /** Every method of the API, as {@code package.Service/Method}. */
    static Stream<String> allMethods() {
        return SERVICES.stream()
                .flatMap(service -> service.getMethods().stream())
                .map(RoomCalls::path);
    }

    private static String path(MethodDescriptor method) {
        return method.getService().getFullName() + "/" + method.getName();
    }

    /** Sent now. */
    static CommandMeta meta(RoomKey room, String userId, String commandId) {
        return CommandMeta.newBuilder()
                .setAppCode(room.appCode())
                .setActorUserId(userId)
                .setCommandId(commandId)
                .setSentAtMs(System.currentTimeMillis())
                .build();
    }

    static QueryMeta meta(RoomKey room) {
        return QueryMeta.newBuilder().setAppCode(room.appCode()).build();
    }

    /** Owned by its actor, "owner". */
    static CreateRoomRequest create(RoomKey room, String commandId) {
        return CreateRoomRequest.newBuilder()
                .setMeta(meta(room, "owner", commandId))
                .setRoomId(room.roomId())
                .setTitle("A room")
                .build();
    }

    /** What a robot shows: without a command id or a time, which it does not need. */
    static PublishRobotDisplayRequest display(RoomKey room, String robotId, String type, String payloadJson) {
        return PublishRobotDisplayRequest.newBuilder()
                .setMeta(CommandMeta.newBuilder().setAppCode(room.appCode()).setActorUserId(robotId))
                .setRoomId(room.roomId())
                .setDisplayType(type)
                .setPayloadJson(payloadJson)
                .build();
    }

    static CloseRoomRequest close(RoomKey room, String userId, String commandId) {
        return CloseRoomRequest.newBuilder()
                .setMeta(meta(room, userId, commandId))
                .setRoomId(room.roomId())
                .build();
    }

    static JoinRoomRequest join(RoomKey room, String userId, String commandId) {
        return JoinRoomRequest.newBuilder()
                .setMeta(meta(room, userId, commandId))
                .setRoomId(room.roomId())
                .build();
    }

    static LeaveRoomRequest leave(RoomKey room, String userId, String commandId) {
        return LeaveRoomRequest.newBuilder()
                .setMeta(meta(room, userId, commandId))
                .setRoomId(room.roomId())
                .build();
    }

    static RoomHeartbeatRequest heartbeat(RoomKey room, String userId) {
        return RoomHeartbeatRequest.newBuilder()
                .setMeta(meta(room, userId, ""))
                .setRoomId(room.roomId())
                .build();
    }

    static MicUpRequest micUp(RoomKey room, String userId, int seatNo, String commandId) {
        return MicUpRequest.newBuilder()
                .setMeta(meta(room, userId, commandId))
                .setRoomId(room.roomId())
                .setSeatNo(seatNo)
                .build();
    }

    static KickUserRequest kick(RoomKey room, String targetUserId, String commandId) {
        return KickUserRequest.newBuilder()
                .setMeta(meta(room, "owner", commandId))
                .setRoomId(room.roomId())
                .setTargetUserId(targetUserId)
                .build();
    }

    static UnbanUserRequest unban(RoomKey room, String targetUserId, String commandId) {
        return UnbanUserRequest.newBuilder()
                .setMeta(meta(room, "owner", commandId))
                .setRoomId(room.roomId())
                .setTargetUserId(targetUserId)
                .build();
    }

    static CheckSpeakRequest checkSpeak(RoomKey room, String userId) {
        return CheckSpeakRequest.newBuilder()
                .setMeta(meta(room))
                .setRoomId(room.roomId())
                .setUserId(userId)
                .build();
    }

    static GetRoomRequest get(RoomKey room) {
        return GetRoomRequest.newBuilder()
                .setMeta(meta(room))
                .setRoomId(room.roomId())
                .build();
    }

    static ListPresenceRequest listPresence(RoomKey room) {
        return ListPresenceRequest.newBuilder()
                .setMeta(meta(room))
                .setRoomId(room.roomId())
                .build();
    }

    static ListRoomsRequest listRooms(String appCode, String region, int pageSize, String pageToken) {
        return ListRoomsRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode(appCode))
                .setRegion(region)
                .setPageSize(pageSize)
                .setPageToken(pageToken)
                .build();
    }

    static GetRoomEventsRequest getRoomEvents(RoomKey room, long sinceVersion, int maxEvents) {
        return GetRoomEventsRequest.newBuilder()
                .setMeta(meta(room))
                .setRoomId(room.roomId())
                .setSinceVersion(sinceVersion)
                .setMaxEvents(maxEvents)
                .build();
    }

    static CheckPresenceRequest checkPresence(RoomKey room, String userId) {
        return CheckPresenceRequest.newBuilder()
                .setMeta(meta(room))
                .setRoomId(room.roomId())
                .setUserId(userId)
                .build();
    }
}
