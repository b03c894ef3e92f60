package dev.roomcell.contract;

final class MemoryLiveRoomStoreTest extends LiveRoomStoreContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
