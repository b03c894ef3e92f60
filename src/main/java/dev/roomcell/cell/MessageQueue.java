package dev.roomcell.cell;

import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomMessenger.Message;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One room's messages that wait to be sent, in order, and what keeps them. */
final class MessageQueue {
    /** From the least to the most important. */
    static final List<Priority> PRIORITIES = List.of(Priority.values());

    private final RoomKey key;
    private final int inASecond;
    private final ArrayDeque<Waiting> messages = new ArrayDeque<>(2);
    private final Map<Priority, Integer> held = new EnumMap<>(Priority.class);
    private @Nullable SlidingSecond sent;
    private State state = State.IDLE;
    private boolean listed;

    /** What the room's next message waits for. */
    enum State {
        /** For being there. */
        IDLE,
        /** For its turn. */
        READY,
        /** For the answer to the one before. */
        SENDING,
        /** For the provider to take one more of this room. */
        RESTING
    }

    /**
     * A message that waits.
     *
     * @param joinKey a later message of the same kind says what this one would have said; empty: none does
     * @param sinceMs since when, monotonic ms
     */
    record Waiting(Message message, Priority priority, String joinKey, long sinceMs) {}

    /** A room without a message; {@code inASecond} of them may be sent in any second, 0: any number. */
    MessageQueue(RoomKey key, int inASecond) {
        this.key = key;
        this.inASecond = inASecond;
    }

    RoomKey key() {
        return key;
    }

    void add(Waiting message) {
        messages.addLast(message);
        held.merge(message.priority(), 1, Integer::sum);
    }

    /** The one that may be joined with a message of this key. */
    Optional<Waiting> find(String joinKey) {
        return messages.stream()
                .filter(waiting -> waiting.joinKey().equals(joinKey))
                .findFirst();
    }

    void remove(Waiting message) {
        if (messages.remove(message)) {
            held.merge(message.priority(), -1, Integer::sum);
        }
    }

    /** Gives up the oldest message of the lowest priority that there is; there must be one. */
    Waiting dropLeast() {
        Priority least = least();
        for (Waiting waiting : messages) {
            if (waiting.priority() == least) {
                remove(waiting);
                return waiting;
            }
        }
        throw new IllegalStateException("no message waits");
    }

    Waiting removeFirst() {
        Waiting first = messages.removeFirst();
        held.merge(first.priority(), -1, Integer::sum);
        return first;
    }

    /** There must be one. */
    Waiting first() {
        return messages.getFirst();
    }

    /** The highest priority among those that wait since {@code untilMs} or longer; LOW if none does. */
    Priority mostImportantSince(long untilMs) {
        Priority most = Priority.LOW;
        for (Waiting waiting : messages) {
            if (waiting.sinceMs() > untilMs || most == Priority.HIGH) {
                break;
            }
            if (waiting.priority().compareTo(most) > 0) {
                most = waiting.priority();
            }
        }
        return most;
    }

    boolean holds(Priority priority) {
        return held.getOrDefault(priority, 0) > 0;
    }

    /** The lowest priority of those that wait; HIGH if none waits. */
    Priority least() {
        return PRIORITIES.stream().filter(this::holds).findFirst().orElse(Priority.HIGH);
    }

    /** The highest priority of those that wait; LOW if none waits. */
    Priority most() {
        return holds(Priority.HIGH) ? Priority.HIGH : holds(Priority.MIDDLE) ? Priority.MIDDLE : Priority.LOW;
    }

    int size() {
        return messages.size();
    }

    /** How long until one more may be sent; 0: now. */
    long restMs(long nowMs) {
        return sent == null ? 0 : sent.waitMs(nowMs, inASecond);
    }

    void sends(long nowMs) {
        if (inASecond > 0) {
            if (sent == null) {
                sent = new SlidingSecond(inASecond);
            }
            sent.happens(nowMs);
        }
    }

    /** Whether it can be forgotten: nothing waits, nothing is on its way, and nothing was sent in the last second. */
    boolean isForgettable(long nowMs) {
        return state == State.IDLE && messages.isEmpty() && (sent == null || sent.isQuiet(nowMs));
    }

    /** Whether it was on no list, on which it is now. */
    boolean list() {
        boolean before = listed;
        listed = true;
        return !before;
    }

    void unlist() {
        listed = false;
    }

    State state() {
        return state;
    }

    void become(State next) {
        state = next;
    }
}
