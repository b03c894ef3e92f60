package dev.roomcell.port;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.List;

/** The list of rooms that clients browse: may be 2 s old (ROOM-8). Fails with {@link StoreException}. */
public interface RoomListStore {
    /** Writes the entries; one that is older than what the list holds for its room changes nothing. */
    Future<Void> write(List<ListEntry> entries);

    /**
     * A room's line in the list.
     *
     * @param key which room
     * @param version the room version it shows
     * @param status where the room is in its life
     * @param title the room's title
     * @param region the room's region; may be empty
     * @param onlineCount users present, robots not counted
     */
    record ListEntry(
            RoomKey key, long version, Lifecycle.Status status, String title, String region, int onlineCount) {}
}
