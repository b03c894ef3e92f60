package dev.roomcell.adapter.tencent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** A request's body, of so many bytes at most: of more no byte is kept. */
final class BoundedBody {
    private final HttpServerRequest request;
    private final int most;
    private final Buffer read = Buffer.buffer();
    private final Promise<Buffer> whole = Promise.promise();

    BoundedBody(HttpServerRequest request, int most) {
        this.request = request;
        this.most = most;
    }

    /** The body; fails if it is too long, or not sent to its end. */
    Future<Buffer> read() {
        request.exceptionHandler(whole::tryFail);
        request.endHandler(end -> whole.tryComplete(read));
        request.handler(this::take);
        return whole.future();
    }

    private void take(Buffer part) {
        if (whole.future().isComplete()) {
            return;
        }
        if (read.length() + part.length() > most) {
            whole.tryFail(new IllegalArgumentException("more than " + most + " bytes"));
        } else {
            read.appendBuffer(part);
        }
    }
}
