package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ExternalRooms;
import dev.roomcell.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlExternalRoomsIT extends ExternalRoomsContract {
    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    @Override
    Database database() {
        return DATABASE;
    }

    @Override
    ExternalRooms rooms() {
        return DATABASE.externalRooms();
    }

    @Test
    void aRoomIsFoundByAnIndex() {
        RoomKey key = new RoomKey("app", "1");
        Await.result(DATABASE.node().commands().insertCreating(key, 1));
        byte[] id = ExternalIds.decode(ExternalIds.groupId(key)).orElseThrow();
        assertThat(DATABASE.tables().indexOfExternalId(id)).isEqualTo("rooms_external_id");
    }
}
