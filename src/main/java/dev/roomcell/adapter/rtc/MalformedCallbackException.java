package dev.roomcell.adapter.rtc;

import java.util.Locale;

/** A callback that can't be understood: signed as it must be, but not what TRTC sends. */
public final class MalformedCallbackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is missing or wrong. */
    enum Field {
        BODY,
        EVENT_TYPE,
        EVENT_INFO,
        ROOM_ID,
        USER_ID,
        EVENT_TIME,
        NUMBER
    }

    MalformedCallbackException(Field field) {
        // No stack trace: it is an answer, and callers can make many.
        super("no good " + field.name().toLowerCase(Locale.ROOT), null, false, false);
    }
}
