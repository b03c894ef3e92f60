package dev.roomcell.adapter.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.port.Peer;
import dev.roomcell.proto.internal.v1.PeerError;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An error on its way from one node to another: at the far end it is what it was. */
final class PeerErrors {
    private static final Logger log = LoggerFactory.getLogger(PeerErrors.class);

    private PeerErrors() {}

    static byte[] encode(ApiError error) {
        PeerError.Builder encoded = PeerError.newBuilder()
                .setStatus(error.status().code)
                .setReason(error.reason())
                .setMessage(error.message())
                .setRetry(error.retry())
                .setField(error.field())
                .putAllMetadata(error.metadata());
        error.owner().ifPresent(owner -> encoded.setOwner(ApiError.ownerHint(owner)));
        return encoded.build().toByteArray();
    }

    /** What this node can't read is no answer of the owner's: as far as this node knows, a fault. */
    static ApiError decode(byte[] encoded) {
        try {
            PeerError error = PeerError.parseFrom(encoded);
            GrpcStatus status = GrpcStatus.valueOf(error.getStatus());
            if (status != null && status != GrpcStatus.OK) {
                return new ApiError(
                        status,
                        error.getReason(),
                        error.getMessage(),
                        error.getRetry(),
                        error.hasOwner()
                                ? Optional.of(new Peer(
                                        error.getOwner().getNodeId(),
                                        error.getOwner().getAdvertiseAddr()))
                                : Optional.empty(),
                        error.getField(),
                        Map.copyOf(error.getMetadataMap()));
            }
            log.error("a peer's error has the status {}", error.getStatus());
        } catch (InvalidProtocolBufferException e) {
            log.error("a peer's error can't be read", e);
        }
        return ApiError.internal();
    }
}
