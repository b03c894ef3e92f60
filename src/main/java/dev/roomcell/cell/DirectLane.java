package dev.roomcell.cell;

import dev.roomcell.domain.DeliveryLane;
import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.RoomMessenger.Message;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the clients of a loop's rooms what was committed (LANE-2), in (version, index) order, one message of a room at a
 * time. Best effort: a message that fails, waits too long or finds no place is not sent, and no command ever waits for
 * one. What was committed here is still told when the cell has gone; for a few seconds at most, as it ages.
 *
 * <p>A message that was given up may still arrive, behind those that were sent after it.
 */
final class DirectLane {
    private static final Logger log = LoggerFactory.getLogger(DirectLane.class);

    /** How long one message may take to be sent, ms. */
    static final long SEND_MS = 2_000;
    /** A message that has waited so long is not sent any more, ms. */
    static final long OLDEST_MS = 5_000;
    /** After so many failures in a row there is a pause: the other side is down. */
    static final int FAILURES_IN_A_ROW = 16;
    /** How long a node that shuts down waits for the last messages, ms. */
    static final long SHUTDOWN_MS = 2_000;

    private static final long SHORTEST_PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 2_000;

    private final CellLoop loop;
    private final RoomClock clock;
    private final RoomMessenger messenger;
    private final LaneMeter meter;
    private final Limits limits;
    private final Map<RoomKey, MessageQueue> rooms = new HashMap<>();
    /** Rooms with a message to send and none in flight, each once, in the order in which they came to wait. */
    private final ArrayDeque<MessageQueue> ready = new ArrayDeque<>();

    private int waiting;
    private int inFlight;
    private boolean pumpComes;
    private boolean paused;
    private int failuresInARow;
    private long pauseMs = SHORTEST_PAUSE_MS;
    private final Promise<Void> empty = Promise.promise();
    private boolean shuttingDown;
    private boolean closed;

    /**
     * What may wait, and be on its way.
     *
     * @param messagesOfARoom messages that wait for one room; when it is one more, the oldest of the lowest priority
     *     goes
     * @param messages messages that wait on this loop
     * @param sends messages on their way at once, each of another room
     */
    record Limits(int messagesOfARoom, int messages, int sends) {
        static final Limits USUAL = new Limits(256, 65_536, 64);
    }

    DirectLane(CellLoop loop, CellPorts ports, Limits limits) {
        this.loop = loop;
        this.clock = ports.clock();
        this.messenger = ports.messenger();
        this.meter = ports.laneMeter();
        this.limits = limits;
    }

    /** These rows are durable, and follow those given before. Never fails, and sends nothing before it returns. */
    void committed(RoomKey key, List<LogRow> rows) {
        try {
            enqueue(key, rows);
        } catch (RuntimeException fault) {
            // The room is right, whatever its clients see.
            log.error("room {}: its clients are not told of {} versions", key, rows.size(), fault);
            drop(LaneMeter.Drop.FAULT, rows);
        }
    }

    private void drop(LaneMeter.Drop reason, List<LogRow> rows) {
        meter.dropped(reason, rows.stream().mapToInt(row -> row.facts().size()).sum());
    }

    private void enqueue(RoomKey key, List<LogRow> rows) {
        if (!messenger.isConnected()) {
            drop(LaneMeter.Drop.NOT_CONNECTED, rows);
            return;
        }
        if (closed) {
            drop(LaneMeter.Drop.SHUTDOWN, rows);
            return;
        }
        MessageQueue room = rooms.computeIfAbsent(key, first -> new MessageQueue());
        long tooOldAtMs = clock.monotonicMs() + OLDEST_MS;
        for (LogRow row : rows) {
            for (Fact fact : row.facts()) {
                RoomEvent.Type type = RoomEvent.Type.valueOf(fact.type());
                if (!DeliveryLane.coalesced(type)) {
                    add(room, new Message(key, row.version(), fact), DeliveryLane.priorityOf(type), tooOldAtMs);
                }
            }
        }
        ready(key, room);
    }

    /** What has come together in a room, at a version, for its clients alone (LANE-1). Never fails. */
    void tell(RoomKey key, long version, Fact fact) {
        if (!messenger.isConnected() || closed) {
            meter.dropped(closed ? LaneMeter.Drop.SHUTDOWN : LaneMeter.Drop.NOT_CONNECTED, 1);
            return;
        }
        MessageQueue room = rooms.computeIfAbsent(key, first -> new MessageQueue());
        add(room, new Message(key, version, fact), Priority.LOW, clock.monotonicMs() + OLDEST_MS);
        ready(key, room);
    }

