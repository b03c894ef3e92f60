package dev.roomcell.client;

import dev.roomcell.proto.room.v1.OwnerHint;
import dev.roomcell.proto.room.v1.RetryHint;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Optional;

/** A call that failed for good, or (for a retry observer) an attempt that did. Has no stack trace: it comes from afar. */
public final class RoomCallException extends RuntimeException {
    /** No connection to the node: nothing was sent. */
    public static final String CONNECT_FAILED = "CONNECT_FAILED";

    /** The connection broke, or the stream was reset, before the answer was here. */
    public static final String CONNECTION_LOST = "CONNECTION_LOST";

    /** No answer within the attempt's time. */
    public static final String ATTEMPT_TIMEOUT = "ATTEMPT_TIMEOUT";

    /** An answer that is not one of this API. */
    public static final String MALFORMED_ANSWER = "MALFORMED_ANSWER";

    /** The client was closed. */
    public static final String CLIENT_CLOSED = "CLIENT_CLOSED";

    private static final long serialVersionUID = 1L;

    private final transient CallFailure failure;
    private final String commandId;
    private final boolean outcomeUnknown;
    private final int attempts;

    RoomCallException(CallFailure failure, String commandId, boolean outcomeUnknown, int attempts) {
        super(text(failure, outcomeUnknown, attempts), null, false, false);
        this.failure = failure;
        this.commandId = commandId;
        this.outcomeUnknown = outcomeUnknown;
        this.attempts = attempts;
    }

    private static String text(CallFailure failure, boolean outcomeUnknown, int attempts) {
        return failure.reason()
                + (failure.message().isEmpty() ? "" : ": " + failure.message())
                + failure.field().map(field -> " (" + field + ")").orElse("")
                + (outcomeUnknown ? "; the command may have been carried out" : "")
                + (attempts > 1 ? "; " + attempts + " attempts" : "");
    }

    /** The id of the command that failed; empty for queries. */
    public String commandId() {
        return commandId;
    }

    /** The gRPC status of the last attempt; what the client itself decided has the status that fits. */
    public GrpcStatus status() {
        return failure.status();
    }

    /**
     * Why: the name of an {@code ErrorReason} without its prefix, one of the constants here, or the status' name where
     * the answer held no details.
     */
    public String reason() {
        return failure.reason();
    }

    /** The sentence that came with the answer; may be empty. */
    public String explanation() {
        return failure.message();
    }

    /** The path of the field that was refused ({@code meta.app_code}); given with INVALID_FIELD. */
    public Optional<String> field() {
        return failure.field();
    }

    /** Whether the same call may be sent again. */
    public RetryHint retry() {
        return failure.retry();
    }

    /** Who owns the room, where the answer said so. */
    public Optional<OwnerHint> ownerHint() {
        return failure.ownerHint();
    }

    /**
     * True when the command may have been carried out, by this attempt or an earlier one (CMD-8): only the same command
     * id tells, so send it again and never under a new id. Always false for queries.
     */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }

    /** How many attempts were made, ≥ 0. */
    public int attempts() {
        return attempts;
    }
}
