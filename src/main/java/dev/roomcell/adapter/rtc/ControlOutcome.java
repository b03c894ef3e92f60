package dev.roomcell.adapter.rtc;

import java.util.Locale;

/** What a call of TRTC's API came to. The names are tags of the metrics. */
enum ControlOutcome {
    /** It is so now. */
    DONE(true),
    /** It was so already: the user or the room is not there. */
    NOT_THERE(true),
    /** Too many calls by TRTC's count. */
    RATE_LIMITED(false),
    /** TRTC has a trouble of its own, or was not reached, or has not answered in time. */
    FAILED(false),
    /** TRTC takes our keys, our app or our request for wrong: a person has to look. */
    REFUSED(false),
    /** Not sent at all, as too many wait. */
    OVERFLOW(false);

    private final boolean good;

    ControlOutcome(boolean good) {
        this.good = good;
    }

    /** Whether what was asked for is so. */
    boolean isGood() {
        return good;
    }

    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The one table of TRTC's error codes.
     *
     * @param code as {@code FailedOperation.RoomNotExist}; empty where there was no answer that could be read
     */
    static ControlOutcome of(String code) {
        return switch (code) {
            case "FailedOperation.RoomNotExist", "FailedOperation.UserNotExist", "InternalError.UserNotExist" ->
                NOT_THERE;
            case "FailedOperation.SdkAppIdNotExist" -> REFUSED;
            default -> ofFamily(code.substring(0, Math.max(0, (code + ".").indexOf('.'))));
        };
    }

    private static ControlOutcome ofFamily(String family) {
        return switch (family) {
            case "RequestLimitExceeded", "LimitExceeded" -> RATE_LIMITED;
            case "AuthFailure",
                    "UnauthorizedOperation",
                    "InvalidParameter",
                    "InvalidParameterValue",
                    "MissingParameter",
                    "UnknownParameter",
                    "UnsupportedOperation",
                    "UnsupportedProtocol",
                    "UnsupportedRegion",
                    "InvalidAction",
                    "InvalidRequest",
                    "NoSuchVersion" -> REFUSED;
            default -> FAILED;
        };
    }
}
