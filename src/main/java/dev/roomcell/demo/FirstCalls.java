package dev.roomcell.demo;

import static dev.roomcell.demo.Stage.done;

import com.google.protobuf.ByteString;
import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.proto.room.v1.CheckPresenceResponse;
import dev.roomcell.proto.room.v1.CloseRoomResponse;
import dev.roomcell.proto.room.v1.CreateRoomResponse;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import dev.roomcell.proto.room.v1.LeaveRoomResponse;
import dev.roomcell.proto.room.v1.ListPresenceResponse;
import dev.roomcell.proto.room.v1.MicSeatStatus;
import dev.roomcell.proto.room.v1.PresenceEntry;
import dev.roomcell.proto.room.v1.RoomCommandServiceGrpcClient;
import dev.roomcell.proto.room.v1.RoomHeartbeatResponse;
import dev.roomcell.proto.room.v1.RoomSnapshot;
import dev.roomcell.proto.room.v1.RoomStatus;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import java.util.List;

/**
 * What every caller relies on, in a room of its own: ids and replays, refusals that change nothing, the end of a room. In
 * acts, to be played in order.
 */
final class FirstCalls {
    private static final String OWNER = "olga";
    private static final String TITLE = "Olga's party";
    private static final int DEFAULT_SEATS = 9;
    private static final int GROUP_ID_BYTES = 40;

    private final Stage stage;
    private final RoomClient client;
    private final Guests guests;
    private final String app;
    private final String room;
    private ByteString created = ByteString.EMPTY;
    private ByteString annJoined = ByteString.EMPTY;
    private ByteString choLeft = ByteString.EMPTY;
    private String groupId = "";

    /** {@code room} must be an id that was never used. */
    FirstCalls(Stage stage, RoomClient client, String app, String room) {
        this.stage = stage;
        this.client = client;
        this.guests = new Guests(client, app, room);
        this.app = app;
        this.room = room;
    }

    /** False if the service could not be reached at all, so that there was nothing to play. */
    boolean play() {
        beforeTheRoom();
        if (stage.unreachable()) {
            return false;
        }
        opening();
        arrivals();
        signsOfLife();
        looks();
        departures();
        refusals();
        closing();
        afterwards();
        return true;
    }

    private void beforeTheRoom() {
        stage.step("a room that was never made is not found", step -> {
            step.refused(GrpcStatus.NOT_FOUND, "ROOM_NOT_FOUND", guests.get());
            step.refused(GrpcStatus.NOT_FOUND, "ROOM_NOT_FOUND", guests.join("ann", "early"));
        });
    }

    private void opening() {
        stage.step("CreateRoom: " + OWNER + " makes room " + room, step -> {
            CreateRoomResponse reply = done(guests.create(OWNER, TITLE, "create"));
            created = reply.getResult().toByteString();
            groupId = reply.getResult().getImGroupId();
            step.equal("room_version", 1L, reply.getResult().getRoomVersion());
            step.that(
                    "an im_group_id of " + GROUP_ID_BYTES + " base32 characters",
                    groupId.matches("[a-z2-7]{" + GROUP_ID_BYTES + "}"),
                    groupId);
            step.equal("rtc_room_id", groupId, reply.getResult().getRtcRoomId());
            step.that("created_at_ms > 0", reply.getResult().getCreatedAtMs() > 0, reply.getResult());
            step.equal("replayed", false, reply.getMeta().getReplayed());
        });
        stage.step("CreateRoom again with the same command id: the stored answer", step -> {
            CreateRoomResponse reply = done(guests.create(OWNER, TITLE, "create"));
            step.equal("replayed", true, reply.getMeta().getReplayed());
            step.equal("result bytes", created, reply.getResult().toByteString());
        });
        stage.step(
                "CreateRoom with another command id: ROOM_EXISTS",
                step -> step.refused(
                        GrpcStatus.FAILED_PRECONDITION, "ROOM_EXISTS", guests.create(OWNER, TITLE, "create-2")));
    }

    private void arrivals() {
        stage.step("JoinRoom: ann, bob and cho come in, a version each", step -> {
            List<String> users = List.of("ann", "bob", "cho");
            for (int i = 0; i < users.size(); i++) {
                JoinRoomResponse reply = done(guests.join(users.get(i), "join-" + users.get(i)));
                if (i == 0) {
                    annJoined = reply.getResult().toByteString();
                }
                step.equal("room_version", 2L + i, reply.getResult().getRoomVersion());
                step.equal("online_count", 1 + i, reply.getResult().getOnlineCount());
                step.equal("im_group_id", groupId, reply.getResult().getImGroupId());
                step.equal("replayed", false, reply.getMeta().getReplayed());
            }
        });
        stage.step("ann's join once more, same command id: the stored answer, byte for byte", step -> {
            JoinRoomResponse reply = done(guests.join("ann", "join-ann"));
            step.equal("replayed", true, reply.getMeta().getReplayed());
            step.equal("result bytes", annJoined, reply.getResult().toByteString());
        });
        stage.step("ann joins again, new command id: present already, no new version", step -> {
            JoinRoomResponse reply = done(guests.join("ann", "join-ann-2"));
            step.equal("replayed", false, reply.getMeta().getReplayed());
            step.equal("room_version", 4L, reply.getResult().getRoomVersion());
            step.equal("online_count", 3, reply.getResult().getOnlineCount());
        });
    }

