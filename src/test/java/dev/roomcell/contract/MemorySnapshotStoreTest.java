package dev.roomcell.contract;

final class MemorySnapshotStoreTest extends SnapshotStoreContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
