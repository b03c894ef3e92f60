package dev.roomcell.contract;

final class WiredLogPageTest extends LogPageContract {
    private final WiredBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
