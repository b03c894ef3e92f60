package dev.roomcell.contract;

final class MemoryLogPageTest extends LogPageContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
