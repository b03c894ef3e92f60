package dev.roomcell.adapter.codec;

import com.google.protobuf.MessageLite;
import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.proto.room.v1.CloseRoomResult;
import dev.roomcell.proto.room.v1.CreateRoomResult;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.JoinRoomResult;
import dev.roomcell.proto.room.v1.LeaveRoomResult;
import dev.roomcell.proto.room.v1.MicChangeReason;
import dev.roomcell.proto.room.v1.MicSeat;
import dev.roomcell.proto.room.v1.MicSeatStatus;
import dev.roomcell.proto.room.v1.PresenceEntry;
import dev.roomcell.proto.room.v1.PresenceKind;
import dev.roomcell.proto.room.v1.RoomClosed;
import dev.roomcell.proto.room.v1.RoomClosedReason;
import dev.roomcell.proto.room.v1.RoomCreated;
import dev.roomcell.proto.room.v1.RoomEventType;
import dev.roomcell.proto.room.v1.RoomMicChanged;
import dev.roomcell.proto.room.v1.RoomProfile;
import dev.roomcell.proto.room.v1.RoomSnapshot;
import dev.roomcell.proto.room.v1.RoomStatus;
import dev.roomcell.proto.room.v1.RoomUserJoined;
import dev.roomcell.proto.room.v1.RoomUserLeft;
import dev.roomcell.proto.room.v1.UserLeftReason;

/** What the outside world sees of the domain, in the messages of {@code proto/room/v1}. */
public final class PublicForm {
    private static final int FACT_SCHEMA_VERSION = 1;

    private PublicForm() {}

    /** The {@code …Result} message of a command. */
    static MessageLite result(RoomKey key, CommandResult result) {
        if (result instanceof Presence.Joined joined) {
            String groupId = ExternalIds.groupId(key);
            return JoinRoomResult.newBuilder()
                    .setRoomVersion(joined.roomVersion())
                    .setJoinedAtMs(joined.joinedAtMs())
                    .setOnlineCount(joined.onlineCount())
                    .setImGroupId(groupId)
                    .setRtcRoomId(groupId)
                    .build();
        }
        if (result instanceof Presence.Left left) {
            return LeaveRoomResult.newBuilder()
                    .setRoomVersion(left.roomVersion())
                    .setOnlineCount(left.onlineCount())
                    .build();
        }
        if (result instanceof Lifecycle.Created created) {
            String groupId = ExternalIds.groupId(key);
            return CreateRoomResult.newBuilder()
                    .setRoomVersion(created.roomVersion())
                    .setImGroupId(groupId)
                    .setRtcRoomId(groupId)
                    .setCreatedAtMs(created.createdAtMs())
                    .build();
        }
        Lifecycle.Closed closed = (Lifecycle.Closed) result;
        return CloseRoomResult.newBuilder()
                .setRoomVersion(closed.roomVersion())
                .setUsersPresent(closed.usersPresent())
                .setClosedAtMs(closed.closedAtMs())
                .build();
    }

