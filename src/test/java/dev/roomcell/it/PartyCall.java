package dev.roomcell.it;

import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import dev.roomcell.client.RoomClient;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.ChangeMicSeatRequest;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.ConfirmMicPublishingRequest;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.KickUserRequest;
import dev.roomcell.proto.room.v1.MicDownRequest;
import dev.roomcell.proto.room.v1.MuteUserRequest;
import dev.roomcell.proto.room.v1.PresenceKind;
import dev.roomcell.proto.room.v1.RoomCommandServiceGrpcClient;
import dev.roomcell.proto.room.v1.RoomProfile;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SetChatEnabledRequest;
import dev.roomcell.proto.room.v1.SetMicSeatLockRequest;
import dev.roomcell.proto.room.v1.SetRoomAdminRequest;
import dev.roomcell.proto.room.v1.SetRoomBackgroundRequest;
import dev.roomcell.proto.room.v1.UnbanUserRequest;
import dev.roomcell.proto.room.v1.UpdateRoomProfileRequest;
import io.vertx.core.Future;
import io.vertx.grpc.common.ServiceMethod;

/**
 * A command as it goes over the wire; may be sent again by whomever, and is the same each time.
 *
 * @param method the method it goes to
 * @param request with its command id
 */
record PartyCall<Q extends Message, A extends Message>(ServiceMethod<A, Q> method, Q request) {

    Future<Message> sendBy(RoomClient client) {
        return client.call(method, request).map(answer -> answer);
    }

    /**
     * The request for a command.
     *
     * @throws IllegalArgumentException if it is one of the room's own, which nobody sends
     */
    static PartyCall<?, ?> of(RoomKey room, String commandId, RoomCommand command) {
        CommandMeta meta = RoomCalls.meta(room, command.actorUserId(), commandId);
        return switch (command.kind()) {
            case CREATE_ROOM -> create(room, meta, (Lifecycle.CreateRoom) command);
            case CLOSE_ROOM ->
                new PartyCall<>(
                        RoomCommandServiceGrpcClient.CloseRoom,
                        RoomCalls.close(room, command.actorUserId(), commandId));
            case JOIN_ROOM -> join(room, meta, (Presence.JoinRoom) command);
            case LEAVE_ROOM ->
                new PartyCall<>(
                        RoomCommandServiceGrpcClient.LeaveRoom,
                        RoomCalls.leave(room, command.actorUserId(), commandId));
            case MIC_UP ->
                new PartyCall<>(
                        RoomCommandServiceGrpcClient.MicUp,
                        RoomCalls.micUp(room, command.actorUserId(), ((MicSeats.MicUp) command).seatNo(), commandId));
            case MIC_DOWN -> micDown(room, meta, (MicSeats.MicDown) command);
            case CHANGE_MIC_SEAT -> changeSeat(room, meta, (MicSeats.ChangeMicSeat) command);
            case CONFIRM_MIC_PUBLISHING -> confirm(room, meta, (MicSeats.ConfirmMicPublishing) command);
            case SET_MIC_SEAT_LOCK -> lock(room, meta, (MicSeats.SetMicSeatLock) command);
            case UPDATE_ROOM_PROFILE -> profile(room, meta, (Profile.UpdateRoomProfile) command);
            case SET_ROOM_BACKGROUND -> background(room, meta, (Profile.SetRoomBackground) command);
            case SET_CHAT_ENABLED -> chat(room, meta, (Moderation.SetChatEnabled) command);
            case SET_ROOM_ADMIN -> admin(room, meta, (Moderation.SetRoomAdmin) command);
            case MUTE_USER -> mute(room, meta, (Moderation.MuteUser) command);
            case KICK_USER -> kick(room, meta, (Moderation.KickUser) command);
            case UNBAN_USER -> unban(room, meta, (Moderation.UnbanUser) command);
            case SEND_GIFT -> gift(room, meta, (Gifts.SendGift) command);
            case HEAL_ROOM, SWEEP_STALE, TIME_OUT_MIC, REPORT_RTC, DOUBT_MIC, LAUNCH_ROCKET ->
                throw new IllegalArgumentException(command + " is the room's own");
        };
    }

