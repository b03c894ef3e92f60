package dev.roomcell.contract;

final class WiredLiveRoomStoreTest extends LiveRoomStoreContract {
    private final WiredBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
