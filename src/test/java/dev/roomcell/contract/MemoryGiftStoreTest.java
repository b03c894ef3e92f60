package dev.roomcell.contract;

final class MemoryGiftStoreTest extends GiftStoreContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
