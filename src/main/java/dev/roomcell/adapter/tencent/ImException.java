package dev.roomcell.adapter.tencent;

/** A call of Tencent IM that came to nothing, or whose outcome is unknown. */
public final class ImException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int NO_CODE = -1;

    private final int code;

    private ImException(int code, String message) {
        // No stack trace: it is thrown nowhere, and there may be many.
        super(message, null, false, false);
        this.code = code;
    }

    static ImException refused(ImCommand command, int code, String info) {
        return new ImException(
                code,
                command.path() + " was refused with " + code + ", "
                        + ErrorRule.of(code).meaning() + ": " + info);
    }

    static ImException unknown(ImCommand command, String why) {
        return new ImException(NO_CODE, command.path() + " has no answer: " + why);
    }

    static ImException tooMany(ImCommand command) {
        return new ImException(NO_CODE, command.path() + " was not called, as too many calls are under way");
    }

    static ImException notCalled(ImCommand command) {
        return new ImException(NO_CODE, command.path() + " was not called, as Tencent IM has refused us lately");
    }

    /** Tencent's error code; below 0 if there was none. */
    public int code() {
        return code;
    }
}