    private void ready(RoomKey key, MessageQueue room) {
        makeReady(key, room);
        if (!pumpComes) {
            pumpComes = true;
            loop.execute(this::pump);
        }
    }

    private void add(MessageQueue room, Message message, Priority priority, long tooOldAtMs) {
        room.add(message, priority, tooOldAtMs);
        waiting++;
        if (room.size() > limits.messagesOfARoom() || waiting > limits.messages()) {
            room.dropLeast();
            waiting--;
            meter.dropped(LaneMeter.Drop.QUEUE_FULL, 1);
        }
    }

    private void makeReady(RoomKey key, MessageQueue room) {
        if (room.isBusy()) {
            return;
        }
        if (room.size() > 0) {
            room.setBusy(true);
            ready.addLast(room);
            return;
        }
        rooms.remove(key);
        if (rooms.isEmpty() && shuttingDown) {
            empty.tryComplete();
        }
    }

    private void pump() {
        pumpComes = false;
        while (!paused && !closed && inFlight < limits.sends() && !ready.isEmpty()) {
            MessageQueue room = ready.removeFirst();
            MessageQueue.Waiting next = room.removeFirst();
            waiting--;
            if (next.tooOldAtMs() <= clock.monotonicMs()) {
                meter.dropped(LaneMeter.Drop.TOO_OLD, 1);
                room.setBusy(false);
                makeReady(next.message().key(), room);
            } else {
                new Sending(room, next.message()).begin();
            }
        }
    }

    /** What became of a message that was sent. */
    private enum Fate {
        SENT,
        /** The other side is there, and did not want it (B111). */
        DROPPED,
        FAILED
    }

    /** One message on its way. */
    private final class Sending {
        private final MessageQueue room;
        private final Message message;
        private boolean over;

        Sending(MessageQueue room, Message message) {
            this.room = room;
            this.message = message;
        }

        void begin() {
            inFlight++;
            CellLoop.Cancellable deadline = loop.schedule(SEND_MS, () -> end(Fate.FAILED, "no answer in time"));
            Future<Void> sent = Future.<Void>succeededFuture().compose(begun -> messenger.send(message, SEND_MS));
            loop.reenter(sent).onComplete(result -> {
                deadline.cancel();
                end(fate(result.cause()), String.valueOf(result.cause()));
            });
        }

        private static Fate fate(@Nullable Throwable failure) {
            if (failure == null) {
                return Fate.SENT;
            }
            return failure instanceof RoomMessenger.DroppedException ? Fate.DROPPED : Fate.FAILED;
        }

        private void end(Fate fate, String why) {
            if (over) {
                return;
            }
            over = true;
            inFlight--;
            switch (fate) {
                case SENT -> {
                    meter.sent();
                    answered();
                }
                case DROPPED -> {
                    meter.dropped(LaneMeter.Drop.BY_PROVIDER, 1);
                    answered();
                }
                case FAILED -> {
                    meter.failed();
                    failed();
                }
            }
            if (fate != Fate.SENT) {
                log.debug("room {}: version {} not told: {}", message.key(), message.version(), why);
            }
            room.setBusy(false);
            makeReady(message.key(), room);
            pump();
        }
    }

    private void answered() {
        failuresInARow = 0;
        pauseMs = SHORTEST_PAUSE_MS;
    }

    /** When the other side is down, nothing is gained by trying it for every message. */
    private void failed() {
        failuresInARow++;
        if (failuresInARow < FAILURES_IN_A_ROW || paused) {
            return;
        }
        log.warn("{} messages in a row did not reach their rooms; a pause of {} ms", failuresInARow, pauseMs);
        paused = true;
        loop.schedule(pauseMs, () -> {
            paused = false;
            pump();
        });
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }

    /** Waits a little for what is on its way, and drops the rest; fails never. Nothing is committed any more. */
    Future<Void> shutDown() {
        shuttingDown = true;
        if (rooms.isEmpty()) {
            empty.tryComplete();
        }
        CellLoop.Cancellable patience = loop.schedule(SHUTDOWN_MS, empty::tryComplete);
        return empty.future().onComplete(over -> {
            patience.cancel();
            closed = true;
            meter.dropped(LaneMeter.Drop.SHUTDOWN, waiting);
        });
    }
}
