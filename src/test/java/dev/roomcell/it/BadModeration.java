package dev.roomcell.it;

import static dev.roomcell.it.BadInput.FIRST_OWN;
import static dev.roomcell.it.BadInput.ROOM;
import static dev.roomcell.it.BadInput.invalid;

import com.google.protobuf.FieldMask;
import com.google.protobuf.MessageLite;
import dev.roomcell.proto.room.v1.ChangeMicSeatRequest;
import dev.roomcell.proto.room.v1.ConfirmMicPublishingRequest;
import dev.roomcell.proto.room.v1.MicDownRequest;
import dev.roomcell.proto.room.v1.MuteUserRequest;
import dev.roomcell.proto.room.v1.RoomProfile;
import dev.roomcell.proto.room.v1.SetChatEnabledRequest;
import dev.roomcell.proto.room.v1.SetMicSeatLockRequest;
import dev.roomcell.proto.room.v1.SetRoomAdminRequest;
import dev.roomcell.proto.room.v1.SetRoomBackgroundRequest;
import dev.roomcell.proto.room.v1.UpdateRoomProfileRequest;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;

/** What the commands on seats, rights and the profile refuse: a value that was forgotten must do nothing. */
final class BadModeration {
    private BadModeration() {}

    static List<BadInput> rows() {
        List<BadInput> rows = new ArrayList<>();
        rows.addAll(seats());
        rows.addAll(targets());
        rows.addAll(switches());
        rows.addAll(profile());
        return rows;
    }

