package dev.roomcell.domain;

/** A fact, in the past tense: the only thing that changes a {@link RoomState}. */
public sealed interface RoomEvent
        permits Lifecycle.RoomCreated,
                Lifecycle.RoomClosed,
                Presence.RoomUserJoined,
                Presence.RoomUserLeft,
                MicSeats.RoomMicChanged {

    /** Which event it is. */
    enum Type {
        ROOM_CREATED,
        ROOM_CLOSED,
        ROOM_USER_JOINED,
        ROOM_USER_LEFT,
        ROOM_MIC_CHANGED
    }

    /** Which event this is. */
    Type type();
}
