package dev.roomcell.domain;

/** The ways on which an event leaves the house. */
public enum DeliveryLane {
    /** Straight to the room's clients only: low latency, best effort (LANE-1). */
    DIRECT_ONLY,
    /** To the room's clients, and as a fact through the outbox, where nobody may miss it (LANE-2). */
    BOTH;

    /** What a full queue of the direct lane gives up first: the lowest. */
    public enum Priority {
        /** Who came and went: the next such event, or the room itself, tells the count again. */
        LOW,
        /** What was given: shown once, and a fact beside it. */
        MIDDLE,
        /** What clients act on. */
        HIGH
    }

    /** The lane of an event. */
    public static DeliveryLane of(RoomEvent.Type type) {
        return switch (type) {
            case ROOM_CREATED,
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
                    ROOM_GIFT_SENT -> BOTH;
            case ROOM_ROCKET_FUEL_CHANGED, ROOM_ROCKET_IGNITED, ROOM_ROCKET_LAUNCHED -> DIRECT_ONLY;
        };
    }

    /**
     * Whether the room's clients are told of it not each time, but once in a while, and then the last of it (LANE-1).
     */
    public static boolean coalesced(RoomEvent.Type type) {
        return type == RoomEvent.Type.ROOM_ROCKET_FUEL_CHANGED;
    }

    /** How much an event matters on the direct lane (LANE-6). */
    public static Priority priorityOf(RoomEvent.Type type) {
        return switch (type) {
            case ROOM_USER_JOINED, ROOM_USER_LEFT, ROOM_ROCKET_FUEL_CHANGED -> Priority.LOW;
            case ROOM_GIFT_SENT -> Priority.MIDDLE;
            case ROOM_CREATED,
                    ROOM_CLOSED,
                    ROOM_PROFILE_UPDATED,
                    ROOM_BACKGROUND_CHANGED,
                    ROOM_MIC_CHANGED,
                    ROOM_MIC_SEAT_LOCKED,
                    ROOM_CHAT_ENABLED_CHANGED,
                    ROOM_ADMIN_CHANGED,
                    ROOM_USER_MUTED,
                    ROOM_USER_KICKED,
                    ROOM_USER_UNBANNED,
                    ROOM_ROCKET_IGNITED,
                    ROOM_ROCKET_LAUNCHED -> Priority.HIGH;
        };
    }
}
