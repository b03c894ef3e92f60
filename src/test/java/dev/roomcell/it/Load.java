package dev.roomcell.it;

import com.google.protobuf.MessageLite;
import dev.roomcell.check.Operation;
import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/**
 * Users who join and leave rooms again and again, each with one call at a time, and one watcher a room who reads its
 * version. Every call is noted as its client saw it. Users never meet, so each of their commands must make a version.
 */
final class Load {
    /** A call that is not answered by then has failed, with all its attempts. */
    private static final long CALL_MS = 60_000;

    private static final long ATTEMPT_MS = 2_000;
    private static final long FIRST_BACKOFF_MS = 10;
    private static final long MAX_BACKOFF_MS = 100;

    private final Vertx vertx;
    /** As many as there are nodes, each with another one as the first that it turns to. */
    private final List<RoomClient> clients = new ArrayList<>();

    private final long pauseMs;
    private final Map<RoomKey, RoomClient> clientOf = new ConcurrentHashMap<>();
    private final Map<RoomKey, Queue<Operation>> operations = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger retries = new AtomicInteger();
    private final List<Future<Void>> ended = new ArrayList<>();
    private volatile boolean stopping;

    private Load(Vertx vertx, String target, long pauseMs) {
        this.vertx = vertx;
        this.pauseMs = pauseMs;
        List<String> nodes = new ArrayList<>(List.of(target.split(",", -1)));
        for (int i = 0; i < nodes.size(); i++) {
            clients.add(RoomClient.create(
                    vertx,
                    RoomClientOptions.to(String.join(",", nodes))
                            .withTimeouts(CALL_MS, ATTEMPT_MS)
                            .withBackoff(FIRST_BACKOFF_MS, MAX_BACKOFF_MS)
                            .withRetryObserver(retried -> retries.incrementAndGet())));
            Collections.rotate(nodes, -1);
        }
    }

    /**
     * Creates the rooms, spread over the nodes, and begins.
     *
     * @param target addresses of nodes
     * @param users in each room
     * @param pauseMs of each user between two calls
     */
    static Load start(Vertx vertx, String target, List<RoomKey> rooms, int users, long pauseMs) {
        Load load = new Load(vertx, target, pauseMs);
        for (RoomKey room : rooms) {
            load.operations.put(room, new ConcurrentLinkedQueue<>());
            RoomClient client = load.clients.get(load.operations.size() % load.clients.size());
            load.clientOf.put(room, client);
            Await.result(load.note(
                    room,
                    "create",
                    client.createRoom(RoomCalls.create(room, "create"))
                            .map(created -> acknowledged(created.getResult().getRoomVersion(), created.getResult()))));
        }
        for (RoomKey room : rooms) {
            for (int i = 0; i < users; i++) {
                load.ended.add(load.new User(room, "user" + i).begin());
            }
            load.ended.add(load.new Watcher(room).begin());
        }
        return load;
    }

    private static Outcome acknowledged(long version, MessageLite result) {
        return new Outcome.Acknowledged(version, Operation.resultHash(result.toByteArray()));
    }

    private Future<Outcome> note(RoomKey room, String commandId, Future<Outcome> call) {
        long invokeNs = System.nanoTime();
        return call.otherwise(failure -> {
                    boolean unknown = !(failure instanceof RoomCallException known) || known.outcomeUnknown();
                    failures.add(room + " " + commandId + ": " + failure);
                    return unknown ? new Outcome.Unknown() : new Outcome.Refused();
                })
                .onSuccess(outcome -> noted(room)
                        .add(new Operation(room + commandId, room, commandId, invokeNs, System.nanoTime(), outcome)));
    }

    /** Makes one call after the other, until the load stops or a call fails. */
    private abstract class Caller {
        final RoomKey room;
        final RoomClient client;
        private final Promise<Void> over = Promise.promise();
        private int calls;

        Caller(RoomKey room) {
            this.room = room;
            this.client = Objects.requireNonNull(clientOf.get(room));
        }

        abstract String name();

        abstract Future<Outcome> call(String commandId);

