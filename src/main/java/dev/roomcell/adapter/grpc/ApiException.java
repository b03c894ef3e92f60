package dev.roomcell.adapter.grpc;

/** Ends a call with an error that the caller made, or asked for. */
final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ApiError error;

    ApiException(ApiError error) {
        // No stack trace: it is an answer, and callers can make many.
        super(error.message(), null, false, false);
        this.error = error;
    }

    ApiError error() {
        return error;
    }
}
