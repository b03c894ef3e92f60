package dev.roomcell.contract;

final class MemoryTimerStoreTest extends TimerStoreContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
