package dev.roomcell.domain;

/** A wish, in the imperative. Whether it comes true is for {@link RoomDecider#decide} to say. */
public sealed interface RoomCommand
        permits Lifecycle.CreateRoom, Lifecycle.CloseRoom, Lifecycle.HealRoom, Presence.JoinRoom, Presence.LeaveRoom {

    /** Which command it is. The names are stored in the command log: never rename one. */
    enum Kind {
        CREATE_ROOM,
        CLOSE_ROOM,
        HEAL_ROOM,
        JOIN_ROOM,
        LEAVE_ROOM
    }

    /** Which command this is. */
    Kind kind();

    /** The user who asks; empty for the room's own commands (CMD-5). */
    String actorUserId();
}
