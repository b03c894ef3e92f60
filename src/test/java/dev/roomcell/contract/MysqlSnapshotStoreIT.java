package dev.roomcell.contract;

import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlSnapshotStoreIT extends SnapshotStoreContract {
    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    @Override
    Database database() {
        return DATABASE;
    }
}
