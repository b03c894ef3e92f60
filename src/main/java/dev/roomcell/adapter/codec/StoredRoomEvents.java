package dev.roomcell.adapter.codec;

import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.port.RoomCodec.UnreadableException;
import dev.roomcell.proto.internal.v1.RoomAdminChangedEvent;
import dev.roomcell.proto.internal.v1.RoomBackgroundChangedEvent;
import dev.roomcell.proto.internal.v1.RoomChatEnabledChangedEvent;
import dev.roomcell.proto.internal.v1.RoomClosedEvent;
import dev.roomcell.proto.internal.v1.RoomCreatedEvent;
import dev.roomcell.proto.internal.v1.RoomMicChangedEvent;
import dev.roomcell.proto.internal.v1.RoomMicSeatLockedEvent;
import dev.roomcell.proto.internal.v1.RoomProfileUpdatedEvent;
import dev.roomcell.proto.internal.v1.RoomUserJoinedEvent;
import dev.roomcell.proto.internal.v1.RoomUserKickedEvent;
import dev.roomcell.proto.internal.v1.RoomUserLeftEvent;
import dev.roomcell.proto.internal.v1.RoomUserMutedEvent;
import dev.roomcell.proto.internal.v1.RoomUserUnbannedEvent;
import dev.roomcell.proto.internal.v1.StoredEvent;

/** Events in their stored form. */
final class StoredRoomEvents {
    private StoredRoomEvents() {}

    static StoredEvent encode(RoomEvent event) {
        StoredEvent.Builder stored = StoredEvent.newBuilder();
        switch (event.type()) {
            case ROOM_CREATED -> {
                Lifecycle.RoomCreated created = (Lifecycle.RoomCreated) event;
                stored.setRoomCreated(RoomCreatedEvent.newBuilder()
                        .setProfile(StoredForm.profile(created.profile()))
                        .setSeatCount(created.seatCount()));
            }
            case ROOM_CLOSED -> {
                Lifecycle.RoomClosed closed = (Lifecycle.RoomClosed) event;
                stored.setRoomClosed(RoomClosedEvent.newBuilder()
                        .setCause(closed.cause().name())
                        .setUsersPresent(closed.usersPresent()));
            }
            case ROOM_PROFILE_UPDATED -> stored.setRoomProfileUpdated(updated((Profile.RoomProfileUpdated) event));
            case ROOM_BACKGROUND_CHANGED -> {
                Profile.RoomBackgroundChanged changed = (Profile.RoomBackgroundChanged) event;
                stored.setRoomBackgroundChanged(
                        RoomBackgroundChangedEvent.newBuilder().setBackgroundUrl(changed.backgroundUrl()));
            }
            case ROOM_USER_JOINED -> {
                Presence.RoomUserJoined joined = (Presence.RoomUserJoined) event;
                stored.setRoomUserJoined(RoomUserJoinedEvent.newBuilder()
                        .setUserId(joined.userId())
                        .setKind(StoredForm.kindName(joined.kind()))
                        .setOnlineCount(joined.onlineCount()));
            }
            case ROOM_USER_LEFT -> {
                Presence.RoomUserLeft left = (Presence.RoomUserLeft) event;
                stored.setRoomUserLeft(RoomUserLeftEvent.newBuilder()
                        .setUserId(left.userId())
                        .setKind(StoredForm.kindName(left.kind()))
                        .setCause(left.cause().name())
                        .setJoinedAtMs(left.joinedAtMs())
                        .setOnlineCount(left.onlineCount()));
            }
            case ROOM_MIC_CHANGED -> stored.setRoomMicChanged(micChanged((MicSeats.RoomMicChanged) event));
            case ROOM_MIC_SEAT_LOCKED -> {
                MicSeats.RoomMicSeatLocked locked = (MicSeats.RoomMicSeatLocked) event;
                stored.setRoomMicSeatLocked(RoomMicSeatLockedEvent.newBuilder()
                        .setSeatNo(locked.seatNo())
                        .setLocked(locked.locked()));
            }
            case ROOM_CHAT_ENABLED_CHANGED -> {
                Moderation.RoomChatEnabledChanged changed = (Moderation.RoomChatEnabledChanged) event;
                stored.setRoomChatEnabledChanged(
                        RoomChatEnabledChangedEvent.newBuilder().setEnabled(changed.enabled()));
            }
            case ROOM_ADMIN_CHANGED -> {
                Moderation.RoomAdminChanged changed = (Moderation.RoomAdminChanged) event;
                stored.setRoomAdminChanged(RoomAdminChangedEvent.newBuilder()
                        .setUserId(changed.userId())
                        .setAdmin(changed.admin()));
            }
            case ROOM_USER_MUTED -> {
                Moderation.RoomUserMuted muted = (Moderation.RoomUserMuted) event;
                stored.setRoomUserMuted(RoomUserMutedEvent.newBuilder()
                        .setUserId(muted.userId())
                        .setMutedUntilMs(muted.mutedUntilMs()));
            }
            case ROOM_USER_KICKED -> {
                Moderation.RoomUserKicked kicked = (Moderation.RoomUserKicked) event;
                stored.setRoomUserKicked(RoomUserKickedEvent.newBuilder()
                        .setUserId(kicked.userId())
                        .setWasPresent(kicked.wasPresent()));
            }
            case ROOM_USER_UNBANNED -> {
                Moderation.RoomUserUnbanned unbanned = (Moderation.RoomUserUnbanned) event;
                stored.setRoomUserUnbanned(RoomUserUnbannedEvent.newBuilder().setUserId(unbanned.userId()));
            }
            case ROOM_GIFT_SENT -> stored.setRoomGiftSent(StoredGifts.encode((Gifts.RoomGiftSent) event));
            case ROOM_ROCKET_FUEL_CHANGED ->
                stored.setRoomRocketFuelChanged(StoredRockets.encode((Rockets.RoomRocketFuelChanged) event));
            case ROOM_ROCKET_IGNITED ->
                stored.setRoomRocketIgnited(StoredRockets.encode((Rockets.RoomRocketIgnited) event));
            case ROOM_ROCKET_LAUNCHED ->
                stored.setRoomRocketLaunched(StoredRockets.encode((Rockets.RoomRocketLaunched) event));
        }
        return stored.build();
    }

