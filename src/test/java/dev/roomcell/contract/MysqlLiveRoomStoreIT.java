package dev.roomcell.contract;

import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlLiveRoomStoreIT extends LiveRoomStoreContract {
    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    @Override
    Database database() {
        return DATABASE;
    }
}
