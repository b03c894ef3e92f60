package dev.roomcell.contract;

import dev.roomcell.port.ExternalRooms;
import dev.roomcell.sim.MemoryExternalRooms;

final class MemoryExternalRoomsTest extends ExternalRoomsContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }

    @Override
    ExternalRooms rooms() {
        return new MemoryExternalRooms(database.memory());
    }
}
