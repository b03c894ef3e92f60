package dev.roomcell.contract;

final class MemoryOutboxStoreTest extends OutboxStoreContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
