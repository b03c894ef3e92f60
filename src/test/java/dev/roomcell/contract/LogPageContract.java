package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.LogEntry;
import dev.roomcell.port.CommandStore.LogPage;
import dev.roomcell.port.CommandStore.RoomRow;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.testkit.Await;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log as those read it who missed some of it. */
abstract class LogPageContract {
    static final RoomKey ROOM = new RoomKey("app", "room");

    private CommandStore store;

    abstract Database database();

    @BeforeEach
    void createRooms() {
        store = database().node().commands();
        for (RoomKey room : List.of(ROOM, new RoomKey("app", "Room"), new RoomKey("other", "room"))) {
            Await.result(store.insertCreating(room, 0));
        }
    }

    private void commit(Batch batch) {
        assertThat(Await.result(store.commit(List.of(batch.done()), true)))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.APPENDED)));
    }

    LogPage read(long since, int most) {
        return Await.result(database().otherNode().commands().readLog(ROOM, since, most))
                .orElseThrow();
    }

    @Test
    void aRoomThatWasNeverMadeHasNone() {
        assertThat(Await.result(store.readLog(new RoomKey("app", "absent"), 0, 10)))
                .isEmpty();
    }

    @Test
    void aRoomInCreationHasAnEmptyLog() {
        assertThat(read(0, 10)).isEqualTo(new LogPage(new RoomRow(Lifecycle.Status.CREATING, 0, 1, ""), 1, List.of()));
    }

    @Test
    void anEntryHoldsWhatTheEnvelopesOfItsEventsAreMadeOf() {
        commit(Batch.of(ROOM, 0, 1).row(Batch.row(1, "c-1", "\u00fcser", List.of())));
        commit(Batch.of(new RoomKey("app", "Room"), 0, 1).commands("c-2"));
        LogRow row = Batch.row(1, "c-1");
        LogPage page = read(0, 10);
        assertThat(page.row()).isEqualTo(new RoomRow(Lifecycle.Status.ACTIVE, 1, 1, Batch.NODE));
        assertThat(page.firstKeptVersion()).isEqualTo(1);
        assertThat(page.entries())
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new LogEntry(1, row.atMs(), "c-1", "\u00fcser", row.events()));
    }

    @Test
    void whatComesAfterAVersionIsReadInOrderUpToALimit() {
        commit(Batch.of(ROOM, 0, 1).commands("c-1", "c-2", "c-3", "c-4", "c-5"));
        assertThat(read(0, 100).entries()).extracting(LogEntry::version).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(read(2, 2).entries()).extracting(LogEntry::version).containsExactly(3L, 4L);
        assertThat(read(2, 2).entries()).extracting(LogEntry::commandId).containsExactly("c-3", "c-4");
        assertThat(read(5, 100).entries()).isEmpty();
        assertThat(read(Long.MAX_VALUE, 100).entries()).isEmpty();
        assertThat(read(2, 2).row().version()).isEqualTo(5);
        assertThat(read(2, 2).firstKeptVersion()).isEqualTo(1);
    }

    @Test
    void aClosedRoomsLogIsReadAsAnyOther() {
        commit(Batch.of(ROOM, 0, 1).commands("c-1"));
        commit(Batch.of(ROOM, 1, 1).commands("c-2").closing());
        Optional<LogPage> page = Await.result(store.readLog(ROOM, 1, 10));
        assertThat(page.orElseThrow().row().status()).isEqualTo(Lifecycle.Status.CLOSED);
        assertThat(page.orElseThrow().entries()).extracting(LogEntry::version).containsExactly(2L);
    }
}
