package dev.roomcell.domain;

/** A fact, in the past tense: the only thing that changes a {@link RoomState}. */
public sealed interface RoomEvent
        permits Lifecycle.RoomCreated,
                Lifecycle.RoomClosed,
                Profile.RoomProfileUpdated,
                Profile.RoomBackgroundChanged,
                Presence.RoomUserJoined,
                Presence.RoomUserLeft,
                MicSeats.RoomMicChanged,
                MicSeats.RoomMicSeatLocked,
                Moderation.RoomChatEnabledChanged,
                Moderation.RoomAdminChanged,
                Moderation.RoomUserMuted,
                Moderation.RoomUserKicked,
                Moderation.RoomUserUnbanned,
                Gifts.RoomGiftSent,
                Rockets.RoomRocketFuelChanged,
                Rockets.RoomRocketIgnited,
                Rockets.RoomRocketLaunched {

    /** Which event it is. */
    enum Type {
        ROOM_CREATED,
        ROOM_CLOSED,
        ROOM_PROFILE_UPDATED,
        ROOM_BACKGROUND_CHANGED,
        ROOM_USER_JOINED,
        ROOM_USER_LEFT,
        ROOM_MIC_CHANGED,
        ROOM_MIC_SEAT_LOCKED,
        ROOM_CHAT_ENABLED_CHANGED,
        ROOM_ADMIN_CHANGED,
        ROOM_USER_MUTED,
        ROOM_USER_KICKED,
        ROOM_USER_UNBANNED,
        ROOM_GIFT_SENT,
        ROOM_ROCKET_FUEL_CHANGED,
        ROOM_ROCKET_IGNITED,
        ROOM_ROCKET_LAUNCHED
    }

    /** Which event this is. */
    Type type();

    /** Whether it is a fact that consumers outside must not miss (LANE-2); what robots do is none (PRES-8). */
    default boolean durable() {
        return DeliveryLane.of(type()) == DeliveryLane.BOTH;
    }
}
