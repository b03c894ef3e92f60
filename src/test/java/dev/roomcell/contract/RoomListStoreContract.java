package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.StoreException;
import dev.roomcell.testkit.Await;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lines of the room list. */
abstract class RoomListStoreContract {
    private static final RoomKey ROOM = new RoomKey("app", "room");

    private RoomListStore store;

    abstract Database database();

    @BeforeEach
    void takeStore() {
        store = database().node().roomList();
    }

    private static ListEntry line(RoomKey key, long version, String title, int onlineCount) {
        return new ListEntry(key, version, Lifecycle.Status.ACTIVE, title, "eu", onlineCount);
    }

    private void write(ListEntry... lines) {
        Await.result(store.write(List.of(lines)));
    }

    @Test
    @Tag("ROOM-8")
    void aLineHoldsStatusTitleRegionAndOnlineCount() {
        ListEntry line = new ListEntry(ROOM, 3, Lifecycle.Status.CLOSED, "F\u00eate \ud83c\udf89 ", "", 10_000);
        write(line);
        assertThat(database().listEntry(ROOM)).contains(line);
    }

    @Test
    void aNewerLineReplacesAnOlderOne() {
        write(line(ROOM, 3, "third", 3));
        write(new ListEntry(ROOM, 4, Lifecycle.Status.CLOSED, "fourth", "us", 0));
        assertThat(database().listEntry(ROOM))
                .contains(new ListEntry(ROOM, 4, Lifecycle.Status.CLOSED, "fourth", "us", 0));
    }

    @Test
    void anOlderLineChangesNothing() {
        write(line(ROOM, 4, "fourth", 4));
        write(new ListEntry(ROOM, 3, Lifecycle.Status.CLOSED, "third", "us", 3));
        assertThat(database().listEntry(ROOM)).contains(line(ROOM, 4, "fourth", 4));
    }

    @Test
    void aLineOfTheSameVersionReplacesTheFirst() {
        write(line(ROOM, 4, "fourth", 4));
        write(line(ROOM, 4, "fourth", 5));
        assertThat(database().listEntry(ROOM)).contains(line(ROOM, 4, "fourth", 5));
    }

    @Test
    void inOneCallTheNewestLineOfARoomWinsWhereverItStands() {
        write(line(ROOM, 3, "third", 3), line(ROOM, 5, "fifth", 5), line(ROOM, 4, "fourth", 4));
        assertThat(database().listEntry(ROOM)).contains(line(ROOM, 5, "fifth", 5));
    }

    @Test
    void manyLinesAreWrittenAtOnceAndNoneAtNone() {
        List<ListEntry> lines = IntStream.range(0, 300)
                .mapToObj(i -> line(new RoomKey("app", "room-" + i), i, "title " + i, i))
                .toList();
        Await.result(store.write(lines));
        lines.forEach(line -> assertThat(database().listEntry(line.key())).contains(line));
        Await.result(store.write(List.of()));
    }

    @Test
    void roomsThatDifferInAnyByteHaveLinesOfTheirOwn() {
        List<ListEntry> lines = List.of(
                line(ROOM, 1, "a", 1),
                line(new RoomKey("app", "Room"), 1, "b", 2),
                line(new RoomKey("app", "room "), 1, "c", 3),
                line(new RoomKey("other", "room"), 1, "d", 4));
        Await.result(store.write(lines));
        lines.forEach(line -> assertThat(database().listEntry(line.key())).contains(line));
    }

    @Test
    void aTitleThatIsTooLongFails() {
        write(line(ROOM, 1, "t".repeat(128), 1));
        assertThat(Await.failure(store.write(List.of(line(ROOM, 2, "t".repeat(129), 2)))))
                .isInstanceOf(StoreException.class);
        assertThat(database().listEntry(ROOM).map(ListEntry::version)).contains(1L);
    }
}
