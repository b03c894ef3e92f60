package dev.roomcell.domain;

import java.util.Optional;

/**
 * Who may do what. Decided in the cell, against the very version that the command changes: a right that was taken away a
 * version ago is gone. What is not granted is refused.
 */
public final class Rights {
    private Rights() {}

    /** What somebody is in a room. */
    public enum Role {
        /** Made the room, or had it made; one a room, for its whole life. */
        OWNER,
        /** Appointed by the owner. */
        ADMIN,
        /** Everybody else, present or not. */
        AUDIENCE
    }

    /** What takes a right. */
    enum Action {
        CLOSE_ROOM,
        APPOINT_ADMIN,
        EDIT_PROFILE,
        SWITCH_CHAT,
        MUTE,
        KICK,
        UNBAN,
        TAKE_DOWN,
        LOCK_SEAT
    }

    /** What {@code userId} is in the room. */
    public static Role roleOf(RoomState state, String userId) {
        if (userId.equals(state.profile().ownerUserId())) {
            return Role.OWNER;
        }
        return state.houseRules().admins().contains(userId) ? Role.ADMIN : Role.AUDIENCE;
    }

    /** The permission table. */
    private static boolean allows(Role role, Action action) {
        return switch (role) {
            case OWNER -> true;
            case ADMIN ->
                switch (action) {
                    case EDIT_PROFILE, SWITCH_CHAT, MUTE, KICK, UNBAN, TAKE_DOWN, LOCK_SEAT -> true;
                    case CLOSE_ROOM, APPOINT_ADMIN -> false;
                };
            case AUDIENCE -> false;
        };
    }

    /** Whether somebody of one role may do something to somebody of another: nobody to the owner, admins not to admins. */
    private static boolean outranks(Role actor, Role target) {
        return switch (target) {
            case OWNER -> false;
            case ADMIN -> actor == Role.OWNER;
            case AUDIENCE -> true;
        };
    }

    /** The refusal of an actor who is shut out, or has not the right; empty if the actor may. */
    static Optional<Decision> refused(RoomState state, String actorUserId, Action action) {
        Optional<Decision> banned = banned(state, actorUserId);
        if (banned.isPresent()) {
            return banned;
        }
        if (allows(roleOf(state, actorUserId), action)) {
            return Optional.empty();
        }
        return Optional.of(
                allows(Role.ADMIN, action)
                        ? Decision.Rejected.because(
                                Rejection.Reason.NEED_ADMIN, "only the room's owner and admins may do this")
                        : Decision.Rejected.because(Rejection.Reason.NEED_OWNER, "only the room's owner may do this"));
    }

    /** The same for something that is done to {@code targetUserId}; nobody outranks themselves. */
    static Optional<Decision> refused(RoomState state, String actorUserId, Action action, String targetUserId) {
        Optional<Decision> refused = refused(state, actorUserId, action);
        if (refused.isPresent() || outranks(roleOf(state, actorUserId), roleOf(state, targetUserId))) {
            return refused;
        }
        return Optional.of(new Decision.Rejected(new Rejection(
                        Rejection.Reason.TARGET_PROTECTED,
                        "user " + targetUserId + " does not stand below you in this room")
                .with("user_id", targetUserId)));
    }

    /** The refusal of whoever is shut out (PRES-5). */
    static Optional<Decision> banned(RoomState state, String userId) {
        return state.houseRules().banned().contains(userId)
                ? Optional.of(new Decision.Rejected(shutOut(userId)))
                : Optional.empty();
    }

    private static Rejection shutOut(String userId) {
        return new Rejection(Rejection.Reason.BANNED, "user " + userId + " is shut out of the room until UnbanUser")
                .with("user_id", userId);
    }
}
