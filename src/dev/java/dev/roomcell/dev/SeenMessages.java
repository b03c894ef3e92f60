package dev.roomcell.dev;

import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the clients of each room saw, and what single users were told, in order of arrival: of those last heard of the newest. */
final class SeenMessages {
    private static final int MESSAGES_OF_A_ROOM = 1_000;
    private static final int ROOMS = 200;
    private static final int NEWEST = 200;

    private final Kept rooms = new Kept();
    private final Kept users = new Kept();

    private static final class Kept extends LinkedHashMap<List<String>, ArrayDeque<JsonObject>> {
        private static final long serialVersionUID = 1L;

        Kept() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<String>, ArrayDeque<JsonObject>> eldest) {
            return size() > ROOMS;
        }
    }

    private final ArrayDeque<JsonObject> newest = new ArrayDeque<>();

    /** Whether a message says of which room it is. */
    static boolean isOfARoom(@Nullable JsonObject message) {
        return message != null
                && message.getValue("app_code") instanceof String
                && message.getValue("room_id") instanceof String;
    }

    /** Takes a message; false if it says not of which room it is. */
    boolean add(JsonObject message) {
        if (!isOfARoom(message)) {
            return false;
        }
        // What one user alone is told, nobody else in the room sees.
        boolean personal = message.getValue("to_user_id") instanceof String;
        List<String> of =
                List.of(message.getString("app_code"), message.getString(personal ? "to_user_id" : "room_id"));
        keep((personal ? users : rooms).computeIfAbsent(of, first -> new ArrayDeque<>()), message, MESSAGES_OF_A_ROOM);
        keep(newest, message, NEWEST);
        return true;
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

    /** The newest that one user alone was told, in order. */
    List<JsonObject> to(String appCode, String userId) {
        return List.copyOf(users.getOrDefault(List.of(appCode, userId), new ArrayDeque<>()));
    }

    /** The newest of all rooms, in order. */
    List<JsonObject> newest() {
        return List.copyOf(newest);
    }
}