    private static RoomProfileUpdatedEvent updated(Profile.RoomProfileUpdated event) {
        RoomProfileUpdatedEvent.Builder updated = RoomProfileUpdatedEvent.newBuilder()
                .setTitle(event.title())
                .setRegion(event.region())
                .setCoverUrl(event.coverUrl());
        event.changed().forEach(field -> updated.addChanged(field.name()));
        return updated.build();
    }

    private static RoomMicChangedEvent micChanged(MicSeats.RoomMicChanged event) {
        MicSession session = event.session();
        return RoomMicChangedEvent.newBuilder()
                .setSeatNo(event.seatNo())
                .setPreviousSeatNo(event.previousSeatNo())
                .setFrom(event.from().name())
                .setTo(event.to().name())
                .setCause(event.cause().name())
                .setUserId(session.userId())
                .setMicSessionId(session.id())
                .setSessionVersion(session.roomVersion())
                .setStartedAtMs(session.startedAtMs())
                .setPublishDeadlineMs(session.publishDeadlineMs())
                .setStreaming(session.streaming())
                .setLastPublishEventAtMs(session.lastPublishEventAtMs())
                .build();
    }

    static RoomEvent decode(StoredEvent stored) {
        return switch (stored.getEventCase()) {
            case ROOM_CREATED ->
                new Lifecycle.RoomCreated(
                        StoredForm.profile(stored.getRoomCreated().getProfile()),
                        stored.getRoomCreated().getSeatCount());
            case ROOM_CLOSED ->
                new Lifecycle.RoomClosed(
                        StoredForm.name(
                                Lifecycle.CloseCause.class,
                                stored.getRoomClosed().getCause()),
                        stored.getRoomClosed().getUsersPresent());
            case ROOM_PROFILE_UPDATED -> updated(stored.getRoomProfileUpdated());
            case ROOM_BACKGROUND_CHANGED ->
                new Profile.RoomBackgroundChanged(
                        stored.getRoomBackgroundChanged().getBackgroundUrl());
            case ROOM_USER_JOINED -> joined(stored.getRoomUserJoined());
            case ROOM_USER_LEFT -> left(stored.getRoomUserLeft());
            case ROOM_MIC_CHANGED -> micChanged(stored.getRoomMicChanged());
            case ROOM_MIC_SEAT_LOCKED ->
                new MicSeats.RoomMicSeatLocked(
                        stored.getRoomMicSeatLocked().getSeatNo(),
                        stored.getRoomMicSeatLocked().getLocked());
            case ROOM_CHAT_ENABLED_CHANGED ->
                new Moderation.RoomChatEnabledChanged(
                        stored.getRoomChatEnabledChanged().getEnabled());
            case ROOM_ADMIN_CHANGED ->
                new Moderation.RoomAdminChanged(
                        stored.getRoomAdminChanged().getUserId(),
                        stored.getRoomAdminChanged().getAdmin());
            case ROOM_USER_MUTED ->
                new Moderation.RoomUserMuted(
                        stored.getRoomUserMuted().getUserId(),
                        stored.getRoomUserMuted().getMutedUntilMs());
            case ROOM_USER_KICKED ->
                new Moderation.RoomUserKicked(
                        stored.getRoomUserKicked().getUserId(),
                        stored.getRoomUserKicked().getWasPresent());
            case ROOM_USER_UNBANNED ->
                new Moderation.RoomUserUnbanned(stored.getRoomUserUnbanned().getUserId());
            case ROOM_GIFT_SENT -> StoredGifts.decode(stored.getRoomGiftSent());
            case ROOM_ROCKET_FUEL_CHANGED -> StoredRockets.decode(stored.getRoomRocketFuelChanged());
            case ROOM_ROCKET_IGNITED -> StoredRockets.decode(stored.getRoomRocketIgnited());
            case ROOM_ROCKET_LAUNCHED -> StoredRockets.decode(stored.getRoomRocketLaunched());
            case EVENT_NOT_SET -> throw new UnreadableException("an event of an unknown kind");
        };
    }

