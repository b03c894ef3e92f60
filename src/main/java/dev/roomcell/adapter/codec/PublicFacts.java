package dev.roomcell.adapter.codec;

import com.google.protobuf.FieldMask;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.MicChangeReason;
import dev.roomcell.proto.room.v1.RoomAdminChanged;
import dev.roomcell.proto.room.v1.RoomBackgroundChanged;
import dev.roomcell.proto.room.v1.RoomChatEnabledChanged;
import dev.roomcell.proto.room.v1.RoomClosed;
import dev.roomcell.proto.room.v1.RoomClosedReason;
import dev.roomcell.proto.room.v1.RoomCreated;
import dev.roomcell.proto.room.v1.RoomEventType;
import dev.roomcell.proto.room.v1.RoomGiftSent;
import dev.roomcell.proto.room.v1.RoomHeatChanged;
import dev.roomcell.proto.room.v1.RoomMicChanged;
import dev.roomcell.proto.room.v1.RoomMicSeatLocked;
import dev.roomcell.proto.room.v1.RoomProfile;
import dev.roomcell.proto.room.v1.RoomProfileUpdated;
import dev.roomcell.proto.room.v1.RoomRankChanged;
import dev.roomcell.proto.room.v1.RoomUserJoined;
import dev.roomcell.proto.room.v1.RoomUserKicked;
import dev.roomcell.proto.room.v1.RoomUserLeft;
import dev.roomcell.proto.room.v1.RoomUserMuted;
import dev.roomcell.proto.room.v1.RoomUserUnbanned;
import dev.roomcell.proto.room.v1.UserLeftReason;

/** Events as consumers see them. */
final class PublicFacts {
    private static final int FACT_SCHEMA_VERSION = 1;

    private PublicFacts() {}

