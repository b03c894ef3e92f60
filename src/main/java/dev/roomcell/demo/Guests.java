package dev.roomcell.demo;

import com.google.protobuf.FieldMask;
import dev.roomcell.client.RoomClient;
import dev.roomcell.proto.room.v1.ChangeMicSeatRequest;
import dev.roomcell.proto.room.v1.ChangeMicSeatResponse;
import dev.roomcell.proto.room.v1.CheckPresenceRequest;
import dev.roomcell.proto.room.v1.CheckPresenceResponse;
import dev.roomcell.proto.room.v1.CheckSpeakRequest;
import dev.roomcell.proto.room.v1.CheckSpeakResponse;
import dev.roomcell.proto.room.v1.CloseRoomRequest;
import dev.roomcell.proto.room.v1.CloseRoomResponse;
import dev.roomcell.proto.room.v1.CommandMeta;
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
import dev.roomcell.proto.room.v1.PresenceKind;
import dev.roomcell.proto.room.v1.PublishRobotDisplayRequest;
import dev.roomcell.proto.room.v1.PublishRobotDisplayResponse;
import dev.roomcell.proto.room.v1.QueryMeta;
import dev.roomcell.proto.room.v1.RoomHeartbeatRequest;
import dev.roomcell.proto.room.v1.RoomHeartbeatResponse;
import dev.roomcell.proto.room.v1.RoomProfile;
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
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The calls of the party's guests, all to one room. A command id given twice is sent with the same time twice. */
final class Guests {
    private final RoomClient client;
    private final String app;
    private final String room;
    private final Map<String, Long> sentAtMs = new HashMap<>();
    private int commands;

    Guests(RoomClient client, String app, String room) {
        this.client = client;
        this.app = app;
        this.room = room;
    }

    String app() {
        return app;
    }

    Future<CreateRoomResponse> create(String owner, String title, String commandId) {
        return client.createRoom(CreateRoomRequest.newBuilder()
                .setMeta(meta(owner, commandId))
                .setRoomId(room)
                .setTitle(title)
                .build());
    }

    Future<JoinRoomResponse> join(String user, String commandId) {
        return client.joinRoom(joinRequest(user, commandId).build());
    }

    JoinRoomRequest.Builder joinRequest(String user, String commandId) {
        return JoinRoomRequest.newBuilder().setMeta(meta(user, commandId)).setRoomId(room);
    }

    Future<LeaveRoomResponse> leave(String user, String commandId) {
        return client.leaveRoom(LeaveRoomRequest.newBuilder()
                .setMeta(meta(user, commandId))
                .setRoomId(room)
                .build());
    }

    Future<CloseRoomResponse> close(String user, String commandId) {
        return client.closeRoom(CloseRoomRequest.newBuilder()
                .setMeta(meta(user, commandId))
                .setRoomId(room)
                .build());
    }

    Future<RoomHeartbeatResponse> heartbeat(String user) {
        return client.heartbeat(RoomHeartbeatRequest.newBuilder()
                .setMeta(CommandMeta.newBuilder().setAppCode(app).setActorUserId(user))
                .setRoomId(room)
                .build());
    }

