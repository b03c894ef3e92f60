package dev.roomcell.adapter.grpc;

import dev.roomcell.cell.Answer;
import dev.roomcell.domain.Rejection;
import dev.roomcell.proto.room.v1.RetryHint;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Map;

/** The one table of how an answer that is no success looks in gRPC. */
final class ErrorTable {
    /** How long a room takes to be created, about, ms. */
    private static final long CREATING_PAUSE_MS = 200;
    /** How long a full queue takes to empty, or a server to come back, at least, ms. */
    private static final long BUSY_PAUSE_MS = 100;

    private ErrorTable() {}

    static ApiError of(Rejection rejection) {
        return switch (rejection.reason()) {
            case ROOM_NOT_FOUND, SEAT_NOT_FOUND -> no(GrpcStatus.NOT_FOUND, rejection, ApiError.NEVER);
            case ROOM_CLOSED,
                    ROOM_EXISTS,
                    NOT_PRESENT,
                    SEAT_LOCKED,
                    SEAT_OCCUPIED,
                    ALREADY_ON_SEAT,
                    NOT_ON_SEAT,
                    MIC_SESSION_STALE,
                    CHAT_DISABLED,
                    INSUFFICIENT_BALANCE,
                    GIFT_UNAVAILABLE,
                    GIFT_VOIDED,
                    RECEIVER_GONE -> no(GrpcStatus.FAILED_PRECONDITION, rejection, ApiError.NEVER);
            case ROOM_CREATING -> no(GrpcStatus.FAILED_PRECONDITION, rejection, ApiError.after(CREATING_PAUSE_MS));
            case ROOM_FULL, LIMIT_REACHED -> no(GrpcStatus.RESOURCE_EXHAUSTED, rejection, ApiError.NEVER);
            case INVALID_FIELD -> no(GrpcStatus.INVALID_ARGUMENT, rejection, ApiError.NEVER);
            case BANNED, NEED_OWNER, NEED_ADMIN, TARGET_PROTECTED, MUTED ->
                no(GrpcStatus.PERMISSION_DENIED, rejection, ApiError.NEVER);
        };
    }

    private static ApiError no(GrpcStatus status, Rejection rejection, RetryHint retry) {
        return ApiError.of(status, rejection.reason().name(), rejection.message(), retry)
                .about(rejection.details().toJavaMap());
    }

    static ApiError of(Answer.Refused refused) {
        GrpcStatus status = switch (refused.refusal()) {
            case NOT_OWNER,
                    FENCED,
                    LEASE_LOST,
                    DRAINING,
                    LOADING,
                    OVERLOADED,
                    STORE_UNAVAILABLE,
                    OWNER_UNREACHABLE,
                    OUTCOME_UNKNOWN,
                    REWARD_IN_PROGRESS -> GrpcStatus.UNAVAILABLE;
            case COMMAND_ID_CONFLICT -> GrpcStatus.FAILED_PRECONDITION;
            case INTERNAL -> GrpcStatus.INTERNAL;
        };
        RetryHint retry = switch (refused.refusal()) {
            case OVERLOADED, LOADING, STORE_UNAVAILABLE -> ApiError.after(BUSY_PAUSE_MS);
            case COMMAND_ID_CONFLICT, INTERNAL -> ApiError.NEVER;
            case NOT_OWNER, FENCED, LEASE_LOST, DRAINING, OWNER_UNREACHABLE, OUTCOME_UNKNOWN, REWARD_IN_PROGRESS ->
                ApiError.SAME_COMMAND_ID;
        };
        return new ApiError(status, refused.refusal().name(), refused.message(), retry, refused.owner(), "", Map.of());
    }
}
