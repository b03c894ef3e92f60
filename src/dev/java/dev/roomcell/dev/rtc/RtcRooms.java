package dev.roomcell.dev.rtc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who is in the simulated RTC rooms, and who was taken out of them. Callable from any thread. */
public final class RtcRooms {
    /** The oldest are forgotten. */
    private static final int REMOVALS = 10_000;

    private static final int ROOMS = 10_000;

    private final Map<String, Set<String>> rooms = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Set<String>> eldest) {
            return size() > ROOMS;
        }
    };

    private final List<Removal> removals = new ArrayList<>();

    /**
     * A call that has taken somebody out, or found nobody.
     *
     * @param roomId TRTC's id of the room
     * @param userId who; empty if the whole room was dismissed
     * @param wasThere whether there was anything to do
     * @param atMs when, epoch ms
     */
    public record Removal(String roomId, String userId, boolean wasThere, long atMs) {}

    /** A user is in a room from now on, and nobody is told. */
    public synchronized void enter(String roomId, String userId) {
        rooms.computeIfAbsent(roomId, first -> new LinkedHashSet<>()).add(userId);
    }

    /** An event has come about. */
    synchronized void happened(RtcEvent event) {
        switch (event.type()) {
            case RtcEvent.ENTERED, RtcEvent.AUDIO_STARTED -> enter(event.roomId(), event.userId());
            case RtcEvent.EXITED -> leave(event.roomId(), event.userId());
            case RtcEvent.ROOM_DISMISSED -> rooms.remove(event.roomId());
            default -> {}
        }
    }

    private boolean leave(String roomId, String userId) {
        Set<String> users = rooms.getOrDefault(roomId, Set.of());
        boolean wasThere = users.contains(userId);
        if (wasThere) {
            users.remove(userId);
            if (users.isEmpty()) {
                rooms.remove(roomId);
            }
        }
        return wasThere;
    }

    synchronized boolean exists(String roomId) {
        return rooms.containsKey(roomId);
    }

    synchronized boolean remove(String roomId, String userId, long atMs) {
        boolean wasThere = leave(roomId, userId);
        keep(new Removal(roomId, userId, wasThere, atMs));
        return wasThere;
    }

    synchronized boolean dismiss(String roomId, long atMs) {
        boolean wasThere = rooms.remove(roomId) != null;
        keep(new Removal(roomId, "", wasThere, atMs));
        return wasThere;
    }

    private void keep(Removal removal) {
        removals.add(removal);
        if (removals.size() > REMOVALS) {
            removals.remove(0);
        }
    }

    /** Who is in a room, in the order in which they came. */
    public synchronized List<String> users(String roomId) {
        return List.copyOf(rooms.getOrDefault(roomId, Set.of()));
    }

    /** The calls that have taken somebody out of a room, or found nobody; oldest first. */
    public synchronized List<Removal> removals(String roomId) {
        return removals.stream()
                .filter(removal -> removal.roomId().equals(roomId))
                .toList();
    }

    /** The same of all rooms. */
    public synchronized List<Removal> removals() {
        return List.copyOf(removals);
    }
}
