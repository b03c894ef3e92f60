package dev.roomcell.contract;

final class MemoryCommandLogTest extends CommandLogContract {
    private final MemoryBackend database = new MemoryBackend();

    @Override
    Database database() {
        return database;
    }
}
