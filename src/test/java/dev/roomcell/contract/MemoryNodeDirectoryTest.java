package dev.roomcell.contract;

final class MemoryNodeDirectoryTest extends NodeDirectoryContract {
    private final MemoryLeaseBackend redis = new MemoryLeaseBackend();

    @Override
    LeaseBackend backend() {
        return redis;
    }
}