    private static RoomEvent updated(RoomProfileUpdatedEvent stored) {
        return new Profile.RoomProfileUpdated(
                stored.getTitle(),
                stored.getRegion(),
                stored.getCoverUrl(),
                stored.getChangedList().stream()
                        .map(field -> StoredForm.name(Profile.Field.class, field))
                        .toList());
    }

    private static RoomEvent joined(RoomUserJoinedEvent stored) {
        return new Presence.RoomUserJoined(
                stored.getUserId(), StoredForm.kind(stored.getKind()), stored.getOnlineCount());
    }

    private static RoomEvent left(RoomUserLeftEvent stored) {
        return new Presence.RoomUserLeft(
                stored.getUserId(),
                StoredForm.kind(stored.getKind()),
                StoredForm.name(Presence.LeaveCause.class, stored.getCause()),
                stored.getJoinedAtMs(),
                stored.getOnlineCount());
    }

    private static RoomEvent micChanged(RoomMicChangedEvent stored) {
        return new MicSeats.RoomMicChanged(
                stored.getSeatNo(),
                stored.getPreviousSeatNo(),
                StoredForm.name(MicSeats.Status.class, stored.getFrom()),
                StoredForm.name(MicSeats.Status.class, stored.getTo()),
                new MicSession(
                        stored.getMicSessionId(),
                        stored.getUserId(),
                        stored.getSessionVersion(),
                        stored.getStartedAtMs(),
                        stored.getPublishDeadlineMs(),
                        stored.getStreaming(),
                        stored.getLastPublishEventAtMs()),
                StoredForm.name(MicSeats.Cause.class, stored.getCause()));
    }
}
