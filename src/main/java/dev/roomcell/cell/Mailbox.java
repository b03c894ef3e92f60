package dev.roomcell.cell;

import dev.roomcell.port.CellMeter;
import dev.roomcell.port.RoomClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The commands that wait for one room, in order of arrival. Bounded: a full mailbox refuses the newcomer. */
final class Mailbox {
    /** So many of the room's own commands are taken while callers flood it: deadlines and launches do not wait for them. */
    private static final int OWN = 64;

    private final int capacity;
    private final RoomClock clock;
    private final CellMeter meter;
    private final ArrayDeque<PendingCommand> waiting = new ArrayDeque<>(4);

    Mailbox(int capacity, RoomClock clock, CellMeter meter) {
        this.capacity = capacity;
        this.clock = clock;
        this.meter = meter;
    }

    /** Whether it takes no more at the moment. */
    boolean isFull() {
        return waiting.size() >= capacity;
    }

    /** Whether there was room for it; for the room's own commands (CMD-5) there is some beside what callers fill. */
    boolean offer(PendingCommand command) {
        if (waiting.size() >= (command.isTheRoomsOwn() ? capacity + OWN : capacity)) {
            return false;
        }
        command.waitsSince(clock.monotonicMs());
        waiting.addLast(command);
        return true;
    }

    /** Puts commands that were taken back in front, in their order; they had their place already. */
    void putBack(List<PendingCommand> commands) {
        for (int i = commands.size() - 1; i >= 0; i--) {
            waiting.offerFirst(commands.get(i));
        }
    }

    /** The next commands, at least one if there is any: at most {@code maxCommands}, and {@code maxBytes} past the first. */
    List<PendingCommand> take(int maxCommands, int maxBytes) {
        PendingCommand oldest = waiting.peekFirst();
        if (oldest != null) {
            meter.taken(waiting.size(), clock.monotonicMs() - oldest.waitingSinceMs());
        }
        List<PendingCommand> batch = new ArrayList<>(Math.min(maxCommands, waiting.size()));
        long bytes = 0;
        while (batch.size() < maxCommands && !waiting.isEmpty()) {
            bytes += waiting.peekFirst().request().bytes();
            if (!batch.isEmpty() && bytes > maxBytes) {
                break;
            }
            batch.add(waiting.pollFirst());
        }
        return batch;
    }

    List<PendingCommand> takeAll() {
        List<PendingCommand> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
