package dev.roomcell.domain;

import java.util.List;
import java.util.Optional;

/** Decides commands and applies events: {@code decide} changes nothing, {@code evolve} judges nothing. */
public final class RoomDecider {
    private RoomDecider() {}

    /**
     * What becomes of {@code command} in {@code state}. The order of checks is fixed: the room's state, then ban,
     * presence, role and feature; the command id was checked before.
     *
     * @param stamp the version and time the command gets if it is accepted
     */
    public static Decision decide(RoomState state, RoomCommand command, Stamp stamp) {
        Optional<Decision> shut = Lifecycle.admit(state, command.kind());
        if (shut.isPresent()) {
            return shut.get();
        }
        return switch (command.kind()) {
            case CREATE_ROOM -> Lifecycle.create((Lifecycle.CreateRoom) command, stamp);
            case CLOSE_ROOM -> Lifecycle.close(state, (Lifecycle.CloseRoom) command, stamp);
            case HEAL_ROOM -> Lifecycle.heal(state, stamp);
            case JOIN_ROOM -> Presence.join(state, (Presence.JoinRoom) command, stamp);
            case LEAVE_ROOM -> Presence.leave(state, (Presence.LeaveRoom) command, stamp);
        };
    }

    /** The state after {@code events}, which are one version: {@code stamp.version()}. */
    public static RoomState evolve(RoomState state, List<? extends RoomEvent> events, Stamp stamp) {
        if (stamp.version() != state.version() + 1) {
            throw new IllegalArgumentException(
                    "room " + state.key() + ": version " + stamp.version() + " does not follow " + state.version());
        }
        RoomState next = state;
        for (RoomEvent event : events) {
            next = evolve(next, event, stamp);
        }
        return next.atVersion(stamp.version());
    }

    private static RoomState evolve(RoomState state, RoomEvent event, Stamp stamp) {
        return switch (event.type()) {
            case ROOM_CREATED -> Lifecycle.evolve(state, (Lifecycle.RoomCreated) event, stamp);
            case ROOM_CLOSED -> Lifecycle.evolve(state, (Lifecycle.RoomClosed) event, stamp);
            case ROOM_USER_JOINED -> Presence.evolve(state, (Presence.RoomUserJoined) event, stamp);
            case ROOM_USER_LEFT -> Presence.evolve(state, (Presence.RoomUserLeft) event);
            case ROOM_MIC_CHANGED -> MicSeats.evolve(state, (MicSeats.RoomMicChanged) event);
        };
    }
}
