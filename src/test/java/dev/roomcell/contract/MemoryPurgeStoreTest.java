package dev.roomcell.contract;

final class MemoryPurgeStoreTest extends PurgeStoreContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
