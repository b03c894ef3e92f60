package dev.roomcell.sim;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.port.ExternalRooms;
import io.vertx.core.Future;
import java.util.Optional;

/** The rooms of a database in memory. */
public final class MemoryExternalRooms implements ExternalRooms {
    private final MemoryDatabase database;

    /** The rooms of {@code database}. */
    public MemoryExternalRooms(MemoryDatabase database) {
        this.database = database;
    }

    @Override
    public Future<Optional<Found>> find(String externalId) {
        return Future.succeededFuture(database.rooms().stream()
                .filter(key -> ExternalIds.groupId(key).equals(externalId))
                .findFirst()
                .flatMap(key -> database.room(key)
                        .map(room -> new Found(key, room.status(), room.live(), room.ownerNodeId()))));
    }
}