    private void signsOfLife() {
        stage.step("RoomHeartbeat of ann: no new version", step -> {
            RoomHeartbeatResponse reply = done(guests.heartbeat("ann"));
            step.equal("room_version", 4L, reply.getRoomVersion());
            step.that("next_heartbeat_in_ms > 0", reply.getNextHeartbeatInMs() > 0, reply.getNextHeartbeatInMs());
        });
        stage.step("RoomHeartbeat of dan, who is not there: NOT_PRESENT, and he is not made present by it", step -> {
            step.refused(GrpcStatus.FAILED_PRECONDITION, "NOT_PRESENT", guests.heartbeat("dan"));
            step.equal("dan present", false, done(guests.check("dan")).getPresent());
        });
    }

    private void looks() {
        stage.step("GetRoom: active, version 4, 3 online, " + DEFAULT_SEATS + " idle seats", step -> {
            GetRoomResponse reply = done(guests.get());
            RoomSnapshot snapshot = reply.getRoom();
            step.equal("app_code", app, snapshot.getAppCode());
            step.equal("room_id", room, snapshot.getRoomId());
            step.equal("status", RoomStatus.ROOM_STATUS_ACTIVE, snapshot.getStatus());
            step.equal("room_version", 4L, snapshot.getRoomVersion());
            step.equal("owner_user_id", OWNER, snapshot.getOwnerUserId());
            step.equal("title", TITLE, snapshot.getProfile().getTitle());
            step.equal("im_group_id", groupId, snapshot.getImGroupId());
            step.equal("online_count", 3, snapshot.getOnlineCount());
            step.equal("seats", DEFAULT_SEATS, snapshot.getSeatsCount());
            step.that(
                    "all seats idle",
                    snapshot.getSeatsList().stream()
                            .allMatch(seat -> seat.getStatus() == MicSeatStatus.MIC_SEAT_STATUS_IDLE),
                    snapshot.getSeatsList());
        });
        stage.step("ListPresence, two a page: ann and bob, then cho", step -> {
            ListPresenceResponse first = done(guests.list(2, ""));
            step.equal("first page", List.of("ann", "bob"), users(first));
            step.equal("room_version", 4L, first.getRoomVersion());
            step.that("a next page", !first.getNextPageToken().isEmpty(), "no token");
            ListPresenceResponse second = done(guests.list(2, first.getNextPageToken()));
            step.equal("second page", List.of("cho"), users(second));
            step.equal("next_page_token", "", second.getNextPageToken());
        });
        stage.step("CheckPresence: bob is there since he joined, dan is not", step -> {
            CheckPresenceResponse bob = done(guests.check("bob"));
            step.equal("bob present", true, bob.getPresent());
            step.that("joined_at_ms > 0", bob.getJoinedAtMs() > 0, bob.getJoinedAtMs());
            CheckPresenceResponse dan = done(guests.check("dan"));
            step.equal("dan present", false, dan.getPresent());
            step.equal("dan joined_at_ms", 0L, dan.getJoinedAtMs());
        });
    }

    private static List<String> users(ListPresenceResponse page) {
        return page.getEntriesList().stream().map(PresenceEntry::getUserId).toList();
    }

    private void departures() {
        stage.step("LeaveRoom: cho goes, version 5, 2 online", step -> {
            LeaveRoomResponse reply = done(guests.leave("cho", "leave-cho"));
            choLeft = reply.getResult().toByteString();
            step.equal("room_version", 5L, reply.getResult().getRoomVersion());
            step.equal("online_count", 2, reply.getResult().getOnlineCount());
            step.equal("cho present", false, done(guests.check("cho")).getPresent());
        });
        stage.step(
                "cho leaves again, new command id: NOT_PRESENT",
                step -> step.refused(
                        GrpcStatus.FAILED_PRECONDITION, "NOT_PRESENT", guests.leave("cho", "leave-cho-2")));
        stage.step("cho's leave once more, same command id: the stored answer", step -> {
            LeaveRoomResponse reply = done(guests.leave("cho", "leave-cho"));
            step.equal("replayed", true, reply.getMeta().getReplayed());
            step.equal("result bytes", choLeft, reply.getResult().toByteString());
        });
    }

