package dev.roomcell.contract;

final class WiredRoomListStoreTest extends RoomListStoreContract {
    private final WiredBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
