package dev.roomcell.contract;

import org.junit.jupiter.api.extension.RegisterExtension;

final class RedisNodeDirectoryIT extends NodeDirectoryContract {
    @RegisterExtension
    static final RedisBackend REDIS = new RedisBackend();

    @Override
    LeaseBackend backend() {
        return REDIS;
    }
}
