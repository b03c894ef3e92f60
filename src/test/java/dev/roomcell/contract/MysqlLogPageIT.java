package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.CommandStore.LogEntry;
import dev.roomcell.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlLogPageIT extends LogPageContract {
    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    @Override
    Database database() {
        return DATABASE;
    }

    /** LOG-1. */
    @Test
    void whatWasDeletedIsKnownByTheFirstVersionThatIsKept() {
        Batch batch = Batch.of(ROOM, 0, 1).commands("c-1", "c-2", "c-3", "c-4");
        Await.result(DATABASE.node().commands().commit(List.of(batch.done()), true));
        DATABASE.tables().change("DELETE FROM room_command_log WHERE room_id = 'room' AND version <= 2");
        assertThat(read(0, 10).firstKeptVersion()).isEqualTo(3);
        assertThat(read(0, 10).entries()).extracting(LogEntry::version).containsExactly(3L, 4L);
        DATABASE.tables().change("DELETE FROM room_command_log WHERE room_id = 'room'");
        assertThat(read(0, 10).firstKeptVersion()).isEqualTo(5);
        assertThat(read(0, 10).row().version()).isEqualTo(4);
    }
}
