package dev.roomcell.contract;

final class WiredCommandLogTest extends CommandLogContract {
    private final WiredBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
