package dev.roomcell.contract;

final class WiredCommandStoreTest extends CommandStoreContract {
    private final WiredBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
