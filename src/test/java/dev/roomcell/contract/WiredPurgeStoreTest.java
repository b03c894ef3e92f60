package dev.roomcell.contract;

final class WiredPurgeStoreTest extends PurgeStoreContract {
    private final MemoryBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
