package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rooms that must have an owner, by whom they had last (LEASE-14). A closed room is never live. Fails with {@link
 * StoreException}.
 */
public interface LiveRoomStore {
    /**
     * The nodes that had live rooms last, by id; {@code most} of them at most. A room that no node has had yet is in
     * creation, and has a timer for that (ROOM-5): it counts for none.
     */
    Future<List<String>> owners(int most);

    /** The live rooms that {@code nodeId} had last, by key, from the one behind {@code after} on; {@code most} at most. */
    Future<List<LiveRoom>> roomsOf(String nodeId, Optional<RoomKey> after, int most);

    /**
     * A live room.
     *
     * @param key which
     * @param dueMs when the first of its timers is due, epoch ms; empty if it has none
     */
    record LiveRoom(RoomKey key, OptionalLong dueMs) {}
}
