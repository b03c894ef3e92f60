package dev.roomcell.contract;

final class WiredTimerStoreTest extends TimerStoreContract {
    private final WiredBackend database = new WiredBackend();

    @Override
    Database database() {
        return database;
    }
}