        Future<Void> begin() {
            next();
            return over.future();
        }

        private void next() {
            if (stopping) {
                over.complete();
                return;
            }
            String commandId = name() + "-" + ++calls;
            note(room, commandId, call(commandId)).onSuccess(outcome -> {
                if (outcome instanceof Outcome.Acknowledged || outcome instanceof Outcome.Unchanged) {
                    vertx.setTimer(pauseMs, pause -> next());
                } else {
                    over.complete();
                }
            });
        }
    }

    private final class User extends Caller {
        private final String userId;
        private boolean present;

        User(RoomKey room, String userId) {
            super(room);
            this.userId = userId;
        }

        @Override
        String name() {
            return userId;
        }

        @Override
        Future<Outcome> call(String commandId) {
            Future<Outcome> call = present
                    ? client.leaveRoom(RoomCalls.leave(room, userId, commandId))
                            .map(left -> acknowledged(left.getResult().getRoomVersion(), left.getResult()))
                    : client.joinRoom(RoomCalls.join(room, userId, commandId))
                            .map(joined -> acknowledged(joined.getResult().getRoomVersion(), joined.getResult()));
            return call.onSuccess(done -> present = !present);
        }
    }

    private final class Watcher extends Caller {
        Watcher(RoomKey room) {
            super(room);
        }

        @Override
        String name() {
            return "watch";
        }

        @Override
        Future<Outcome> call(String commandId) {
            return client.getRoom(RoomCalls.get(room))
                    .map(found -> new Outcome.Unchanged(found.getRoom().getRoomVersion()));
        }
    }

    /** Commands acknowledged so far in a room. */
    long acknowledged(RoomKey room) {
        return operations(room).stream()
                .filter(operation -> operation.outcome() instanceof Outcome.Acknowledged)
                .count();
    }

    /** When the first command was acknowledged that was so after a moment of {@link System#nanoTime}; empty if none. */
    Optional<Long> firstAcknowledgedAfter(RoomKey room, long afterNs) {
        return acknowledgedAfter(room, afterNs).boxed().min(Long::compare);
    }

    /** The longest time between two acknowledgements in a room since a moment of {@link System#nanoTime}, ns. */
    long longestSilenceNs(RoomKey room, long sinceNs) {
        long longest = 0;
        long last = sinceNs;
        for (long returnNs : acknowledgedAfter(room, sinceNs).sorted().toArray()) {
            longest = Math.max(longest, returnNs - last);
            last = returnNs;
        }
        return longest;
    }

    private LongStream acknowledgedAfter(RoomKey room, long afterNs) {
        return operations(room).stream()
                .filter(operation -> operation.outcome() instanceof Outcome.Acknowledged)
                .mapToLong(Operation::returnNs)
                .filter(returnNs -> returnNs - afterNs > 0);
    }

    /** Waits until every room has acknowledged so many commands more. */
    void awaitMore(int commands) {
        Map<RoomKey, Long> before = new ConcurrentHashMap<>();
        operations.keySet().forEach(room -> before.put(room, acknowledged(room)));
        Await.until(
                commands + " more commands acknowledged in every room",
                () -> before.entrySet().stream()
                        .allMatch(room -> acknowledged(room.getKey()) >= room.getValue() + commands));
    }

    /** All calls of a room that are over. */
    Collection<Operation> operations(RoomKey room) {
        return noted(room);
    }

    private Queue<Operation> noted(RoomKey room) {
        Queue<Operation> noted = operations.get(room);
        if (noted == null) {
            throw new IllegalArgumentException("no load in " + room);
        }
        return noted;
    }

    Collection<RoomKey> rooms() {
        return operations.keySet();
    }

    /** Calls that failed for good; there should be none. */
    Collection<String> failures() {
        return failures;
    }

    /** Attempts that were followed by another. */
    int retries() {
        return retries.get();
    }

    /** Lets every call under way end, and makes no other. */
    void stop() {
        stopping = true;
        Await.result(Future.join(ended));
    }

    /** The client, for more calls. */
    RoomClient client() {
        return clients.get(0);
    }
}
