package dev.roomcell.contract;

final class MemoryCommandStoreTest extends CommandStoreContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
