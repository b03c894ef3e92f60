package dev.roomcell.domain;

import io.vavr.collection.LinkedHashMap;
import io.vavr.collection.Map;

/**
 * A business no. It changes nothing and is not remembered: the same id may be tried again (CMD-4).
 *
 * @param reason the stable reason
 * @param message one sentence for the caller's log: what was wrong and what to do
 * @param details what the reason is about, for machines: the names are part of the API
 */
public record Rejection(Reason reason, String message, Map<String, String> details) {

    /** A no that has nothing to add to its reason. */
    public Rejection(Reason reason, String message) {
        this(reason, message, LinkedHashMap.empty());
    }

    /** The same no with one more detail. */
    public Rejection with(String name, String value) {
        return new Rejection(reason, message, details.put(name, value));
    }

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
        /** The room holds {@link Presence#MAX_PRESENT} users, or {@link Presence#MAX_ROBOTS} robots. */
        ROOM_FULL,
        /** The user is not in the room. */
        NOT_PRESENT,
        /** The user was kicked, and is shut out until UnbanUser. */
        BANNED,
        /** The room has no seat of that number. */
        SEAT_NOT_FOUND,
        /** The seat is locked. */
        SEAT_LOCKED,
        /** Somebody else sits there. */
        SEAT_OCCUPIED,
        /** The user has a seat already. */
        ALREADY_ON_SEAT,
        /** The user has no seat. */
        NOT_ON_SEAT,
        /** The mic session is over, or never was. */
        MIC_SESSION_STALE,
        /** Only the room's owner may do this. */
        NEED_OWNER,
        /** Only the room's owner and admins may do this. */
        NEED_ADMIN,
        /** The target does not stand below the actor. */
        TARGET_PROTECTED,
        /** The user is silenced for a time. */
        MUTED,
        /** Only the owner and admins may write. */
        CHAT_DISABLED,
        /** The room has as many admins, mutes or bans as it may. */
        LIMIT_REACHED,
        /** A field's value cannot be served, which only what it refers to tells; the detail "field" names it. */
        INVALID_FIELD,
        /** The giver has not enough coins; nothing was charged. */
        INSUFFICIENT_BALANCE,
        /** There is no such gift, or it is not on sale. */
        GIFT_UNAVAILABLE,
        /** The command id was given up, and what was charged under it refunded. */
        GIFT_VOIDED,
        /** A receiver is no longer in the room. */
        RECEIVER_GONE
    }
}