    Future<GetRoomResponse> get() {
        return client.getRoom(GetRoomRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode(app))
                .setRoomId(room)
                .build());
    }

    Future<ListPresenceResponse> list(int pageSize, String pageToken) {
        return client.listPresence(ListPresenceRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode(app))
                .setRoomId(room)
                .setPageSize(pageSize)
                .setPageToken(pageToken)
                .build());
    }

    Future<CheckPresenceResponse> check(String user) {
        return client.checkPresence(CheckPresenceRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode(app))
                .setRoomId(room)
                .setUserId(user)
                .build());
    }

    Future<JoinRoomResponse> joinAsRobot(String user, String commandId) {
        return client.joinRoom(joinRequest(user, commandId)
                .setKind(PresenceKind.PRESENCE_KIND_ROBOT)
                .build());
    }

    Future<RoomHeartbeatResponse> heartbeat(String user, String micSessionId) {
        return client.heartbeat(RoomHeartbeatRequest.newBuilder()
                .setMeta(CommandMeta.newBuilder().setAppCode(app).setActorUserId(user))
                .setRoomId(room)
                .setMicSessionId(micSessionId)
                .build());
    }

    Future<MicUpResponse> micUp(String user, int seatNo) {
        return client.micUp(MicUpRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setSeatNo(seatNo)
                .build());
    }

    Future<MicDownResponse> micDown(String user, String target) {
        return client.micDown(MicDownRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setTargetUserId(target)
                .build());
    }

    Future<ChangeMicSeatResponse> changeSeat(String user, int seatNo) {
        return client.changeMicSeat(ChangeMicSeatRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setSeatNo(seatNo)
                .build());
    }

    Future<ConfirmMicPublishingResponse> confirm(String user, String micSessionId) {
        return client.confirmMicPublishing(ConfirmMicPublishingRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setMicSessionId(micSessionId)
                .build());
    }

    Future<SetMicSeatLockResponse> lock(String user, int seatNo, boolean locked, boolean force) {
        return client.setMicSeatLock(SetMicSeatLockRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setSeatNo(seatNo)
                .setLocked(locked)
                .setForce(force)
                .build());
    }

    Future<SetRoomAdminResponse> setAdmin(String user, String target, boolean admin) {
        return client.setRoomAdmin(SetRoomAdminRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setTargetUserId(target)
                .setAdmin(admin)
                .build());
    }

    Future<SetChatEnabledResponse> setChat(String user, boolean enabled) {
        return client.setChatEnabled(SetChatEnabledRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setEnabled(enabled)
                .build());
    }

    Future<MuteUserResponse> mute(String user, String target, long durationMs) {
        return client.muteUser(MuteUserRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setTargetUserId(target)
                .setDurationMs(durationMs)
                .build());
    }

    Future<KickUserResponse> kick(String user, String target) {
        return client.kickUser(KickUserRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setTargetUserId(target)
                .build());
    }

    Future<UnbanUserResponse> unban(String user, String target) {
        return client.unbanUser(UnbanUserRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setTargetUserId(target)
                .build());
    }

    Future<SendGiftResponse> give(String user, String giftId, int count, String commandId, String... receivers) {
        return client.sendGift(SendGiftRequest.newBuilder()
                .setMeta(meta(user, room + "-" + commandId))
                .setRoomId(room)
                .setGiftId(giftId)
                .setCount(count)
                .addAllReceiverUserIds(List.of(receivers))
                .build());
    }

    Future<PublishRobotDisplayResponse> display(String robot, String type, String payloadJson) {
        return client.publishRobotDisplay(PublishRobotDisplayRequest.newBuilder()
                .setMeta(CommandMeta.newBuilder().setAppCode(app).setActorUserId(robot))
                .setRoomId(room)
                .setDisplayType(type)
                .setPayloadJson(payloadJson)
                .build());
    }

    Future<GetRoomRankResponse> rank() {
        return client.getRoomRank(GetRoomRankRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode(app))
                .setRoomId(room)
                .build());
    }

    Future<UpdateRoomProfileResponse> retitle(String user, String title) {
        return client.updateRoomProfile(UpdateRoomProfileRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setProfile(RoomProfile.newBuilder().setTitle(title))
                .setUpdateMask(FieldMask.newBuilder().addPaths("title"))
                .build());
    }

    Future<SetRoomBackgroundResponse> setBackground(String user, String url) {
        return client.setRoomBackground(SetRoomBackgroundRequest.newBuilder()
                .setMeta(meta(user))
                .setRoomId(room)
                .setBackgroundUrl(url)
                .build());
    }

    Future<CheckSpeakResponse> checkSpeak(String user) {
        return client.checkSpeak(CheckSpeakRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode(app))
                .setRoomId(room)
                .setUserId(user)
                .build());
    }

    Future<ListRoomsResponse> listRooms(String pageToken) {
        return client.listRooms(ListRoomsRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode(app))
                .setPageSize(500)
                .setPageToken(pageToken)
                .build());
    }

    Future<GetRoomEventsResponse> events(long sinceVersion) {
        return client.getRoomEvents(GetRoomEventsRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode(app))
                .setRoomId(room)
                .setSinceVersion(sinceVersion)
                .build());
    }

    /** Of a command that is sent once. */
    private CommandMeta meta(String user) {
        return meta(user, user + "-" + ++commands);
    }

    private CommandMeta meta(String user, String commandId) {
        return CommandMeta.newBuilder()
                .setAppCode(app)
                .setActorUserId(user)
                .setCommandId(commandId)
                .setSentAtMs(sentAtMs.computeIfAbsent(commandId, id -> System.currentTimeMillis()))
                .build();
    }
}
