package dev.roomcell.contract;

import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlGiftStoreIT extends GiftStoreContract {
    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    @Override
    Database database() {
        return DATABASE;
    }
}
