package dev.roomcell.adapter.im;

import dev.roomcell.adapter.codec.MessageJson;
import dev.roomcell.port.RoomMessenger;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Posts messages as JSON to one address, which is there for all rooms: the sink that shows what clients see where no IM
 * provider is. What is sent in one turn of the loop goes together, as an array in the order of sending; any 2xx is success
 * for all of it, and anything else a failure for all of it. Belongs to one event loop.
 */
public final class HttpMessenger implements RoomMessenger {
    /** Posts on their way at once; a lane sends no more than so many messages. */
    private static final int CONNECTIONS = 64;
    /** Posts that wait for a connection; one more fails. */
    private static final int WAITING = 64;
    /** A post is closed when it has so many messages. */
    private static final int MESSAGES_OF_A_POST = 64;
    /** A post is closed when it is so long, in characters. */
    private static final int LONG_POST_CHARS = 128 * 1024;

    private final Context loop;
    private final SinkPost sink;
    /** What goes with the next post. */
    private List<Sent> gathered = new ArrayList<>();

    private int gatheredChars;

    /** A messenger of the calling event loop; nothing connects before the first message. */
    public HttpMessenger(Vertx vertx, URI sink) {
        this.loop = vertx.getOrCreateContext();
        this.sink = new SinkPost(vertx, sink, CONNECTIONS, WAITING);
    }

    private record Sent(String json, long timeoutMs, Promise<Void> arrived) {}

    @Override
    public Future<Void> send(Message message, long timeoutMs) {
        Sent sent = new Sent(MessageJson.of(message), timeoutMs, Promise.promise());
        if (gathered.isEmpty()) {
            List<Sent> mine = gathered;
            loop.runOnContext(turned -> {
                if (mine == gathered) {
                    post();
                }
            });
        }
        gathered.add(sent);
        gatheredChars += sent.json.length();
        if (gathered.size() == MESSAGES_OF_A_POST || gatheredChars >= LONG_POST_CHARS) {
            post();
        }
        return sent.arrived.future();
    }

    private void post() {
        List<Sent> together = gathered;
        gathered = new ArrayList<>();
        gatheredChars = 0;
        String json = together.stream().map(Sent::json).collect(Collectors.joining(",", "[", "]"));
        long timeoutMs = together.stream().mapToLong(Sent::timeoutMs).min().orElseThrow();
        sink.post(json, timeoutMs).onComplete(posted -> together.forEach(sent -> sent.arrived.handle(posted)));
    }

    /** Closes every connection; what is on its way fails. */
    public Future<Void> close() {
        return sink.close();
    }
}
