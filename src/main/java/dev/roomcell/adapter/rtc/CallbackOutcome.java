package dev.roomcell.adapter.rtc;

import dev.roomcell.domain.RtcReports.Outcome;
import java.util.Locale;

/**
 * What became of a callback. The vendor takes 200 for the end of the matter, and sends everything else again: at once, and
 * then for a minute. The names are tags of the metrics.
 */
public enum CallbackOutcome {
    /** The room has changed. */
    APPLIED(200),
    /** The room remembers it, and nothing else has changed. */
    RECORDED(200),
    /** An exit that may be none: the room waits for a sign of life (MIC-9). */
    DOUBTED(200),
    /** The user has no seat. */
    NO_SEAT(200),
    /** The user speaks, and has no seat; the room sees to it (MIC-10). */
    NO_SEAT_PUBLISHING(200),
    /** Something later is known of the user already (MIC-9). */
    OLDER_EVENT(200),
    /** It is about a stay on the mic that is over (MIC-1). */
    OLDER_SESSION(200),
    /** It was heard before. */
    REPLAYED(200),
    /** The room has a reason to say no; it would again. */
    REJECTED(200),
    /** An event of no interest. */
    IGNORED(200),
    /** No room of ours has such an id. */
    NO_SUCH_ROOM(200),
    /** The room is over. */
    ROOM_CLOSED(200),
    /** Nobody is in the room, so there is no seat that it could be about: nothing is loaded for it. */
    ROOM_NOT_LIVE(200),
    /** No user of ours can have such an id. */
    NO_SUCH_USER(200),
    /** TRTC sends no such thing. */
    MALFORMED(400),
    /** Longer than any callback. */
    TOO_LARGE(413),
    /** Not signed with our key. */
    UNSIGNED(401),
    /** Another app's. */
    OTHER_APP(401),
    /** The room could not be asked, or has not answered in time: to be sent again. */
    NOT_HANDLED(503),
    /** Too many are being handled already: to be sent again. */
    BUSY(503);

    private final int status;

    CallbackOutcome(int status) {
        this.status = status;
    }

    /** The HTTP status of the answer. */
    public int status() {
        return status;
    }

    /** As a tag of a metric. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What the room made of it. */
    public static CallbackOutcome of(Outcome outcome) {
        return switch (outcome) {
            case APPLIED -> APPLIED;
            case RECORDED -> RECORDED;
            case DOUBTED -> DOUBTED;
            case NO_SEAT -> NO_SEAT;
            case NO_SEAT_PUBLISHING -> NO_SEAT_PUBLISHING;
            case OLDER_EVENT -> OLDER_EVENT;
            case OLDER_SESSION -> OLDER_SESSION;
        };
    }
}
