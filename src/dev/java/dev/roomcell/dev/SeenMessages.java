package dev.roomcell.dev;

import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the clients of each room saw, in order of arrival: the newest of the rooms that were last heard of. */
final class SeenMessages {
    private static final int MESSAGES_OF_A_ROOM = 1_000;
    private static final int ROOMS = 200;
    private static final int NEWEST = 200;

    private final Map<List<String>, ArrayDeque<JsonObject>> rooms = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<String>, ArrayDeque<JsonObject>> eldest) {
            return size() > ROOMS;
        }
    };

    private final ArrayDeque<JsonObject> newest = new ArrayDeque<>();

    /** Takes a message; false if it says not of which room it is. */
    boolean add(JsonObject message) {
        if (message.getValue("app_code") instanceof String appCode
                && message.getValue("room_id") instanceof String roomId) {
            List<String> room = List.of(appCode, roomId);
            keep(rooms.computeIfAbsent(room, first -> new ArrayDeque<>()), message, MESSAGES_OF_A_ROOM);
            keep(newest, message, NEWEST);
            return true;
        }
        return false;
    }

    private static void keep(ArrayDeque<JsonObject> messages, JsonObject message, int most) {
        messages.addLast(message);
        if (messages.size() > most) {
            messages.removeFirst();
        }
    }

    /** The newest of one room, in order. */
    List<JsonObject> of(String appCode, String roomId) {
        return List.copyOf(rooms.getOrDefault(List.of(appCode, roomId), new ArrayDeque<>()));
    }

    /** The newest of all rooms, in order. */
    List<JsonObject> newest() {
        return List.copyOf(newest);
    }
}