    /** The envelope of a fact; its id is {@code room_id:room_version:index}, unique in the app (OUT-8). */
    static FactEnvelope of(RoomKey key, Stamp stamp, int index, String commandId, String actorUserId, RoomEvent event) {
        FactEnvelope.Builder fact = FactEnvelope.newBuilder()
                .setEventId(PublicForm.eventId(key, stamp.version(), index))
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
            case ROOM_PROFILE_UPDATED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_PROFILE_UPDATED)
                        .setRoomProfileUpdated(updated((Profile.RoomProfileUpdated) event));
            case ROOM_BACKGROUND_CHANGED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_BACKGROUND_CHANGED)
                        .setRoomBackgroundChanged(RoomBackgroundChanged.newBuilder()
                                .setBackgroundUrl(((Profile.RoomBackgroundChanged) event).backgroundUrl()));
            case ROOM_USER_JOINED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_USER_JOINED)
                        .setRoomUserJoined(joined((Presence.RoomUserJoined) event));
            case ROOM_USER_LEFT ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_USER_LEFT)
                        .setRoomUserLeft(left((Presence.RoomUserLeft) event));
            case ROOM_MIC_CHANGED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_MIC_CHANGED)
                        .setRoomMicChanged(micChanged((MicSeats.RoomMicChanged) event));
            case ROOM_MIC_SEAT_LOCKED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_MIC_SEAT_LOCKED)
                        .setRoomMicSeatLocked(locked((MicSeats.RoomMicSeatLocked) event));
            case ROOM_CHAT_ENABLED_CHANGED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_CHAT_ENABLED_CHANGED)
                        .setRoomChatEnabledChanged(RoomChatEnabledChanged.newBuilder()
                                .setEnabled(((Moderation.RoomChatEnabledChanged) event).enabled()));
            case ROOM_ADMIN_CHANGED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_ADMIN_CHANGED)
                        .setRoomAdminChanged(adminChanged((Moderation.RoomAdminChanged) event));
            case ROOM_USER_MUTED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_USER_MUTED)
                        .setRoomUserMuted(muted((Moderation.RoomUserMuted) event));
            case ROOM_USER_KICKED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_USER_KICKED)
                        .setRoomUserKicked(kicked((Moderation.RoomUserKicked) event));
            case ROOM_USER_UNBANNED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_USER_UNBANNED)
                        .setRoomUserUnbanned(RoomUserUnbanned.newBuilder()
                                .setUserId(((Moderation.RoomUserUnbanned) event).userId()));
            case ROOM_GIFT_SENT ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_GIFT_SENT)
                        .setRoomGiftSent(giftSent((Gifts.RoomGiftSent) event));
            case ROOM_ROCKET_FUEL_CHANGED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_ROCKET_FUEL_CHANGED)
                        .setRoomRocketFuelChanged(PublicRockets.fuel(((Rockets.RoomRocketFuelChanged) event).rocket()));
            case ROOM_ROCKET_IGNITED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_ROCKET_IGNITED)
                        .setRoomRocketIgnited(PublicRockets.ignited((Rockets.RoomRocketIgnited) event));
            case ROOM_ROCKET_LAUNCHED ->
                fact.setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_ROCKET_LAUNCHED)
                        .setRoomRocketLaunched(PublicRockets.launched((Rockets.RoomRocketLaunched) event, stamp));
        }
        return fact.build();
    }

    static FactEnvelope heat(RoomState state, long atMs) {
        return about(state, RoomCodec.HEAT_INDEX, atMs)
                .setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_HEAT_CHANGED)
                .setRoomHeatChanged(
                        RoomHeatChanged.newBuilder().setHeat(state.board().heat()))
                .build();
    }

    static FactEnvelope rank(RoomState state, int ranks, long atMs) {
        return about(state, RoomCodec.RANK_INDEX, atMs)
                .setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_RANK_CHANGED)
                .setRoomRankChanged(RoomRankChanged.newBuilder().addAllTop(PublicForm.rank(state, ranks)))
                .build();
    }

    static FactEnvelope fuel(RoomState state, long atMs) {
        return about(state, RoomCodec.FUEL_INDEX, atMs)
                .setType(RoomEventType.ROOM_EVENT_TYPE_ROOM_ROCKET_FUEL_CHANGED)
                .setRoomRocketFuelChanged(PublicRockets.fuel(state.rocket()))
                .build();
    }

    /** Nobody's deed: what has come together. */
    private static FactEnvelope.Builder about(RoomState state, int index, long atMs) {
        return FactEnvelope.newBuilder()
                .setEventId(PublicForm.eventId(state.key(), state.version(), index))
                .setAppCode(state.key().appCode())
                .setRoomId(state.key().roomId())
                .setRoomVersion(state.version())
                .setIndex(index)
                .setOccurredAtMs(atMs)
                .setSchemaVersion(FACT_SCHEMA_VERSION);
    }

    private static RoomCreated created(RoomKey key, Lifecycle.RoomCreated event) {
        String groupId = ExternalIds.groupId(key);
        return RoomCreated.newBuilder()
                .setOwnerUserId(event.profile().ownerUserId())
                .setProfile(PublicForm.profile(event.profile()))
                .setBackgroundUrl(event.profile().backgroundUrl())
                .setSeatCount(event.seatCount())
                .setImGroupId(groupId)
                .setRtcRoomId(groupId)
                .build();
    }

    private static RoomGiftSent giftSent(Gifts.RoomGiftSent event) {
        return RoomGiftSent.newBuilder()
                .setSenderUserId(event.senderUserId())
                .addAllReceiverUserIds(event.receiverUserIds())
                .setGiftId(event.giftId())
                .setCount(event.count())
                .setUnitPriceCoins(event.unitPriceCoins())
                .setTotalPriceCoins(event.totalPriceCoins())
                .setRewardCoins(event.rewardCoins())
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

    private static RoomProfileUpdated updated(Profile.RoomProfileUpdated event) {
        FieldMask.Builder changed = FieldMask.newBuilder();
        for (Profile.Field field : event.changed()) {
            changed.addPaths(
                    switch (field) {
                        case TITLE -> "title";
                        case REGION -> "region";
                        case COVER_URL -> "cover_url";
                    });
        }
        return RoomProfileUpdated.newBuilder()
                .setProfile(RoomProfile.newBuilder()
                        .setTitle(event.title())
                        .setRegion(event.region())
                        .setCoverUrl(event.coverUrl()))
                .setChanged(changed)
                .build();
    }

    private static RoomUserJoined joined(Presence.RoomUserJoined event) {
        return RoomUserJoined.newBuilder()
                .setUserId(event.userId())
                .setKind(PublicForm.kind(event.kind()))
                .setOnlineCount(event.onlineCount())
                .build();
    }

    private static RoomUserLeft left(Presence.RoomUserLeft event) {
        UserLeftReason reason = switch (event.cause()) {
            case LEFT -> UserLeftReason.USER_LEFT_REASON_LEFT;
            case STALE -> UserLeftReason.USER_LEFT_REASON_STALE;
            case KICKED -> UserLeftReason.USER_LEFT_REASON_KICKED;
        };
        return RoomUserLeft.newBuilder()
                .setUserId(event.userId())
                .setReason(reason)
                .setJoinedAtMs(event.joinedAtMs())
                .setOnlineCount(event.onlineCount())
                .setKind(PublicForm.kind(event.kind()))
                .build();
    }

    private static RoomMicChanged micChanged(MicSeats.RoomMicChanged event) {
        MicSession session = event.session();
        return RoomMicChanged.newBuilder()
                .setSeatNo(event.seatNo())
                .setPreviousSeatNo(event.previousSeatNo())
                .setUserId(session.userId())
                .setMicSessionId(session.id())
                .setFromStatus(PublicForm.seatStatus(event.from()))
                .setToStatus(PublicForm.seatStatus(event.to()))
                .setReason(reason(event.cause()))
                .setMicSessionStartedAtMs(session.startedAtMs())
                .setPublishDeadlineMs(session.publishDeadlineMs())
                .setMicSessionRoomVersion(session.roomVersion())
                .build();
    }

    private static MicChangeReason reason(MicSeats.Cause cause) {
        return switch (cause) {
            case TAKEN -> MicChangeReason.MIC_CHANGE_REASON_MIC_UP;
            case SEAT_CHANGED -> MicChangeReason.MIC_CHANGE_REASON_SEAT_CHANGED;
            case PUBLISH_CONFIRMED -> MicChangeReason.MIC_CHANGE_REASON_PUBLISH_CONFIRMED;
            case STREAM_KEPT -> MicChangeReason.MIC_CHANGE_REASON_STREAM_KEPT;
            case MIC_DOWN -> MicChangeReason.MIC_CHANGE_REASON_MIC_DOWN;
            case TAKEN_DOWN -> MicChangeReason.MIC_CHANGE_REASON_TAKEN_DOWN;
            case SEAT_LOCKED -> MicChangeReason.MIC_CHANGE_REASON_SEAT_LOCKED;
            case RTC_AUDIO_STARTED -> MicChangeReason.MIC_CHANGE_REASON_RTC_AUDIO_STARTED;
            case RTC_AUDIO_STOPPED -> MicChangeReason.MIC_CHANGE_REASON_RTC_AUDIO_STOPPED;
            case RTC_ROOM_EXITED -> MicChangeReason.MIC_CHANGE_REASON_RTC_ROOM_EXITED;
            case UNHEARD -> MicChangeReason.MIC_CHANGE_REASON_UNHEARD;
            case PUBLISH_TIMEOUT -> MicChangeReason.MIC_CHANGE_REASON_PUBLISH_TIMEOUT;
            case USER_LEFT -> MicChangeReason.MIC_CHANGE_REASON_USER_LEFT;
            case USER_STALE -> MicChangeReason.MIC_CHANGE_REASON_USER_STALE;
            case USER_KICKED -> MicChangeReason.MIC_CHANGE_REASON_USER_KICKED;
            case ROOM_CLOSED -> MicChangeReason.MIC_CHANGE_REASON_ROOM_CLOSED;
        };
    }

    private static RoomMicSeatLocked locked(MicSeats.RoomMicSeatLocked event) {
        return RoomMicSeatLocked.newBuilder()
                .setSeatNo(event.seatNo())
                .setLocked(event.locked())
                .build();
    }

    private static RoomAdminChanged adminChanged(Moderation.RoomAdminChanged event) {
        return RoomAdminChanged.newBuilder()
                .setUserId(event.userId())
                .setAdmin(event.admin())
                .build();
    }

    private static RoomUserMuted muted(Moderation.RoomUserMuted event) {
        return RoomUserMuted.newBuilder()
                .setUserId(event.userId())
                .setMutedUntilMs(event.mutedUntilMs())
                .build();
    }

    private static RoomUserKicked kicked(Moderation.RoomUserKicked event) {
        return RoomUserKicked.newBuilder()
                .setUserId(event.userId())
                .setWasPresent(event.wasPresent())
                .build();
    }
}
