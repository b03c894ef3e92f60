package dev.roomcell.cell;

import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.port.RoomMessenger.Message;
import java.util.ArrayDeque;
import java.util.Iterator;

/** One room's messages that wait to be sent, in order. */
final class MessageQueue {
    private final ArrayDeque<Waiting> messages = new ArrayDeque<>(2);
    private boolean busy;

    /**
     * A message that waits.
     *
     * @param tooOldAtMs when it is not worth sending any more, monotonic ms
     */
    record Waiting(Message message, Priority priority, long tooOldAtMs) {}

    void add(Message message, Priority priority, long tooOldAtMs) {
        messages.addLast(new Waiting(message, priority, tooOldAtMs));
    }

    /** Gives up the oldest message of the lowest priority that there is. */
    void dropLeast() {
        for (Priority priority : Priority.values()) {
            for (Iterator<Waiting> each = messages.iterator(); each.hasNext(); ) {
                if (each.next().priority() == priority) {
                    each.remove();
                    return;
                }
            }
        }
    }

    Waiting removeFirst() {
        return messages.removeFirst();
    }

    int size() {
        return messages.size();
    }

    /** Whether a message of the room is on its way, or about to be. */
    boolean isBusy() {
        return busy;
    }

    void setBusy(boolean busy) {
        this.busy = busy;
    }
}
