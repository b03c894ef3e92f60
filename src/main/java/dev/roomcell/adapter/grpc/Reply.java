package dev.roomcell.adapter.grpc;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a call comes to, on this node or another. */
sealed interface Reply {
    /** Faults are logged where they happen, whoever has asked. */
    Logger log = LoggerFactory.getLogger(Reply.class);

    /**
     * It is answered.
     *
     * @param message the response
     */
    record Ok(Buffer message) implements Reply {}

    /**
     * It failed, or was refused.
     *
     * @param error what the caller is told
     */
    record Failed(ApiError error) implements Reply {}

    /** What a method came to that fails with {@link ApiException}, or with a fault of ours; never fails. */
    static Future<Reply> of(String method, Future<Buffer> answer) {
        return answer.<Reply>map(Ok::new).otherwise(failure -> new Failed(errorOf(method, failure)));
    }

    private static ApiError errorOf(String method, Throwable failure) {
        if (failure instanceof ApiException answer) {
            return answer.error();
        }
        log.error("{} failed", method, failure);
        return ApiError.internal();
    }
}
