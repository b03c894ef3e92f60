package dev.roomcell.contract;

final class MemoryLeaseDirectoryTest extends LeaseDirectoryContract {
    private final MemoryLeaseBackend redis = new MemoryLeaseBackend();

    @Override
    LeaseBackend backend() {
        return redis;
    }
}
