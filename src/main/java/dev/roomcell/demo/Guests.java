package dev.roomcell.demo;

import dev.roomcell.client.RoomClient;
import dev.roomcell.proto.room.v1.CheckPresenceRequest;
import dev.roomcell.proto.room.v1.CheckPresenceResponse;
import dev.roomcell.proto.room.v1.CloseRoomRequest;
import dev.roomcell.proto.room.v1.CloseRoomResponse;
import dev.roomcell.proto.room.v1.CommandMeta;
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
import dev.roomcell.proto.room.v1.QueryMeta;
import dev.roomcell.proto.room.v1.RoomHeartbeatRequest;
import dev.roomcell.proto.room.v1.RoomHeartbeatResponse;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;

/** The calls of the party's guests, all to one room. A command id given twice is sent with the same time twice. */
final class Guests {
    private final RoomClient client;
    private final String app;
    private final String room;
    private final Map<String, Long> sentAtMs = new HashMap<>();

    Guests(RoomClient client, String app, String room) {
        this.client = client;
        this.app = app;
        this.room = room;
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

    private CommandMeta meta(String user, String commandId) {
        return CommandMeta.newBuilder()
                .setAppCode(app)
                .setActorUserId(user)
                .setCommandId(commandId)
                .setSentAtMs(sentAtMs.computeIfAbsent(commandId, id -> System.currentTimeMillis()))
                .build();
    }
}
