package dev.roomcell.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.OwnerHint;
import dev.roomcell.proto.room.v1.RetryHint;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one attempt failed.
 *
 * @param status the gRPC status
 * @param reason see {@link RoomCallException#reason()}
 * @param message may be empty
 * @param field the refused field's path
 * @param retry whether to send the call again
 * @param ownerHint whom to ask instead
 * @param effect what this failure says about the command
 */
record CallFailure(
        GrpcStatus status,
        String reason,
        String message,
        Optional<String> field,
        RetryHint retry,
        Optional<OwnerHint> ownerHint,
        Effect effect) {
    private static final String DETAILS = "grpc-status-details-bin";
    private static final String REASON_PREFIX = "ERROR_REASON_";
    private static final RetryHint SAME_COMMAND_ID =
            RetryHint.newBuilder().setKind(RetryHint.Kind.KIND_SAME_COMMAND_ID).build();
    private static final RetryHint NEVER =
            RetryHint.newBuilder().setKind(RetryHint.Kind.KIND_NEVER).build();

    /** What a failure says about the command that failed. */
    enum Effect {
        /**
         * This attempt did nothing. It says nothing about earlier ones, not even where the room did not know the id (CMD-2): a
         * node that stood still may bring one to the room after that, and what was refused may run then (CMD-4).
         */
        NONE,
        /** This attempt may have done everything. */
        UNKNOWN
    }

    /** No connection could be made: nothing was sent. */
    static CallFailure connectFailed(SocketAddress server, Throwable cause) {
        return transport(
                GrpcStatus.UNAVAILABLE,
                RoomCallException.CONNECT_FAILED,
                "no connection to " + server + ": " + textOf(cause),
                Effect.NONE);
    }

    /** The connection or the stream ended before the answer. */
    static CallFailure connectionLost(SocketAddress server, Throwable cause) {
        return transport(
                GrpcStatus.UNAVAILABLE,
                RoomCallException.CONNECTION_LOST,
                server + " did not answer: " + textOf(cause),
                Effect.UNKNOWN);
    }

    /** No answer in time; without a stream nothing was sent. */
    static CallFailure timedOut(SocketAddress server, long timeoutMs, boolean sent) {
        return transport(
                GrpcStatus.DEADLINE_EXCEEDED,
                RoomCallException.ATTEMPT_TIMEOUT,
                server + " did not answer within " + timeoutMs + " ms",
                sent ? Effect.UNKNOWN : Effect.NONE);
    }

    /** An answer that cannot be read. */
    static CallFailure malformed(SocketAddress server, String what) {
        return transport(GrpcStatus.UNKNOWN, RoomCallException.MALFORMED_ANSWER, server + ": " + what, Effect.UNKNOWN);
    }

    /** The client was closed with the call under way. */
    static CallFailure closed() {
        return new CallFailure(
                GrpcStatus.CANCELLED,
                RoomCallException.CLIENT_CLOSED,
                "the client is closed",
                Optional.empty(),
                NEVER,
                Optional.empty(),
                Effect.NONE);
    }

    private static CallFailure transport(GrpcStatus status, String reason, String message, Effect effect) {
        return new CallFailure(status, reason, message, Optional.empty(), SAME_COMMAND_ID, Optional.empty(), effect);
    }

    private static String textOf(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    /** Reads the failure out of an answer that has ended with another status than OK. */
    static CallFailure of(GrpcClientResponse<?, ?> response) {
        GrpcStatus given = response.status();
        GrpcStatus status = given == null ? GrpcStatus.UNKNOWN : given;
        String encoded = response.trailers().get(DETAILS);
        if (encoded == null) {
            // An answer of trailers only has them where its headers would be.
            encoded = response.headers().get(DETAILS);
        }
        Status details = encoded == null ? null : details(encoded);
        return details == null ? withoutDetails(status, messageOf(response)) : of(status, details);
    }

    private static String messageOf(GrpcClientResponse<?, ?> response) {
        try {
            String message = response.statusMessage();
            return message == null ? "" : message;
        } catch (IllegalArgumentException e) {
            return "(its message is not percent-encoded)";
        }
    }

    private static @Nullable Status details(String encoded) {
        try {
            return Status.parseFrom(Base64.getDecoder().decode(encoded));
        } catch (IllegalArgumentException | InvalidProtocolBufferException e) {
            return null;
        }
    }

    /** What the transport or a proxy answered, or a method that is not offered. */
    private static CallFailure withoutDetails(GrpcStatus status, String message) {
        boolean retryable = retryable(status);
        return new CallFailure(
                status,
                status.name(),
                message,
                Optional.empty(),
                retryable ? SAME_COMMAND_ID : NEVER,
                Optional.empty(),
                retryable ? Effect.UNKNOWN : Effect.NONE);
    }

    private static boolean retryable(GrpcStatus status) {
        return switch (status) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, ABORTED, UNKNOWN, INTERNAL -> true;
            default -> false;
        };
    }

    static CallFailure of(GrpcStatus status, Status details) {
        String reason =
                detail(details, ErrorInfo.class).map(ErrorInfo::getReason).orElse("");
        RetryHint retry = detail(details, RetryHint.class)
                .filter(hint -> hint.getKind() != RetryHint.Kind.UNRECOGNIZED)
                .orElse(retryable(status) ? SAME_COMMAND_ID : NEVER);
        return new CallFailure(
                status,
                reason.isEmpty() ? status.name() : reason,
                details.getMessage(),
                detail(details, BadRequest.class)
                        .filter(bad -> bad.getFieldViolationsCount() > 0)
                        .map(bad -> bad.getFieldViolations(0).getField()),
                retry,
                detail(details, OwnerHint.class),
                effectOf(status, reason));
    }

    private static <T extends Message> Optional<T> detail(Status details, Class<T> type) {
        for (Any any : details.getDetailsList()) {
            if (any.is(type)) {
                try {
                    return Optional.of(any.unpack(type));
                } catch (InvalidProtocolBufferException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    private static Effect effectOf(GrpcStatus status, String reason) {
        return switch (reasonOf(reason)) {
            case ERROR_REASON_OUTCOME_UNKNOWN,
                    ERROR_REASON_OWNER_UNREACHABLE,
                    ERROR_REASON_REWARD_IN_PROGRESS,
                    ERROR_REASON_INTERNAL -> Effect.UNKNOWN;
            // A reason that is newer than this client, or none.
            case ERROR_REASON_UNSPECIFIED, UNRECOGNIZED -> retryable(status) ? Effect.UNKNOWN : Effect.NONE;
            default -> Effect.NONE;
        };
    }

    private static ErrorReason reasonOf(String name) {
        try {
            return ErrorReason.valueOf(REASON_PREFIX + name);
        } catch (IllegalArgumentException e) {
            return ErrorReason.UNRECOGNIZED;
        }
    }

    /** Whether the same call may be sent again. */
    boolean mayRetry() {
        return switch (retry.getKind()) {
            case KIND_SAME_COMMAND_ID, KIND_AFTER -> true;
            case KIND_UNSPECIFIED, KIND_NEVER, UNRECOGNIZED -> false;
        };
    }

    /** Whether another node may do better; else it would only lead back to the one that answered. */
    boolean elsewhere() {
        return switch (reasonOf(reason)) {
            case ERROR_REASON_NOT_OWNER, ERROR_REASON_OWNER_UNREACHABLE, ERROR_REASON_FENCED, ERROR_REASON_LEASE_LOST ->
                true;
            default -> blamesNode();
        };
    }

    /** Whether the node as a whole is of no use, and not just for this room. */
    boolean blamesNode() {
        return switch (reasonOf(reason)) {
            // UNRECOGNIZED: no word of the service at all.
            case ERROR_REASON_DRAINING, UNRECOGNIZED -> true;
            default -> false;
        };
    }
}
