package dev.roomcell.contract;

final class MemoryRoomListStoreTest extends RoomListStoreContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
