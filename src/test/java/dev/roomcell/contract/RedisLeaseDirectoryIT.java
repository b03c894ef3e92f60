package dev.roomcell.contract;

import org.junit.jupiter.api.extension.RegisterExtension;

final class RedisLeaseDirectoryIT extends LeaseDirectoryContract {
    @RegisterExtension
    static final RedisBackend REDIS = new RedisBackend();

    @Override
    LeaseBackend backend() {
        return REDIS;
    }
}
