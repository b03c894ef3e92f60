package dev.roomcell.contract;

final class WiredLeaseDirectoryTest extends LeaseDirectoryContract {
    private final WiredLeaseBackend redis = new WiredLeaseBackend();

    @Override
    LeaseBackend backend() {
        return redis;
    }
}
