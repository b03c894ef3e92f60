package dev.roomcell.cell;

import dev.roomcell.domain.DeliveryLane;
import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.LaneMeter.Drop;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.RoomMessenger.Message;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The messages of a loop's rooms that wait, in bounds: which go, in which order, and which are given up (LANE-6). */
final class LaneQueues {
    /** A message that has waited so long is not sent any more, ms. */
    static final long OLDEST_MS = 5_000;
    /** A message that has waited so long waits for none that matters less, where the provider has limits, ms. */
    static final long PATIENCE_MS = 500;
    /** Of a room, what can be sent in so many seconds may wait, and more only of what matters most. */
    static final int SECONDS_THAT_WAIT = 2;

    private static final int LOOKS = 2;

    private static final Map<String, Priority> PRIORITIES = Stream.of(RoomEvent.Type.values())
            .collect(Collectors.toUnmodifiableMap(RoomEvent.Type::name, DeliveryLane::priorityOf));

    private final RoomClock clock;
    private final RoomCodec codec;
    private final LaneMeter meter;
    private final DirectLane.Limits limits;
    private final RoomMessenger.Limits provider;
    private final Map<RoomKey, MessageQueue> rooms = new HashMap<>();
    private final LaneTurns turns = new LaneTurns();
    /** Rooms without a message, each once, kept for what they were sent lately. */
    private final ArrayDeque<MessageQueue> quiet = new ArrayDeque<>();

    private int waiting;

    LaneQueues(CellPorts ports, DirectLane.Limits limits) {
        this.clock = ports.clock();
        this.codec = ports.codec();
        this.meter = ports.laneMeter();
        this.limits = limits;
        this.provider = ports.messenger().limits();
    }

    /** Heat and rank are no events, and come again. */
    static Priority priorityOf(Fact fact) {
        return PRIORITIES.getOrDefault(fact.type(), Priority.LOW);
    }

    /** The room's queue; to be settled when it is filled. */
    MessageQueue of(RoomKey key) {
        forgetQuiet();
        return rooms.computeIfAbsent(key, first -> new MessageQueue(key, provider.ofARoomInASecond()));
    }

    /** A message more; {@code joinKey} as in {@link MessageQueue.Waiting}. */
    void add(MessageQueue room, long version, Fact fact, String joinKey) {
        Fact told = joinKey.isEmpty() ? fact : joined(room, fact, joinKey);
        room.add(new MessageQueue.Waiting(
                new Message(room.key(), version, told), priorityOf(told), joinKey, clock.monotonicMs()));
        waiting++;
        int fewest = SECONDS_THAT_WAIT * provider.ofARoomInASecond();
        if (room.size() > limits.messagesOfARoom()) {
            given(room.dropLeast(), Drop.QUEUE_FULL);
        } else if (provider.areThere() && room.size() > fewest && room.least() != Priority.HIGH) {
            given(room.dropLeast(), Drop.OVER_BUDGET);
        }
        turns.changed(room);
        if (waiting > limits.messages()) {
            turns.holderOfLeast().ifPresent(this::dropLeastOf);
        }
    }

    private void dropLeastOf(MessageQueue room) {
        given(room.dropLeast(), Drop.QUEUE_FULL);
        if (room.size() == 0 && room.state() == MessageQueue.State.READY) {
            room.become(MessageQueue.State.IDLE);
            settle(room);
        } else {
            turns.changed(room);
        }
    }

    /** What says all that {@code fact} and the one that waits to say the same would say; that one waits no more. */
    private Fact joined(MessageQueue room, Fact fact, String joinKey) {
        Optional<MessageQueue.Waiting> earlier = room.find(joinKey);
        if (earlier.isEmpty()) {
            return fact;
        }
        // A board says all there is to say.
        Optional<Fact> both = fact.type().equals(joinKey)
                ? Optional.of(fact)
                : codec.joinGifts(earlier.get().message().fact(), fact);
        if (both.isPresent()) {
            room.remove(earlier.get());
            given(earlier.get(), Drop.JOINED);
        }
        return both.orElse(fact);
    }

    private void given(MessageQueue.Waiting message, Drop reason) {
        waiting--;
        meter.dropped(reason, message.priority());
    }

    /** Gives the room its turn, if it has something to say and does not wait for anything. */
    void settle(MessageQueue room) {
        if (room.state() == MessageQueue.State.IDLE) {
            if (room.size() > 0) {
                room.become(MessageQueue.State.READY);
            } else if (room.isForgettable(clock.monotonicMs())) {
                rooms.remove(room.key(), room);
            } else if (room.list()) {
                quiet.addLast(room);
            }
        }
        turns.changed(room);
    }

    /** A few at a time; as often as a room may come to them. */
    private void forgetQuiet() {
        for (int look = 0; look < LOOKS; look++) {
            MessageQueue room = quiet.pollFirst();
            if (room == null) {
                return;
            }
            room.unlist();
            if (room.state() == MessageQueue.State.IDLE && room.size() == 0) {
                settle(room);
            }
        }
    }

    /**
     * The room whose turn it is, with a message to send. What is too old is given up; so is what something more important
     * has waited behind for long enough.
     */
    Optional<MessageQueue> next() {
        for (Optional<MessageQueue> turn = turns.next(); turn.isPresent(); turn = turns.next()) {
            MessageQueue room = turn.get();
            giveWay(room, clock.monotonicMs());
            if (room.size() > 0) {
                return turn;
            }
            room.become(MessageQueue.State.IDLE);
            settle(room);
        }
        return Optional.empty();
    }

    private void giveWay(MessageQueue room, long nowMs) {
        int before = room.size();
        while (room.size() > 0 && room.first().sinceMs() + OLDEST_MS <= nowMs) {
            given(room.removeFirst(), Drop.TOO_OLD);
        }
        if (provider.areThere()) {
            Priority due = room.mostImportantSince(nowMs - PATIENCE_MS);
            while (room.size() > 0 && room.first().priority().compareTo(due) < 0) {
                given(room.removeFirst(), Drop.OVER_BUDGET);
            }
        }
        if (room.size() < before) {
            turns.changed(room);
        }
    }

    /** Takes the room's first message out, to be sent now. */
    Message take(MessageQueue room) {
        Message first = room.removeFirst().message();
        waiting--;
        room.sends(clock.monotonicMs());
        become(room, MessageQueue.State.SENDING);
        return first;
    }

    /** The room waits for something else now. */
    void become(MessageQueue room, MessageQueue.State state) {
        room.become(state);
        turns.changed(room);
    }

    boolean isEmpty() {
        return waiting == 0;
    }

    /** Gives up all that waits. */
    void dropAll() {
        rooms.keySet().stream().sorted().forEach(key -> {
            MessageQueue room = rooms.get(key);
            while (room != null && room.size() > 0) {
                given(room.removeFirst(), Drop.SHUTDOWN);
            }
        });
        rooms.clear();
        quiet.clear();
    }
}
