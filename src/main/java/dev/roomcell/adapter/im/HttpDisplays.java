package dev.roomcell.adapter.im;

import dev.roomcell.adapter.codec.MessageJson;
import dev.roomcell.port.RobotDisplays;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;

/**
 * Posts what robots show, as JSON, to the sink that takes the messages too; on connections of its own, so that no message
 * waits for a display (LANE-5). Any 2xx is success. Belongs to one event loop.
 */
public final class HttpDisplays implements RobotDisplays {
    /** Displays on their way at once; as many as the publisher of a loop sends. */
    private static final int CONNECTIONS = 16;
    /** Displays that wait for a connection; one more fails. */
    private static final int WAITING = 16;

    private final SinkPost sink;

    /** Of the calling event loop; nothing connects before the first display. */
    public HttpDisplays(Vertx vertx, URI sink) {
        this.sink = new SinkPost(vertx, sink, CONNECTIONS, WAITING);
    }

    @Override
    public Future<Void> show(Display display, long timeoutMs) {
        return sink.post(MessageJson.of(display), timeoutMs);
    }

    /** Closes every connection; what is on its way fails. */
    public Future<Void> close() {
        return sink.close();
    }
}
