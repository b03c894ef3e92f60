package dev.roomcell.it;

import dev.roomcell.domain.RoomKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Where the guests meet: so many places, each with a room that is followed by another when it was closed. Thread-safe. */
final class PartyRooms {
    static final String APP = "party";
    private static final int PLACES = 40;
    /** The first places are hot: more guests, and a room that is never closed. */
    private static final int HOT_PLACES = 4;

    private final List<RoomKey> current = new ArrayList<>();
    private final List<RoomKey> all = new ArrayList<>();
    private final Map<RoomKey, Long> endedNs = new ConcurrentHashMap<>();

    PartyRooms() {
        for (int place = 0; place < PLACES; place++) {
            current.add(another(place, 1));
        }
    }

    private RoomKey another(int place, int generation) {
        RoomKey room = new RoomKey(APP, "room-" + place + "-" + generation);
        all.add(room);
        return room;
    }

    static int places() {
        return PLACES;
    }

    static boolean isHot(int place) {
        return place < HOT_PLACES;
    }

    /** The room that is now at a place. */
    synchronized RoomKey at(int place) {
        return current.get(place);
    }

    /** Somebody heard that a room is closed for ever. */
    synchronized void ended(int place, RoomKey room) {
        if (current.get(place).equals(room)) {
            endedNs.put(room, System.nanoTime());
            int generation =
                    Integer.parseInt(room.roomId().substring(room.roomId().lastIndexOf('-') + 1));
            current.set(place, another(place, generation + 1));
        }
    }

    /** When guests left a closed room for the next one, by {@link System#nanoTime}; empty while they are there. */
    Optional<Long> endedNs(RoomKey room) {
        return Optional.ofNullable(endedNs.get(room));
    }

    /** The rooms that are at the places now. */
    synchronized List<RoomKey> open() {
        return List.copyOf(current);
    }

    /** All that there ever were. */
    synchronized List<RoomKey> all() {
        return List.copyOf(all);
    }
}
