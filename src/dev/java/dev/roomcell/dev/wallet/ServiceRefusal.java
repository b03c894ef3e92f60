package dev.roomcell.dev.wallet;

import io.vertx.grpc.common.GrpcStatus;
import java.nio.charset.StandardCharsets;

/** A call that is refused: nothing has happened. */
public final class ServiceRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final GrpcStatus status;

    private ServiceRefusal(GrpcStatus status, String message) {
        super(message);
        this.status = status;
    }

    static ServiceRefusal conflict(String key) {
        return new ServiceRefusal(GrpcStatus.FAILED_PRECONDITION, "the key " + key + " names something else");
    }

    static ServiceRefusal tooMuch(String userId) {
        return new ServiceRefusal(GrpcStatus.OUT_OF_RANGE, "the balance of " + userId + " would be above 2^63-1");
    }

    static ServiceRefusal busy() {
        return new ServiceRefusal(GrpcStatus.UNAVAILABLE, "too many calls are waiting");
    }

    static void requireText(String field, String value, int maxBytes) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > maxBytes) {
            throw new ServiceRefusal(GrpcStatus.INVALID_ARGUMENT, field + " must have 1.." + maxBytes + " bytes");
        }
    }

    static void requirePositive(String field, long value) {
        if (value < 1) {
            throw new ServiceRefusal(GrpcStatus.INVALID_ARGUMENT, field + " must be at least 1");
        }
    }

    /** How it is answered. */
    public GrpcStatus status() {
        return status;
    }
}