    private static List<BadInput> seats() {
        List<BadInput> rows = new ArrayList<>();
        MessageLite up = RoomCalls.micUp(ROOM, "user", 1, "id");
        MessageLite change = ChangeMicSeatRequest.newBuilder()
                .setMeta(RoomCalls.meta(ROOM, "user", "id"))
                .setRoomId(ROOM.roomId())
                .setSeatNo(1)
                .build();
        MessageLite lock = lock().setLocked(true).build();
        for (long seatNo : new long[] {0, -1, 21, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            rows.add(invalid(RoomCalls.MIC_UP, up, seatNo, "seat_no", FIRST_OWN));
            rows.add(invalid(RoomCalls.CHANGE_MIC_SEAT, change, seatNo, "seat_no", FIRST_OWN));
            rows.add(invalid(RoomCalls.SET_MIC_SEAT_LOCK, lock, seatNo, "seat_no", FIRST_OWN));
        }
        rows.add(invalid(
                "too long", RoomCalls.CHANGE_MIC_SEAT, change, "m".repeat(65), "mic_session_id", FIRST_OWN + 1));
        MessageLite confirm = ConfirmMicPublishingRequest.newBuilder()
                .setMeta(RoomCalls.meta(ROOM, "user", "id"))
                .setRoomId(ROOM.roomId())
                .setMicSessionId("mic-1")
                .build();
        rows.addAll(BadInput.required(RoomCalls.CONFIRM_MIC_PUBLISHING, confirm, "mic_session_id", 64, FIRST_OWN));
        return rows;
    }

    private static SetMicSeatLockRequest.Builder lock() {
        return SetMicSeatLockRequest.newBuilder()
                .setMeta(RoomCalls.meta(ROOM, "owner", "id"))
                .setRoomId(ROOM.roomId())
                .setSeatNo(1);
    }

    private static MuteUserRequest.Builder mute() {
        return MuteUserRequest.newBuilder()
                .setMeta(RoomCalls.meta(ROOM, "owner", "id"))
                .setRoomId(ROOM.roomId())
                .setTargetUserId("user");
    }

    private static SetRoomAdminRequest.Builder admin() {
        return SetRoomAdminRequest.newBuilder()
                .setMeta(RoomCalls.meta(ROOM, "owner", "id"))
                .setRoomId(ROOM.roomId())
                .setTargetUserId("user");
    }

    private static List<BadInput> targets() {
        List<BadInput> rows = new ArrayList<>();
        String field = "target_user_id";
        rows.addAll(BadInput.required(RoomCalls.KICK_USER, RoomCalls.kick(ROOM, "user", "id"), field, 32, FIRST_OWN));
        rows.addAll(BadInput.required(RoomCalls.UNBAN_USER, RoomCalls.unban(ROOM, "user", "id"), field, 32, FIRST_OWN));
        rows.addAll(
                BadInput.required(RoomCalls.MUTE_USER, mute().setDurationMs(1).build(), field, 32, FIRST_OWN));
        rows.addAll(BadInput.required(
                RoomCalls.SET_ROOM_ADMIN, admin().setAdmin(true).build(), field, 32, FIRST_OWN));
        MessageLite down = MicDownRequest.newBuilder()
                .setMeta(RoomCalls.meta(ROOM, "owner", "id"))
                .setRoomId(ROOM.roomId())
                .setTargetUserId("user")
                .build();
        rows.add(invalid("unprintable", RoomCalls.MIC_DOWN, down, "\u00e9", field, FIRST_OWN));
        rows.add(invalid("too long", RoomCalls.MIC_DOWN, down, "u".repeat(33), field, FIRST_OWN));
        for (long durationMs : new long[] {-1, Long.MIN_VALUE, 365L * 24 * 3_600_000 + 1, Long.MAX_VALUE}) {
            rows.add(invalid(
                    RoomCalls.MUTE_USER, mute().setDurationMs(1).build(), durationMs, "duration_ms", FIRST_OWN + 1));
        }
        return rows;
    }

    private static List<BadInput> switches() {
        MessageLite chat = SetChatEnabledRequest.newBuilder()
                .setMeta(RoomCalls.meta(ROOM, "owner", "id"))
                .setRoomId(ROOM.roomId())
                .build();
        return List.of(
                forgotten(RoomCalls.SET_CHAT_ENABLED, chat, "enabled"),
                forgotten(RoomCalls.SET_ROOM_ADMIN, admin().build(), "admin"),
                forgotten(RoomCalls.MUTE_USER, mute().build(), "duration_ms"),
                forgotten(RoomCalls.SET_MIC_SEAT_LOCK, lock().build(), "locked"));
    }

    private static BadInput forgotten(String method, MessageLite request, String field) {
        return new BadInput(
                "forgotten", method, request.toByteArray(), GrpcStatus.INVALID_ARGUMENT, "INVALID_FIELD", field);
    }

    private static List<BadInput> profile() {
        List<BadInput> rows = new ArrayList<>();
        rows.add(profile("no mask", RoomProfile.getDefaultInstance(), "update_mask"));
        rows.add(profile("everything", RoomProfile.getDefaultInstance(), "update_mask", "*"));
        rows.add(profile("another field", RoomProfile.getDefaultInstance(), "update_mask", "region", "owner"));
        rows.add(profile("no title", RoomProfile.getDefaultInstance(), "profile.title", "title"));
        rows.add(profile(
                "long title", RoomProfile.newBuilder().setTitle("t".repeat(129)).build(), "profile.title", "title"));
        rows.add(profile("capitals", RoomProfile.newBuilder().setRegion("EU").build(), "profile.region", "region"));
        rows.add(profile(
                "long url",
                RoomProfile.newBuilder().setCoverUrl("u".repeat(513)).build(),
                "profile.cover_url",
                "cover_url"));
        MessageLite background = SetRoomBackgroundRequest.newBuilder()
                .setMeta(RoomCalls.meta(ROOM, "owner", "id"))
                .setRoomId(ROOM.roomId())
                .build();
        rows.add(invalid(
                "too long", RoomCalls.SET_ROOM_BACKGROUND, background, "u".repeat(513), "background_url", FIRST_OWN));
        return rows;
    }

    private static BadInput profile(String what, RoomProfile profile, String field, String... mask) {
        UpdateRoomProfileRequest request = UpdateRoomProfileRequest.newBuilder()
                .setMeta(RoomCalls.meta(ROOM, "owner", "id"))
                .setRoomId(ROOM.roomId())
                .setProfile(profile)
                .setUpdateMask(FieldMask.newBuilder().addAllPaths(List.of(mask)))
                .build();
        return new BadInput(
                what,
                RoomCalls.UPDATE_ROOM_PROFILE,
                request.toByteArray(),
                GrpcStatus.INVALID_ARGUMENT,
                "INVALID_FIELD",
                field);
    }
}
