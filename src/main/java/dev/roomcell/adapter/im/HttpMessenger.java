package dev.roomcell.adapter.im;

import dev.roomcell.adapter.codec.MessageJson;
import dev.roomcell.port.RoomMessenger;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;

/**
 * Posts each message as JSON to one address, which is there for all rooms: the sink that shows what clients see where no
 * IM provider is. Any 2xx is success. Belongs to one event loop.
 */
public final class HttpMessenger implements RoomMessenger {
    /** Messages on their way at once; as many as the lane of a loop sends. */
    private static final int CONNECTIONS = 64;
    /** Messages that wait for a connection; one more fails. */
    private static final int WAITING = 64;

    private final SinkPost sink;

    /** A messenger of the calling event loop; nothing connects before the first message. */
    public HttpMessenger(Vertx vertx, URI sink) {
        this.sink = new SinkPost(vertx, sink, CONNECTIONS, WAITING);
    }

    @Override
    public Future<Void> send(Message message, long timeoutMs) {
        return sink.post(MessageJson.of(message), timeoutMs);
    }

    /** Closes every connection; what is on its way fails. */
    public Future<Void> close() {
        return sink.close();
    }
}
