package dev.roomcell.adapter.tencent;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ChatGuard;
import dev.roomcell.port.ChatGuard.Verdict;
import dev.roomcell.port.ExternalRooms;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what is said in a room's group: as the room's owner says, from its memory. Which room a group is never changes, so
 * the database is asked for it once. Belongs to one event loop.
 */
public final class ChatGate {
    private static final Logger log = LoggerFactory.getLogger(ChatGate.class);
    private static final int KNOWN_GROUPS = 20_000;

    private final Context loop;
    private final ExternalRooms rooms;
    private final ChatGuard guard;
    private final String administrator;
    private final long deadlineMs;

    /** The rooms of the groups that were spoken in last. */
    private final Map<String, RoomKey> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RoomKey> eldest) {
            return size() > KNOWN_GROUPS;
        }
    };

    /** What a message is answered with. */
    enum Outcome {
        ALLOWED,
        ROOM_CLOSED,
        BANNED,
        NOT_PRESENT,
        MUTED,
        CHAT_DISABLED,
        /** Not decided in time. */
        UNDECIDED,
        /** Our own, sent through the REST API. */
        OUR_OWN,
        /** The group is no room's. */
        OTHER_GROUP
    }

    /**
     * A gate of {@code loop}.
     *
     * @param administrator who sends our own messages
     * @param deadlineMs how long a decision may take, ms
     */
    public ChatGate(Context loop, ExternalRooms rooms, ChatGuard guard, String administrator, long deadlineMs) {
        this.loop = loop;
        this.rooms = rooms;
        this.guard = guard;
        this.administrator = administrator;
        this.deadlineMs = deadlineMs;
    }

    /**
     * Whether the message may be sent; in time, and never fails.
     *
     * @param byRest whether it came through the REST API
     */
    Future<Outcome> decide(ChatCallback message, boolean byRest) {
        String caller = message.operatorAccount().isEmpty() ? message.fromAccount() : message.operatorAccount();
        if (byRest && caller.equals(administrator)) {
            return Future.succeededFuture(Outcome.OUR_OWN);
        }
        return onLoop(room(message.groupId())
                        .compose(room -> room.isEmpty()
                                ? Future.succeededFuture(Outcome.OTHER_GROUP)
                                : onLoop(guard.maySpeak(room.get(), message.fromAccount(), deadlineMs))
                                        .map(ChatGate::outcome))
                        .timeout(deadlineMs, TimeUnit.MILLISECONDS))
                .otherwise(failure -> {
                    if (!(failure instanceof TimeoutException)) {
                        log.warn("a message in {} was not judged: {}", message.groupId(), failure.toString());
                    }
                    return Outcome.UNDECIDED;
                });
    }

    /** Whichever thread completes it. */
    private <T> Future<T> onLoop(Future<T> future) {
        Promise<T> here = Promise.promise();
        future.onComplete(result -> loop.runOnContext(now -> here.handle(result)));
        return here.future();
    }

    private Future<Optional<RoomKey>> room(String groupId) {
        RoomKey room = known.get(groupId);
        if (room != null) {
            return Future.succeededFuture(Optional.of(room));
        }
        return onLoop(rooms.find(groupId)).map(found -> {
            found.ifPresent(there -> known.put(groupId, there.key()));
            return found.map(ExternalRooms.Found::key);
        });
    }

    private static Outcome outcome(Verdict verdict) {
        return switch (verdict) {
            case ALLOWED -> Outcome.ALLOWED;
            case ROOM_CLOSED -> Outcome.ROOM_CLOSED;
            case BANNED -> Outcome.BANNED;
            case NOT_PRESENT -> Outcome.NOT_PRESENT;
            case MUTED -> Outcome.MUTED;
            case CHAT_DISABLED -> Outcome.CHAT_DISABLED;
            case UNDECIDED -> Outcome.UNDECIDED;
        };
    }
}
