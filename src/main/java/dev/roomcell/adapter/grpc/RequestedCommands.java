package dev.roomcell.adapter.grpc;

import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.proto.room.v1.ChangeMicSeatRequest;
import dev.roomcell.proto.room.v1.CloseRoomRequest;
import dev.roomcell.proto.room.v1.ConfirmMicPublishingRequest;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.KickUserRequest;
import dev.roomcell.proto.room.v1.LeaveRoomRequest;
import dev.roomcell.proto.room.v1.MicDownRequest;
import dev.roomcell.proto.room.v1.MicUpRequest;
import dev.roomcell.proto.room.v1.MuteUserRequest;
import dev.roomcell.proto.room.v1.PresenceKind;
import dev.roomcell.proto.room.v1.RoomProfile;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SetChatEnabledRequest;
import dev.roomcell.proto.room.v1.SetMicSeatLockRequest;
import dev.roomcell.proto.room.v1.SetRoomAdminRequest;
import dev.roomcell.proto.room.v1.SetRoomBackgroundRequest;
import dev.roomcell.proto.room.v1.UnbanUserRequest;
import dev.roomcell.proto.room.v1.UpdateRoomProfileRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a request asks for, field by field; every refusal names the field. */
final class RequestedCommands {
    private static final int TITLE_BYTES = 128;
    private static final int URL_BYTES = 512;
    private static final int GIFT_ID_BYTES = 64;
    private static final int MIC_SESSION_ID_BYTES = 64;
    private static final long LONGEST_MUTE_MS = 365 * 24 * 3_600_000L;

    private RequestedCommands() {}

    static RoomCommand createRoom(CreateRoomRequest request) {
        String actor = Fields.actor(request.getMeta());
        String owner =
                request.getOwnerUserId().isEmpty() ? actor : Fields.userId("owner_user_id", request.getOwnerUserId());
        Profile profile = new Profile(
                owner,
                Fields.text("title", request.getTitle(), 1, TITLE_BYTES),
                Fields.region("region", request.getRegion()),
                Fields.text("cover_url", request.getCoverUrl(), 0, URL_BYTES),
                Fields.text("background_url", request.getBackgroundUrl(), 0, URL_BYTES));
        int seats = Fields.range("seat_count", request.getSeatCount(), 0, MicSeats.MAX_SEATS);
        return new Lifecycle.CreateRoom(actor, profile, seats == 0 ? MicSeats.DEFAULT_SEATS : seats);
    }

    static RoomCommand closeRoom(CloseRoomRequest request) {
        return new Lifecycle.CloseRoom(Fields.actor(request.getMeta()));
    }

    static RoomCommand updateRoomProfile(UpdateRoomProfileRequest request) {
        String actor = Fields.actor(request.getMeta());
        if (request.getUpdateMask().getPathsCount() == 0) {
            throw Fields.invalid("update_mask", "must name at least one of title, region, cover_url");
        }
        RoomProfile profile = request.getProfile();
        Optional<String> title = Optional.empty();
        Optional<String> region = Optional.empty();
        Optional<String> coverUrl = Optional.empty();
        for (String path : request.getUpdateMask().getPathsList()) {
            switch (path) {
                case "title" -> title = Optional.of(Fields.text("profile.title", profile.getTitle(), 1, TITLE_BYTES));
                case "region" -> region = Optional.of(Fields.region("profile.region", profile.getRegion()));
                case "cover_url" ->
                    coverUrl = Optional.of(Fields.text("profile.cover_url", profile.getCoverUrl(), 0, URL_BYTES));
                default -> throw Fields.invalid("update_mask", "takes title, region and cover_url only");
            }
        }
        return new Profile.UpdateRoomProfile(actor, title, region, coverUrl);
    }

    static RoomCommand setRoomBackground(SetRoomBackgroundRequest request) {
        return new Profile.SetRoomBackground(
                Fields.actor(request.getMeta()),
                Fields.text("background_url", request.getBackgroundUrl(), 0, URL_BYTES));
    }

    static RoomCommand joinRoom(JoinRoomRequest request) {
        return new Presence.JoinRoom(
                Fields.actor(request.getMeta()), memberKind(request.getKind(), request.getKindValue()));
    }

    private static Presence.MemberKind memberKind(PresenceKind kind, int number) {
        return switch (kind) {
            case PRESENCE_KIND_UNSPECIFIED, PRESENCE_KIND_USER -> Presence.MemberKind.USER;
            case PRESENCE_KIND_ROBOT -> Presence.MemberKind.ROBOT;
            case UNRECOGNIZED -> throw Fields.invalid("kind", "unknown value " + number);
        };
    }

