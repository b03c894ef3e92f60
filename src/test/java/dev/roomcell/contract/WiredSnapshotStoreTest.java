package dev.roomcell.contract;

final class WiredSnapshotStoreTest extends SnapshotStoreContract {
    private final WiredBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