    private void refusals() {
        stage.step(
                "ann's command id used by bob: COMMAND_ID_CONFLICT",
                step -> step.refused(
                        GrpcStatus.FAILED_PRECONDITION, "COMMAND_ID_CONFLICT", guests.join("bob", "join-ann")));
        stage.step("bad input is refused with the field's name", step -> {
            JoinRoomRequest.Builder good = guests.joinRequest("eve", "bad");
            invalid(step, "room_id", good.clone().setRoomId(""));
            invalid(step, "room_id", good.clone().setRoomId("nul\0"));
            JoinRoomRequest.Builder upperCase = good.clone();
            upperCase.getMetaBuilder().setAppCode("UPPER");
            invalid(step, "meta.app_code", upperCase);
            JoinRoomRequest.Builder longUser = good.clone();
            longUser.getMetaBuilder().setActorUserId("u".repeat(33));
            invalid(step, "meta.actor_user_id", longUser);
            JoinRoomRequest.Builder reserved = good.clone();
            reserved.getMetaBuilder().setCommandId("~ours");
            invalid(step, "meta.command_id", reserved);
        });
        stage.step(
                "PublishRobotDisplay by ann, who is no robot: NOT_PRESENT",
                step -> step.refused(
                        GrpcStatus.FAILED_PRECONDITION, "NOT_PRESENT", guests.display("ann", "fireworks", "")));
        stage.step("a method that does not exist: UNIMPLEMENTED", step -> {
            ServiceMethod<JoinRoomResponse, JoinRoomRequest> join = RoomCommandServiceGrpcClient.JoinRoom;
            ServiceMethod<JoinRoomResponse, JoinRoomRequest> none =
                    ServiceMethod.client(join.serviceName(), "NoSuchMethod", join.encoder(), join.decoder());
            step.refused(
                    GrpcStatus.UNIMPLEMENTED,
                    "UNIMPLEMENTED",
                    client.call(none, guests.joinRequest("eve", "none").build()));
        });
        stage.step(
                "the refusals changed nothing",
                step -> step.equal(
                        "room_version", 5L, done(guests.get()).getRoom().getRoomVersion()));
    }

    private void invalid(Stage.Step step, String field, JoinRoomRequest.Builder request) {
        RoomCallException failure =
                step.refused(GrpcStatus.INVALID_ARGUMENT, "INVALID_FIELD", client.joinRoom(request.build()));
        step.equal("field", field, failure.field().orElse("none"));
    }

    private void closing() {
        stage.step(
                "CloseRoom by bob: NEED_OWNER",
                step -> step.refused(GrpcStatus.PERMISSION_DENIED, "NEED_OWNER", guests.close("bob", "close-bob")));
        stage.step("CloseRoom by " + OWNER + ": version 6, 2 users were there", step -> {
            CloseRoomResponse reply = done(guests.close(OWNER, "close"));
            step.equal("room_version", 6L, reply.getResult().getRoomVersion());
            step.equal("users_present", 2, reply.getResult().getUsersPresent());
            step.that("closed_at_ms > 0", reply.getResult().getClosedAtMs() > 0, reply.getResult());
        });
    }

    private void afterwards() {
        stage.step("a closed room takes nobody and answers no guard: ROOM_CLOSED", step -> {
            closed(step, guests.join("dan", "join-dan"));
            closed(step, guests.heartbeat("ann"));
            closed(step, guests.check("ann"));
            closed(step, guests.list(2, ""));
            closed(step, guests.close(OWNER, "close-2"));
            closed(step, guests.create(OWNER, TITLE, "create-3"));
        });
        stage.step("GetRoom of the closed room: its last version, nobody in it", step -> {
            RoomSnapshot snapshot = done(guests.get()).getRoom();
            step.equal("status", RoomStatus.ROOM_STATUS_CLOSED, snapshot.getStatus());
            step.equal("room_version", 6L, snapshot.getRoomVersion());
            step.equal("online_count", 0, snapshot.getOnlineCount());
            step.that("closed_at_ms > 0", snapshot.getClosedAtMs() > 0, snapshot.getClosedAtMs());
        });
        stage.step(
                "ann's old join once more: ROOM_CLOSED, though its id is in the log",
                step -> closed(step, guests.join("ann", "join-ann")));
        stage.step("cho's old leave once more: the stored answer, byte for byte", step -> {
            LeaveRoomResponse reply = done(guests.leave("cho", "leave-cho"));
            step.equal("replayed", true, reply.getMeta().getReplayed());
            step.equal("result bytes", choLeft, reply.getResult().toByteString());
        });
    }

    private static void closed(Stage.Step step, Future<?> call) {
        step.refused(GrpcStatus.FAILED_PRECONDITION, "ROOM_CLOSED", call);
    }
}
