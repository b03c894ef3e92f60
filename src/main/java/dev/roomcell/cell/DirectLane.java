package dev.roomcell.cell;

import dev.roomcell.domain.DeliveryLane;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.LaneMeter.Drop;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.RoomMessenger.Message;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the clients of a loop's rooms what was committed (LANE-2), in (version, index) order, one message of a room at a
 * time. Best effort: a message that fails, waits too long or finds no place is not sent, and no command ever waits for
 * one. What was committed here is still told when the cell has gone; for a few seconds at most, as it ages.
 *
 * <p>A provider that takes so many messages in a second is sent no more (LANE-6). Then what is more important goes first:
 * among rooms by its turn, and in a room by what stands before it being given up, as the order stays. Gifts of the same
 * kind are told as one, and nothing important is given up while there is something less important to give up.
 *
 * <p>A message that was given up may still arrive, behind those that were sent after it.
 */
final class DirectLane {
    private static final Logger log = LoggerFactory.getLogger(DirectLane.class);

    /** How long one message may take to be sent, ms. */
    static final long SEND_MS = 2_000;
    /** After so many failures in a row there is a pause: the other side is down. */
    static final int FAILURES_IN_A_ROW = 16;
    /** How long a node that shuts down waits for the last messages, ms. */
    static final long SHUTDOWN_MS = 2_000;

    private static final long SHORTEST_PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 2_000;

    private final CellLoop loop;
    private final RoomClock clock;
    private final RoomCodec codec;
    private final RoomMessenger messenger;
    private final LaneMeter meter;
    private final Limits limits;
    private final LaneQueues queues;

    private int inFlight;
    private boolean pumpComes;
    private boolean paused;
    /** Whether the provider takes no more of any room for the moment. */
    private boolean overBudget;

    private boolean budgetComes;
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
     * @param messages messages that wait on this loop; when it is one more, one of the lowest priority goes
     * @param sends messages on their way at once, each of another room
     */
    record Limits(int messagesOfARoom, int messages, int sends) {
        static final Limits USUAL = new Limits(256, 65_536, 64);
    }

    DirectLane(CellLoop loop, CellPorts ports, Limits limits) {
        this.loop = loop;
        this.clock = ports.clock();
        this.codec = ports.codec();
        this.messenger = ports.messenger();
        this.meter = ports.laneMeter();
        this.limits = limits;
        this.queues = new LaneQueues(ports, limits);
    }

    /** These rows are durable, and follow those given before. Never fails, and sends nothing before it returns. */
    void committed(RoomKey key, List<LogRow> rows) {
        try {
            enqueue(key, rows);
        } catch (RuntimeException fault) {
            // The room is right, whatever its clients see.
            log.error("room {}: its clients are not told of {} versions", key, rows.size(), fault);
            drop(Drop.FAULT, rows);
        }
    }

    private void drop(Drop reason, List<LogRow> rows) {
        rows.forEach(row -> row.facts().forEach(fact -> meter.dropped(reason, LaneQueues.priorityOf(fact))));
    }

    private void enqueue(RoomKey key, List<LogRow> rows) {
        if (!messenger.isConnected()) {
            drop(Drop.NOT_CONNECTED, rows);
            return;
        }
        if (closed) {
            drop(Drop.SHUTDOWN, rows);
            return;
        }
        MessageQueue room = queues.of(key);
        for (LogRow row : rows) {
            for (Fact fact : row.facts()) {
                RoomEvent.Type type = RoomEvent.Type.valueOf(fact.type());
                if (!DeliveryLane.coalesced(type)) {
                    queues.add(room, row.version(), fact, isHeldUp(room) ? codec.giftKey(fact) : "");
                }
            }
        }
        ready(room);
    }

    /** What has come together in a room, at a version, for its clients alone (LANE-1). Never fails. */
    void tell(RoomKey key, long version, Fact fact) {
        if (!messenger.isConnected() || closed) {
            meter.dropped(closed ? Drop.SHUTDOWN : Drop.NOT_CONNECTED, LaneQueues.priorityOf(fact));
            return;
        }
        MessageQueue room = queues.of(key);
        queues.add(room, version, fact, fact.type());
        ready(room);
    }

    /** Whether the room's messages wait for the provider to take more. */
    private boolean isHeldUp(MessageQueue room) {
        return overBudget || room.state() == MessageQueue.State.RESTING;
    }

    private void ready(MessageQueue room) {
        queues.settle(room);
        if (!pumpComes) {
            pumpComes = true;
            loop.execute(this::pump);
        }
    }

    private void pump() {
        pumpComes = false;
        while (!paused && !closed && inFlight < limits.sends()) {
            Optional<MessageQueue> turn = queues.next();
            if (turn.isEmpty()) {
                overBudget = false;
                break;
            }
            MessageQueue room = turn.get();
            long nowMs = clock.monotonicMs();
            long restMs = room.restMs(nowMs);
            if (restMs > 0) {
                rest(room, restMs);
                continue;
            }
            long waitMs = messenger.limits().ofAllRooms().take(nowMs);
            if (waitMs > 0) {
                comeBack(waitMs);
                break;
            }
            new Sending(room, queues.take(room)).begin();
        }
        if (shuttingDown && isEmpty()) {
            empty.tryComplete();
        }
    }

    private boolean isEmpty() {
        return queues.isEmpty() && inFlight == 0;
    }

    /** The provider takes no more of this room for so long. */
    private void rest(MessageQueue room, long restMs) {
        queues.become(room, MessageQueue.State.RESTING);
        loop.schedule(restMs, () -> {
            room.become(MessageQueue.State.IDLE);
            queues.settle(room);
            pump();
        });
    }

    /** The provider takes no more of any room for so long. */
    private void comeBack(long waitMs) {
        overBudget = true;
        if (!budgetComes) {
            budgetComes = true;
            loop.schedule(waitMs, () -> {
                budgetComes = false;
                pump();
            });
        }
    }

    /** What became of a message that was sent. */
    private enum Fate {
        SENT,
        /** The other side is there, and did not want it (B111). */
        DROPPED,
        TOO_LONG,
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
            if (failure instanceof RoomMessenger.TooLongException) {
                return Fate.TOO_LONG;
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
                    meter.dropped(Drop.BY_PROVIDER, LaneQueues.priorityOf(message.fact()));
                    answered();
                }
                case TOO_LONG -> meter.dropped(Drop.TOO_LONG, LaneQueues.priorityOf(message.fact()));
                case FAILED -> {
                    meter.failed();
                    failed();
                }
            }
            if (fate != Fate.SENT) {
                log.debug("room {}: version {} not told: {}", message.key(), message.version(), why);
            }
            room.become(MessageQueue.State.IDLE);
            queues.settle(room);
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
        if (isEmpty()) {
            empty.tryComplete();
        }
        CellLoop.Cancellable patience = loop.schedule(SHUTDOWN_MS, empty::tryComplete);
        return empty.future().onComplete(over -> {
            patience.cancel();
            closed = true;
            queues.dropAll();
        });
    }
}
