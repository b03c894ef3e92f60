package dev.roomcell.adapter.im;

import dev.roomcell.adapter.codec.MessageJson;
import dev.roomcell.port.UserNotices;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;

/**
 * Posts what single users are told, as JSON, to the sink that takes the messages to rooms too; on connections of its own. Any
 * 2xx is success. Belongs to one event loop.
 */
public final class HttpNotices implements UserNotices {
    /** Notices on their way at once; as many as are sent. */
    private static final int CONNECTIONS = 8;
    /** Notices that wait for a connection; one more fails. */
    private static final int WAITING = 8;

    private final SinkPost sink;

    /** Of the calling event loop; nothing connects before the first notice. */
    public HttpNotices(Vertx vertx, URI sink) {
        this.sink = new SinkPost(vertx, sink, CONNECTIONS, WAITING);
    }

    @Override
    public Future<Void> tell(LateReward reward, long timeoutMs) {
        return sink.post(MessageJson.of(reward), timeoutMs);
    }

    /** Closes every connection; what is on its way fails. */
    public Future<Void> close() {
        return sink.close();
    }
}
