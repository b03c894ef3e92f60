package dev.roomcell.cell;

import dev.roomcell.domain.DeliveryLane.Priority;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which room's turn it is, and whose messages matter least: rooms by the priorities of what waits in them (LANE-6). */
final class LaneTurns {
    /** Rooms with a message to send and none in flight, each by its most important one, in the order in which they came. */
    private final Map<Priority, Set<MessageQueue>> ready = rooms();
    /** Rooms by each priority that waits in them. */
    private final Map<Priority, Set<MessageQueue>> holders = rooms();

    private static Map<Priority, Set<MessageQueue>> rooms() {
        Map<Priority, Set<MessageQueue>> rooms = new EnumMap<>(Priority.class);
        MessageQueue.PRIORITIES.forEach(priority -> rooms.put(priority, new LinkedHashSet<>()));
        return rooms;
    }

    /** Something in this room is not as it was. */
    void changed(MessageQueue room) {
        boolean isReady = room.state() == MessageQueue.State.READY;
        Priority most = room.most();
        for (Priority priority : MessageQueue.PRIORITIES) {
            put(of(holders, priority), room, room.holds(priority));
            put(of(ready, priority), room, isReady && priority == most);
        }
    }

    private static Set<MessageQueue> of(Map<Priority, Set<MessageQueue>> rooms, Priority priority) {
        return rooms.getOrDefault(priority, Set.of());
    }

    private static void put(Set<MessageQueue> rooms, MessageQueue room, boolean in) {
        if (in) {
            rooms.add(room);
        } else {
            rooms.remove(room);
        }
    }

    /** The room that is next. */
    Optional<MessageQueue> next() {
        for (int i = MessageQueue.PRIORITIES.size() - 1; i >= 0; i--) {
            Set<MessageQueue> rooms = of(ready, MessageQueue.PRIORITIES.get(i));
            if (!rooms.isEmpty()) {
                return Optional.of(rooms.iterator().next());
            }
        }
        return Optional.empty();
    }

    /** A room that has one of the least important messages that wait anywhere. */
    Optional<MessageQueue> holderOfLeast() {
        for (Priority priority : MessageQueue.PRIORITIES) {
            Set<MessageQueue> rooms = of(holders, priority);
            if (!rooms.isEmpty()) {
                return Optional.of(rooms.iterator().next());
            }
        }
        return Optional.empty();
    }
}
