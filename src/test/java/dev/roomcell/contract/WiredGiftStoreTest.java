package dev.roomcell.contract;

final class WiredGiftStoreTest extends GiftStoreContract {
    private final WiredBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
