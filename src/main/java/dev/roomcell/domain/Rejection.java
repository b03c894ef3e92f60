package dev.roomcell.domain;

/**
 * A business no. It changes nothing and is not remembered: the same id may be tried again (CMD-4).
 *
 * @param reason the stable reason
 * @param message one sentence for the caller's log: what was wrong and what to do
 */
public record Rejection(Reason reason, String message) {

    /** Why; the names are part of the API and never change. */
    public enum Reason {
        /** No such room was ever created. */
        ROOM_NOT_FOUND,
        /** The room is closed for ever. */
        ROOM_CLOSED,
        /** The room id is taken by a room that another command created. */
        ROOM_EXISTS,
        /** The room is being made; it takes commands in a moment. */
        ROOM_CREATING,
        /** The room holds {@link Presence#MAX_PRESENT} users. */
        ROOM_FULL,
        /** The user is not in the room. */
        NOT_PRESENT,
        /** Only the room's owner may do this. */
        NEED_OWNER
    }
}
