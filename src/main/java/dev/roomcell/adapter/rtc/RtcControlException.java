package dev.roomcell.adapter.rtc;

/** A call of TRTC's API that has not come to what was asked for. */
final class RtcControlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ControlOutcome outcome;

    RtcControlException(ControlOutcome outcome, String message) {
        super(message);
        this.outcome = outcome;
    }

    ControlOutcome outcome() {
        return outcome;
    }
}
