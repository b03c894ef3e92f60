package dev.roomcell.contract;

final class WiredNodeDirectoryTest extends NodeDirectoryContract {
    private final WiredLeaseBackend redis = new WiredLeaseBackend();

    @Override
    LeaseBackend backend() {
        return redis;
    }
}
