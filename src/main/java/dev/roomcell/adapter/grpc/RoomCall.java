package dev.roomcell.adapter.grpc;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.function.LongFunction;

/**
 * A call that concerns one room, read and ready: to run here, or to be sent to the room's owner as it came.
 *
 * @param method its full name
 * @param request the request's bytes
 * @param key which room
 * @param changes whether it may change the room; whoever does not hear its answer then does not know
 * @param here runs it on this node, within so many ms
 */
record RoomCall(String method, Buffer request, RoomKey key, boolean changes, LongFunction<Future<Buffer>> here) {

    Future<Reply> runHere(long timeoutMs) {
        try {
            return Reply.of(method, here.apply(timeoutMs));
        } catch (RuntimeException refused) {
            return Reply.of(method, Future.failedFuture(refused));
        }
    }
}
