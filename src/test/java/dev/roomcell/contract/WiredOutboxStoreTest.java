package dev.roomcell.contract;

final class WiredOutboxStoreTest extends OutboxStoreContract {
    private final WiredBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
