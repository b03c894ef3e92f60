package dev.roomcell.port;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.Optional;

/** Which room is behind the id that IM and RTC call it by (SEC-2). Fails with {@link StoreException}. */
public interface ExternalRooms {
    /** The room of {@code externalId}; empty if there is none, or if no room could ever have such an id. */
    Future<Optional<Found>> find(String externalId);

    /**
     * A room as its row has it: without a look at the node that owns it, and so as old as its last commit.
     *
     * @param key which
     * @param status where the room is in its life
     * @param live whether the room must have an owner (LEASE-14); if not, nobody is in it and no seat is taken
     * @param ownerNodeId the node that had it last; empty if none has had it yet
     */
    record Found(RoomKey key, Lifecycle.Status status, boolean live, String ownerNodeId) {}
}
