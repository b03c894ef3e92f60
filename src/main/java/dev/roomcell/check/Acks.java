package dev.roomcell.check;

import dev.roomcell.domain.RoomKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What clients were told, by room. Not thread-safe. */
public final class Acks {
    private final Map<RoomKey, List<Ack>> byRoom = new HashMap<>();
    private long count;

    /** Adds an acknowledgement; one command may have several. */
    public void add(Ack ack) {
        byRoom.computeIfAbsent(ack.room(), first -> new ArrayList<>()).add(ack);
        count++;
    }

    /** How many were added. */
    public long count() {
        return count;
    }

    /** The acknowledgements of a room, in the order in which they were added; each is given out once. */
    public List<Ack> take(RoomKey room) {
        List<Ack> taken = byRoom.remove(room);
        return taken == null ? List.of() : taken;
    }

    /** The rooms whose acknowledgements nobody has taken, in order. */
    public List<RoomKey> untaken() {
        return byRoom.keySet().stream().sorted().toList();
    }
}
