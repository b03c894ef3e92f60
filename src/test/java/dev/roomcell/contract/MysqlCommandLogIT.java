package dev.roomcell.contract;

import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlCommandLogIT extends CommandLogContract {
    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    @Override
    Database database() {
        return DATABASE;
    }
}
