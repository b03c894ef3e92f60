package dev.roomcell.it;

import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.it.PartyRecord.Ending;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Guests in many rooms who do whatever the API offers, against all nodes, with a bounded pace. Every call is noted as its
 * client saw it.
 */
final class PartyLoad {
    private static final long DEADLINE_MS = 15_000;
    private static final long ATTEMPT_MS = 1_500;
    private static final long FIRST_BACKOFF_MS = 20;
    private static final long MAX_BACKOFF_MS = 250;
    private static final int HOT_GUESTS = 14;
    private static final int GUESTS = 4;

    private final Vertx vertx;
    private final List<String> seeds;
    private final int pauseMs;
    private final PartyRooms rooms = new PartyRooms();
    private final PartyRecord record = new PartyRecord();
    private final PartyReads reads = new PartyReads(record);
    private final Strangers strangers;
    private final List<Future<Void>> ended = new ArrayList<>();
    private final AtomicInteger extraCalls = new AtomicInteger();
    private volatile boolean stopping;

    private PartyLoad(Vertx vertx, List<String> seeds, int pauseMs) {
        this.vertx = vertx;
        this.seeds = seeds;
        this.pauseMs = pauseMs;
        this.strangers = new Strangers(seeds.size(), this::client);
    }

    /**
     * Begins.
     *
     * @param addresses of the nodes
     * @param pauseMs the mean pause of a guest between two calls
     */
    static PartyLoad start(Vertx vertx, List<String> addresses, long seed, int pauseMs) {
        PartyLoad load = new PartyLoad(vertx, addresses, pauseMs);
        List<RoomClient> clients = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            clients.add(load.client(i));
        }
        Random dice = new Random(seed);
        for (int place = 0; place < PartyRooms.places(); place++) {
            int guests = PartyRooms.isHot(place) ? HOT_GUESTS : GUESTS;
            for (int number = 0; number < guests; number++) {
                RoomClient client = clients.get((place + number) % clients.size());
                load.ended.add(
                        new PartyGuest(load, client, place, number, guests, new Random(dice.nextLong())).begin());
            }
        }
        return load;
    }

    /** Waits until every place has a room. */
    void awaitRooms() {
        for (RoomKey room : rooms.open()) {
            Await.until(
                    room + " is made",
                    () -> record.tried(room).stream().anyMatch(command -> command.ending() instanceof Ending.Done));
        }
    }

    /** A client that begins with the given node, and tries the others when that is of no use. */
    private RoomClient client(int firstNode) {
        return RoomClient.create(
                vertx, options(firstNode).withTimeouts(DEADLINE_MS, ATTEMPT_MS).withRetryObserver(record::retried));
    }

    private RoomClientOptions options(int firstNode) {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < seeds.size(); i++) {
            order.add(seeds.get((firstNode + i) % seeds.size()));
        }
        return RoomClientOptions.to(String.join(",", order)).withBackoff(FIRST_BACKOFF_MS, MAX_BACKOFF_MS);
    }

    /** A client for looks of its own, with which a call takes {@code deadlineMs} at most and an attempt a share of it. */
    RoomClient impatientClient(long deadlineMs) {
        return RoomClient.create(vertx, options(0).withTimeouts(deadlineMs, deadlineMs / 4));
    }

    /** Sends a command once more, by a client that mostly does not know the room's owner. */
    void sendAgain(RoomKey room, String commandId, RoomCommand command, PartyCall<?, ?> call) {
        if (stopping) {
            return;
        }
        extraCalls.incrementAndGet();
        long invokeNs = System.nanoTime();
        strangers
                .send(call)
                .onSuccess(answer -> record.told(room, commandId, command, invokeNs, answer))
                .onFailure(failure -> record.failed(room, commandId, command, invokeNs, failure))
                .onComplete(over -> extraCalls.decrementAndGet());
    }

    void later(long ms, Runnable action) {
        vertx.setTimer(Math.max(1, ms), due -> action.run());
    }

    PartyRooms rooms() {
        return rooms;
    }

    PartyRecord record() {
        return record;
    }

    PartyReads reads() {
        return reads;
    }

    int pauseMs() {
        return pauseMs;
    }

    boolean stopping() {
        return stopping;
    }

    /** Lets every call under way end, and makes no other. */
    void stop() {
        stopping = true;
        Await.result(Future.join(ended));
        Await.until("the extra calls are over", () -> extraCalls.get() == 0);
    }
}