    private static PartyCall<?, ?> create(RoomKey room, CommandMeta meta, Lifecycle.CreateRoom command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.CreateRoom,
                CreateRoomRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setTitle(command.profile().title())
                        .setRegion(command.profile().region())
                        .setSeatCount(command.seatCount())
                        .build());
    }

    private static PartyCall<?, ?> join(RoomKey room, CommandMeta meta, Presence.JoinRoom command) {
        PresenceKind kind = command.memberKind() == Presence.MemberKind.ROBOT
                ? PresenceKind.PRESENCE_KIND_ROBOT
                : PresenceKind.PRESENCE_KIND_USER;
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.JoinRoom,
                JoinRoomRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setKind(kind)
                        .build());
    }

    private static PartyCall<?, ?> micDown(RoomKey room, CommandMeta meta, MicSeats.MicDown command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.MicDown,
                MicDownRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setTargetUserId(command.targetUserId())
                        .setMicSessionId(command.micSessionId())
                        .build());
    }

    private static PartyCall<?, ?> changeSeat(RoomKey room, CommandMeta meta, MicSeats.ChangeMicSeat command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.ChangeMicSeat,
                ChangeMicSeatRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setSeatNo(command.seatNo())
                        .setMicSessionId(command.micSessionId())
                        .build());
    }

    private static PartyCall<?, ?> confirm(RoomKey room, CommandMeta meta, MicSeats.ConfirmMicPublishing command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.ConfirmMicPublishing,
                ConfirmMicPublishingRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setMicSessionId(command.micSessionId())
                        .build());
    }

    private static PartyCall<?, ?> lock(RoomKey room, CommandMeta meta, MicSeats.SetMicSeatLock command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.SetMicSeatLock,
                SetMicSeatLockRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setSeatNo(command.seatNo())
                        .setLocked(command.locked())
                        .setForce(command.force())
                        .build());
    }

    private static PartyCall<?, ?> profile(RoomKey room, CommandMeta meta, Profile.UpdateRoomProfile command) {
        RoomProfile.Builder profile = RoomProfile.newBuilder();
        FieldMask.Builder mask = FieldMask.newBuilder();
        command.title().ifPresent(title -> {
            profile.setTitle(title);
            mask.addPaths("title");
        });
        command.region().ifPresent(region -> {
            profile.setRegion(region);
            mask.addPaths("region");
        });
        command.coverUrl().ifPresent(coverUrl -> {
            profile.setCoverUrl(coverUrl);
            mask.addPaths("cover_url");
        });
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.UpdateRoomProfile,
                UpdateRoomProfileRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setProfile(profile)
                        .setUpdateMask(mask)
                        .build());
    }

    private static PartyCall<?, ?> background(RoomKey room, CommandMeta meta, Profile.SetRoomBackground command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.SetRoomBackground,
                SetRoomBackgroundRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setBackgroundUrl(command.backgroundUrl())
                        .build());
    }

    private static PartyCall<?, ?> chat(RoomKey room, CommandMeta meta, Moderation.SetChatEnabled command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.SetChatEnabled,
                SetChatEnabledRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setEnabled(command.enabled())
                        .build());
    }

    private static PartyCall<?, ?> admin(RoomKey room, CommandMeta meta, Moderation.SetRoomAdmin command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.SetRoomAdmin,
                SetRoomAdminRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setTargetUserId(command.targetUserId())
                        .setAdmin(command.admin())
                        .build());
    }

    private static PartyCall<?, ?> mute(RoomKey room, CommandMeta meta, Moderation.MuteUser command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.MuteUser,
                MuteUserRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setTargetUserId(command.targetUserId())
                        .setDurationMs(command.durationMs())
                        .build());
    }

    private static PartyCall<?, ?> kick(RoomKey room, CommandMeta meta, Moderation.KickUser command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.KickUser,
                KickUserRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setTargetUserId(command.targetUserId())
                        .build());
    }

    private static PartyCall<?, ?> gift(RoomKey room, CommandMeta meta, Gifts.SendGift command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.SendGift,
                SendGiftRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setGiftId(command.giftId())
                        .setCount(command.count())
                        .addAllReceiverUserIds(command.receiverUserIds())
                        .build());
    }

    private static PartyCall<?, ?> unban(RoomKey room, CommandMeta meta, Moderation.UnbanUser command) {
        return new PartyCall<>(
                RoomCommandServiceGrpcClient.UnbanUser,
                UnbanUserRequest.newBuilder()
                        .setMeta(meta)
                        .setRoomId(room.roomId())
                        .setTargetUserId(command.targetUserId())
                        .build());
    }
}
