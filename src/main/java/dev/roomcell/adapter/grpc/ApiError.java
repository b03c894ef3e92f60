package dev.roomcell.adapter.grpc;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.roomcell.port.Peer;
import dev.roomcell.proto.room.v1.OwnerHint;
import dev.roomcell.proto.room.v1.RetryHint;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * An error as callers see it; the same wherever the command ran.
 *
 * @param status the gRPC status
 * @param reason the stable reason, a name of {@code room.v1.ErrorReason} without its prefix
 * @param message what was wrong and what to do, for the caller's log
 * @param retry whether and how to try again
 * @param owner who owns the room, where that is known
 * @param field the request's field that was wrong; empty if none
 * @param metadata what the reason is about, for machines; each reason's comment in errors.proto names its keys
 */
record ApiError(
        GrpcStatus status,
        String reason,
        String message,
        RetryHint retry,
        Optional<Peer> owner,
        String field,
        Map<String, String> metadata) {
    /** The domain of {@code google.rpc.ErrorInfo}. */
    static final String DOMAIN = "room-service";

    /** The trailer that carries the details. */
    static final String DETAILS_TRAILER = "grpc-status-details-bin";

    static final RetryHint NEVER =
            RetryHint.newBuilder().setKind(RetryHint.Kind.KIND_NEVER).build();

    static final RetryHint SAME_COMMAND_ID =
            RetryHint.newBuilder().setKind(RetryHint.Kind.KIND_SAME_COMMAND_ID).build();

    static RetryHint after(long ms) {
        return RetryHint.newBuilder()
                .setKind(RetryHint.Kind.KIND_AFTER)
                .setAfterMs(ms)
                .build();
    }

    static ApiError of(GrpcStatus status, String reason, String message, RetryHint retry) {
        return new ApiError(status, reason, message, retry, Optional.empty(), "", Map.of());
    }

    static ApiError invalidField(String field, String message) {
        return new ApiError(
                GrpcStatus.INVALID_ARGUMENT,
                "INVALID_FIELD",
                field + ": " + message,
                NEVER,
                Optional.empty(),
                field,
                Map.of());
    }

    static ApiError unimplemented(String what) {
        return of(GrpcStatus.UNIMPLEMENTED, "UNIMPLEMENTED", what + " is not available in this version", NEVER);
    }

    /** The same error with more to say to machines. */
    ApiError about(Map<String, String> details) {
        return new ApiError(status, reason, message, retry, owner, field, details);
    }

    /** A fault of ours: the caller learns that, and nothing else. */
    static ApiError internal() {
        return of(GrpcStatus.INTERNAL, "INTERNAL", "a fault of the service; its log has more", NEVER);
    }

    static OwnerHint ownerHint(Peer owner) {
        return OwnerHint.newBuilder()
                .setNodeId(owner.nodeId())
                .setAdvertiseAddr(owner.advertiseAddr())
                .build();
    }

    /** The value of {@link #DETAILS_TRAILER}. */
    String details() {
        Status.Builder details = Status.newBuilder()
                .setCode(status.code)
                .setMessage(message)
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason(reason)
                        .setDomain(DOMAIN)
                        .putAllMetadata(metadata)
                        .build()))
                .addDetails(Any.pack(retry));
        owner.ifPresent(hint -> details.addDetails(Any.pack(ownerHint(hint))));
        if (!field.isEmpty()) {
            details.addDetails(Any.pack(BadRequest.newBuilder()
                    .addFieldViolations(BadRequest.FieldViolation.newBuilder()
                            .setField(field)
                            .setDescription(message))
                    .build()));
        }
        return Base64.getEncoder()
                .withoutPadding()
                .encodeToString(details.build().toByteArray());
    }
}