    static RoomCommand leaveRoom(LeaveRoomRequest request) {
        return new Presence.LeaveRoom(Fields.actor(request.getMeta()));
    }

    static RoomCommand micUp(MicUpRequest request) {
        return new MicSeats.MicUp(Fields.actor(request.getMeta()), seatNo(request.getSeatNo()));
    }

    static RoomCommand micDown(MicDownRequest request) {
        String actor = Fields.actor(request.getMeta());
        String target = request.getTargetUserId().isEmpty() ? actor : target(request.getTargetUserId());
        return new MicSeats.MicDown(actor, target, micSession(request.getMicSessionId(), 0));
    }

    static RoomCommand changeMicSeat(ChangeMicSeatRequest request) {
        return new MicSeats.ChangeMicSeat(
                Fields.actor(request.getMeta()), seatNo(request.getSeatNo()), micSession(request.getMicSessionId(), 0));
    }

    static RoomCommand confirmMicPublishing(ConfirmMicPublishingRequest request) {
        return new MicSeats.ConfirmMicPublishing(
                Fields.actor(request.getMeta()), micSession(request.getMicSessionId(), 1));
    }

    static RoomCommand setMicSeatLock(SetMicSeatLockRequest request) {
        Fields.given("locked", request.hasLocked());
        return new MicSeats.SetMicSeatLock(
                Fields.actor(request.getMeta()),
                seatNo(request.getSeatNo()),
                request.getLocked(),
                // Without meaning when unlocking: two such requests are the same wish.
                request.getForce() && request.getLocked());
    }

    static RoomCommand setChatEnabled(SetChatEnabledRequest request) {
        Fields.given("enabled", request.hasEnabled());
        return new Moderation.SetChatEnabled(Fields.actor(request.getMeta()), request.getEnabled());
    }

    static RoomCommand setRoomAdmin(SetRoomAdminRequest request) {
        Fields.given("admin", request.hasAdmin());
        return new Moderation.SetRoomAdmin(
                Fields.actor(request.getMeta()), target(request.getTargetUserId()), request.getAdmin());
    }

    static RoomCommand muteUser(MuteUserRequest request) {
        Fields.given("duration_ms", request.hasDurationMs());
        return new Moderation.MuteUser(
                Fields.actor(request.getMeta()),
                target(request.getTargetUserId()),
                Fields.range("duration_ms", request.getDurationMs(), 0, LONGEST_MUTE_MS));
    }

    static RoomCommand kickUser(KickUserRequest request) {
        return new Moderation.KickUser(Fields.actor(request.getMeta()), target(request.getTargetUserId()));
    }

    static RoomCommand unbanUser(UnbanUserRequest request) {
        return new Moderation.UnbanUser(Fields.actor(request.getMeta()), target(request.getTargetUserId()));
    }

    static RoomCommand sendGift(SendGiftRequest request) {
        String actor = Fields.actor(request.getMeta());
        List<String> receivers = new ArrayList<>();
        if (request.getReceiverUserIdsCount() < 1 || request.getReceiverUserIdsCount() > Gifts.MAX_RECEIVERS) {
            throw Fields.invalid("receiver_user_ids", "must name 1 to " + Gifts.MAX_RECEIVERS + " users");
        }
        for (int i = 0; i < request.getReceiverUserIdsCount(); i++) {
            String field = "receiver_user_ids[" + i + "]";
            String receiver = Fields.userId(field, request.getReceiverUserIds(i));
            if (receiver.equals(actor)) {
                throw Fields.invalid(field, "must not be the actor");
            }
            if (receivers.contains(receiver)) {
                throw Fields.invalid(field, "names a user for the second time");
            }
            receivers.add(receiver);
        }
        return Gifts.SendGift.wish(
                actor,
                Fields.text("gift_id", request.getGiftId(), 1, GIFT_ID_BYTES),
                Fields.range("count", request.getCount(), 1, Gifts.MAX_COUNT),
                receivers);
    }

    private static String target(String userId) {
        return Fields.userId("target_user_id", userId);
    }

    /** Which of them the room has is the room's to say. */
    private static int seatNo(int seatNo) {
        return Fields.range("seat_no", seatNo, 1, MicSeats.MAX_SEATS);
    }

    private static String micSession(String micSessionId, int leastBytes) {
        return Fields.text("mic_session_id", micSessionId, leastBytes, MIC_SESSION_ID_BYTES);
    }
}
