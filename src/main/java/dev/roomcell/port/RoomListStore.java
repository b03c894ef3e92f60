package dev.roomcell.port;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The list of rooms that clients browse: may be 2 s old (ROOM-8). Fails with {@link StoreException}. */
public interface RoomListStore {
    /** Writes the entries; one that is older than what the list holds for its room changes nothing. */
    Future<Void> write(List<ListEntry> entries);

    /**
     * The {@code ACTIVE} rooms of an app: by heat, the highest first, then by the bytes of the room id.
     *
     * @param region only rooms of this region; empty: of all
     * @param after only what comes after this place; empty: from the start
     * @param most at most so many, at least 1
     */
    Future<List<ListEntry>> hottest(String appCode, Optional<String> region, Optional<Place> after, int most);

    /**
     * A room's line in the list.
     *
     * @param key which room
     * @param version the room version it shows
     * @param status where the room is in its life
     * @param title the room's title
     * @param region the room's region; may be empty
     * @param onlineCount users present, robots not counted
     * @param heat coins of gifts sent in the room, at least 0
     */
    record ListEntry(
            RoomKey key,
            long version,
            Lifecycle.Status status,
            String title,
            String region,
            int onlineCount,
            long heat) {
        /** Where the line stands among those of its app. */
        public Place place() {
            return new Place(heat, key.roomId());
        }
    }

    /**
     * A place in the order of {@link #hottest}, whether a room stands there or not.
     *
     * @param heat as in the entry
     * @param roomId as in the entry's key
     */
    record Place(long heat, String roomId) {}
}
