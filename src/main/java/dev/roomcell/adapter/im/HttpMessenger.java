package dev.roomcell.adapter.im;

import dev.roomcell.adapter.codec.MessageJson;
import dev.roomcell.port.RoomMessenger;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts messages as JSON to one address, which is there for all rooms: the sink that shows what clients see where no IM
 * provider is. What is sent in one turn of the loop goes together, as an array in the order of sending; any 2xx is success
 * for all of it, and anything else a failure for all of it. Belongs to one event loop.
 */
public final class HttpMessenger implements RoomMessenger {
    private static final Logger log = LoggerFactory.getLogger(HttpMessenger.class);
    /** Posts on their way at once; a lane sends no more than so many messages. */
    private static final int CONNECTIONS = 64;
    /** Posts that wait for a connection; one more fails. */
    private static final int WAITING = 64;
    /**
     * The most messages of a post: fewer than the failures in a row after which a lane takes the other side for down, and a
     * part of what it has on its way, so that one post that is stuck leaves it places for other rooms.
     */
    private static final int MESSAGES_OF_A_POST = 12;
    /** The most characters of a post; a longer message goes alone. */
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

    private record Sent(String json, long timeoutMs, Promise<Void> arrived) {
        /** One message's fault is not the next one's: whatever its end sets off, the others have theirs. */
        void end(AsyncResult<Void> posted) {
            try {
                arrived.handle(posted);
            } catch (RuntimeException fault) {
                log.error("what follows a message failed", fault);
            }
        }
    }

    @Override
    public Future<Void> send(Message message, long timeoutMs) {
        Sent sent = new Sent(MessageJson.of(message), timeoutMs, Promise.promise());
        if (!gathered.isEmpty() && gatheredChars + sent.json.length() > LONG_POST_CHARS) {
            post();
        }
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
        if (gathered.size() == MESSAGES_OF_A_POST) {
            post();
        }
        return sent.arrived.future();
    }

    private void post() {
        List<Sent> together = taken();
        String json = together.stream().map(Sent::json).collect(Collectors.joining(",", "[", "]"));
        long timeoutMs = together.stream().mapToLong(Sent::timeoutMs).min().orElseThrow();
        // A client that is closed throws.
        Future.<Void>succeededFuture()
                .compose(begun -> sink.post(json, timeoutMs))
                .onComplete(posted -> together.forEach(sent -> sent.end(posted)));
    }

    private List<Sent> taken() {
        List<Sent> together = gathered;
        gathered = new ArrayList<>();
        gatheredChars = 0;
        return together;
    }

    /** Closes every connection; what is on its way, or about to be, fails. */
    public Future<Void> close() {
        Future<Void> closed = Future.failedFuture(new IllegalStateException("closed"));
        taken().forEach(sent -> sent.end(closed));
        return sink.close();
    }
}
