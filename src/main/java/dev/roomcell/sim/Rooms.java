package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The rooms that the callers know: a few at a time, each followed by another when it has ended. */
final class Rooms {
    private static final int AT_A_TIME = 3;
    private static final int FORGOTTEN_PERCENT = 80;
    static final String APP = "lala";

    private final Dice dice;
    private final List<RoomKey> current = new ArrayList<>();
    private final List<RoomKey> all = new ArrayList<>();
    private final Map<RoomKey, Set<String>> guests = new HashMap<>();
    /** Where each room was found last, by address. */
    private final Map<RoomKey, String> routes = new HashMap<>();

    Rooms(Dice dice) {
        this.dice = dice;
        for (int i = 0; i < AT_A_TIME; i++) {
            current.add(another());
        }
    }

    private RoomKey another() {
        RoomKey room = new RoomKey(APP, "room-" + (all.size() + 1));
        all.add(room);
        return room;
    }

    RoomKey any() {
        return dice.any(current);
    }

    /** Whether callers may close it: the first room outlives the time for which a cell remembers ids (CMD-2). */
    boolean mayBeClosed(RoomKey room) {
        return !room.equals(all.get(0));
    }

    /** All that there ever were. */
    List<RoomKey> all() {
        return List.copyOf(all);
    }

    /** The room has ended; now and then it is tried again all the same. */
    void ended(RoomKey room) {
        int place = current.indexOf(room);
        if (place >= 0 && dice.percent(FORGOTTEN_PERCENT)) {
            current.set(place, another());
        }
    }

    /** A user was told to be in the room, or not to be in it any more. */
    void seen(RoomKey room, String userId, boolean inside) {
        Set<String> there = guests.computeIfAbsent(room, first -> new TreeSet<>());
        if (inside) {
            there.add(userId);
        } else {
            there.remove(userId);
        }
    }

    /** Who is in the room as far as callers know, by id. */
    List<String> guests(RoomKey room) {
        return List.copyOf(guests.getOrDefault(room, Set.of()));
    }

    void route(RoomKey room, String address) {
        routes.put(room, address);
    }

    Optional<String> route(RoomKey room) {
        return Optional.ofNullable(routes.get(room));
    }
}
