package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.roomcell.proto.room.v1.OwnerHint;
import dev.roomcell.proto.room.v1.RetryHint;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 answer, and what it says in gRPC.
 *
 * @param httpStatus 200 for whatever gRPC itself answers
 * @param fields the headers and the trailers
 * @param body the bytes between them
 */
record RawAnswer(int httpStatus, MultiMap fields, Buffer body) {
    private static final int FRAME_HEAD_BYTES = 5;

    /** The gRPC status. */
    GrpcStatus status() {
        String code = fields.get("grpc-status");
        if (code == null) {
            throw new AssertionError("no grpc-status: " + this);
        }
        return GrpcStatus.valueOf(Integer.parseInt(code));
    }

    /** Throws an AssertionError with what is said instead, unless the call was done. */
    void assertOk() {
        assertThat(status()).as(message()).isEqualTo(GrpcStatus.OK);
    }

    /** What {@code grpc-message} says; empty if there is none. */
    String message() {
        String encoded = fields.get("grpc-message");
        // Percent-encoded, but a plus is a plus.
        return encoded == null ? "" : URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The bytes of the one message that was answered. */
    byte[] reply() {
        if (status() != GrpcStatus.OK || body.length() < FRAME_HEAD_BYTES) {
            throw new AssertionError("no reply: " + this);
        }
        return body.getBytes(FRAME_HEAD_BYTES, FRAME_HEAD_BYTES + body.getInt(1));
    }

    /** All that a caller can read in the details, or null without them. */
    @Nullable
    Status details() {
        String encoded = fields.get("grpc-status-details-bin");
        try {
            return encoded == null ? null : Status.parseFrom(Base64.getDecoder().decode(encoded));
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("unreadable details", e);
        }
    }

    String reason() {
        return detail(ErrorInfo.class).map(ErrorInfo::getReason).orElse("");
    }

    /** The field that was refused; empty if none is named. */
    String field() {
        return detail(BadRequest.class)
                .map(bad -> bad.getFieldViolations(0).getField())
                .orElse("");
    }

    /** What the reason is about; empty if it has nothing to add. */
    Map<String, String> metadata() {
        return detail(ErrorInfo.class).map(ErrorInfo::getMetadataMap).orElse(Map.of());
    }

    RetryHint.Kind retry() {
        return detail(RetryHint.class).map(RetryHint::getKind).orElse(RetryHint.Kind.KIND_UNSPECIFIED);
    }

    Optional<OwnerHint> owner() {
        return detail(OwnerHint.class);
    }

    private <T extends Message> Optional<T> detail(Class<T> type) {
        Status details = details();
        if (details == null) {
            return Optional.empty();
        }
        for (Any any : details.getDetailsList()) {
            if (any.is(type)) {
                try {
                    return Optional.of(any.unpack(type));
                } catch (InvalidProtocolBufferException e) {
                    throw new AssertionError("unreadable detail", e);
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return "HTTP " + httpStatus + " " + fields.entries() + " and " + body.length() + " bytes";
    }
}