    /** The envelope of a fact; its id is {@code room_id:room_version:index}, unique in the app (OUT-8). */
    static FactEnvelope fact(
            RoomKey key, Stamp stamp, int index, String commandId, String actorUserId, RoomEvent event) {
        FactEnvelope.Builder fact = FactEnvelope.newBuilder()
                .setEventId(eventId(key, stamp.version(), index))
                .setAppCode(key.appCode())
                .setRoomId(key.roomId())
                .setRoomVersion(stamp.version())
                .setIndex(index)
                .setOccurredAtMs(stamp.atMs())
                .setCommandId(commandId)
                .setActorUserId(actorUserId)
                .setSchemaVersion(FACT_SCHEMA_VERSION);
        switch (event.type()) {
            case ROOM_CREATED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_CREATED)
                        .setRoomCreated(created(key, (Lifecycle.RoomCreated) event));
            case ROOM_CLOSED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_CLOSED)
                        .setRoomClosed(closed((Lifecycle.RoomClosed) event, stamp));
            case ROOM_USER_JOINED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_USER_JOINED)
                        .setRoomUserJoined(joined((Presence.RoomUserJoined) event));
            case ROOM_USER_LEFT ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_USER_LEFT)
                        .setRoomUserLeft(left((Presence.RoomUserLeft) event));
            case ROOM_MIC_CHANGED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_MIC_CHANGED)
                        .setRoomMicChanged(micChanged((MicSeats.RoomMicChanged) event));
        }
        return fact.build();
    }

    /** The id of an event (OUT-8). */
    public static String eventId(RoomKey key, long version, int index) {
        return key.roomId() + ':' + version + ':' + index;
    }

    private static RoomCreated created(RoomKey key, Lifecycle.RoomCreated event) {
        String groupId = ExternalIds.groupId(key);
        return RoomCreated.newBuilder()
                .setOwnerUserId(event.profile().ownerUserId())
                .setProfile(profile(event.profile()))
                .setBackgroundUrl(event.profile().backgroundUrl())
                .setSeatCount(event.seatCount())
                .setImGroupId(groupId)
                .setRtcRoomId(groupId)
                .build();
    }

    private static RoomClosed closed(Lifecycle.RoomClosed event, Stamp stamp) {
        RoomClosedReason reason = switch (event.cause()) {
            case CLOSED_BY_OWNER -> RoomClosedReason.ROOM_CLOSED_REASON_CLOSED_BY_OWNER;
            case CREATE_FAILED -> RoomClosedReason.ROOM_CLOSED_REASON_CREATE_FAILED;
            case CLOSING_FINISHED -> RoomClosedReason.ROOM_CLOSED_REASON_CLOSING_FINISHED;
        };
        return RoomClosed.newBuilder()
                .setReason(reason)
                .setUsersPresent(event.usersPresent())
                .setClosedAtMs(stamp.atMs())
                .build();
    }

    private static RoomUserJoined joined(Presence.RoomUserJoined event) {
        return RoomUserJoined.newBuilder()
                .setUserId(event.userId())
                .setKind(PresenceKind.PRESENCE_KIND_USER)
                .setOnlineCount(event.onlineCount())
                .build();
    }

    private static RoomUserLeft left(Presence.RoomUserLeft event) {
        UserLeftReason reason = switch (event.cause()) {
            case LEFT -> UserLeftReason.USER_LEFT_REASON_LEFT;
        };
        return RoomUserLeft.newBuilder()
                .setUserId(event.userId())
                .setReason(reason)
                .setJoinedAtMs(event.joinedAtMs())
                .setOnlineCount(event.onlineCount())
                .setKind(PresenceKind.PRESENCE_KIND_USER)
                .build();
    }

    private static RoomMicChanged micChanged(MicSeats.RoomMicChanged event) {
        MicChangeReason reason = switch (event.cause()) {
            case TAKEN -> MicChangeReason.MIC_CHANGE_REASON_MIC_UP;
            case USER_LEFT -> MicChangeReason.MIC_CHANGE_REASON_USER_LEFT;
            case ROOM_CLOSED -> MicChangeReason.MIC_CHANGE_REASON_ROOM_CLOSED;
        };
        return RoomMicChanged.newBuilder()
                .setSeatNo(event.seatNo())
                .setUserId(event.userId())
                .setMicSessionId(event.micSessionId())
                .setFromStatus(seatStatus(event.from()))
                .setToStatus(seatStatus(event.to()))
                .setReason(reason)
                .build();
    }

    /** The room as GetRoom shows it: everything but the presence list. */
    public static RoomSnapshot snapshot(RoomState state) {
        String groupId = ExternalIds.groupId(state.key());
        RoomSnapshot.Builder room = RoomSnapshot.newBuilder()
                .setAppCode(state.key().appCode())
                .setRoomId(state.key().roomId())
                .setRoomVersion(state.version())
                .setStatus(status(state.status()))
                .setOwnerUserId(state.profile().ownerUserId())
                .setCreatedAtMs(state.createdAtMs())
                .setClosedAtMs(state.closedAtMs())
                .setProfile(profile(state.profile()))
                .setBackgroundUrl(state.profile().backgroundUrl())
                .setImGroupId(groupId)
                .setRtcRoomId(groupId)
                .setOnlineCount(state.onlineCount())
                // Nothing can switch it off yet.
                .setChatEnabled(true);
        for (MicSeats.Seat seat : state.seats()) {
            room.addSeats(MicSeat.newBuilder()
                    .setSeatNo(seat.seatNo())
                    .setStatus(seatStatus(seat.status()))
                    .setUserId(seat.userId())
                    .setMicSessionId(seat.micSessionId()));
        }
        return room.build();
    }

    /** A user who is present, as ListPresence shows it. */
    public static PresenceEntry presence(Presence.Member member) {
        return PresenceEntry.newBuilder()
                .setUserId(member.userId())
                .setKind(PresenceKind.PRESENCE_KIND_USER)
                .setJoinedAtMs(member.joinedAtMs())
                .setLastSeenAtMs(member.lastSeenAtMs())
                .build();
    }

    private static RoomProfile profile(Lifecycle.Profile profile) {
        return RoomProfile.newBuilder()
                .setTitle(profile.title())
                .setRegion(profile.region())
                .setCoverUrl(profile.coverUrl())
                .build();
    }

    private static RoomStatus status(Lifecycle.Status status) {
        return switch (status) {
            case CREATING -> RoomStatus.ROOM_STATUS_CREATING;
            case ACTIVE -> RoomStatus.ROOM_STATUS_ACTIVE;
            case CLOSING -> RoomStatus.ROOM_STATUS_CLOSING;
            case CLOSED -> RoomStatus.ROOM_STATUS_CLOSED;
        };
    }

    private static MicSeatStatus seatStatus(MicSeats.Status status) {
        return switch (status) {
            case IDLE -> MicSeatStatus.MIC_SEAT_STATUS_IDLE;
            case LOCKED -> MicSeatStatus.MIC_SEAT_STATUS_LOCKED;
            case PENDING_PUBLISH -> MicSeatStatus.MIC_SEAT_STATUS_PENDING_PUBLISH;
            case PUBLISHING -> MicSeatStatus.MIC_SEAT_STATUS_PUBLISHING;
        };
    }
}
