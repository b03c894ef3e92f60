package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.RoomListStore.Place;
import dev.roomcell.port.StoreException;
import dev.roomcell.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        return new ListEntry(key, version, Lifecycle.Status.ACTIVE, title, "eu", onlineCount, 5);
    }

    private void write(ListEntry... lines) {
        Await.result(store.write(List.of(lines)));
    }

    @Test
    @Tag("ROOM-8")
    void aLineHoldsStatusTitleRegionOnlineCountAndHeat() {
        ListEntry line =
                new ListEntry(ROOM, 3, Lifecycle.Status.CLOSED, "F\u00eate \ud83c\udf89 ", "", 10_000, 1L << 40);
        write(line);
        assertThat(database().listEntry(ROOM)).contains(line);
    }

    @Test
    void aNewerLineReplacesAnOlderOne() {
        write(line(ROOM, 3, "third", 3));
        write(new ListEntry(ROOM, 4, Lifecycle.Status.CLOSED, "fourth", "us", 0, 6));
        assertThat(database().listEntry(ROOM))
                .contains(new ListEntry(ROOM, 4, Lifecycle.Status.CLOSED, "fourth", "us", 0, 6));
    }

    @Test
    void anOlderLineChangesNothing() {
        write(line(ROOM, 4, "fourth", 4));
        write(new ListEntry(ROOM, 3, Lifecycle.Status.CLOSED, "third", "us", 3, 9));
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

    private static ListEntry room(String app, String id, String region, long heat) {
        return new ListEntry(new RoomKey(app, id), 1, Lifecycle.Status.ACTIVE, "title of " + id, region, 2, heat);
    }

    private List<String> hottest(Optional<String> region, Optional<Place> after, int most) {
        return Await.result(store.hottest("app", region, after, most)).stream()
                .map(entry -> entry.key().roomId())
                .toList();
    }

    @Test
    void theHottestRoomsComeFirstAndEquallyHotOnesByTheBytesOfTheirId() {
        write(
                room("app", "b", "eu", 0),
                room("app", "B", "us", 0),
                room("app", "b ", "", 0),
                room("app", "\uffee", "eu", 0),
                // Sorts before the one above as UTF-16, after it as bytes.
                room("app", "\ud83c\udf89", "eu", 0),
                room("app", "hot", "us", 7),
                room("app", "hottest", "eu", Long.MAX_VALUE),
                room("ap", "of another app", "eu", 9),
                room("apps", "of a third app", "eu", 9));
        assertThat(hottest(Optional.empty(), Optional.empty(), 100))
                .containsExactly("hottest", "hot", "B", "b", "b ", "\uffee", "\ud83c\udf89");
        assertThat(hottest(Optional.of("eu"), Optional.empty(), 100))
                .containsExactly("hottest", "b", "\uffee", "\ud83c\udf89");
        assertThat(hottest(Optional.of("e"), Optional.empty(), 100)).isEmpty();
        assertThat(hottest(Optional.empty(), Optional.empty(), 2)).containsExactly("hottest", "hot");
    }

    @Test
    void aLineIsReadAsItWasWritten() {
        ListEntry line = room("app", "caf\u00e9 \ud83c\udf89", "eu-1", 12);
        write(line);
        assertThat(Await.result(store.hottest("app", Optional.empty(), Optional.empty(), 1)))
                .containsExactly(line);
    }

    @Test
    void roomsThatAreNotActiveAreNotListed() {
        List<ListEntry> lines = new ArrayList<>();
        for (Lifecycle.Status status : Lifecycle.Status.values()) {
            lines.add(new ListEntry(new RoomKey("app", status.name()), 1, status, "t", "eu", 0, 0));
        }
        Await.result(store.write(lines));
        assertThat(hottest(Optional.empty(), Optional.empty(), 100)).containsExactly("ACTIVE");
        assertThat(hottest(Optional.of("eu"), Optional.empty(), 100)).containsExactly("ACTIVE");
    }

    @Test
    void pageAfterPageEveryRoomIsSeenOnce() {
        List<ListEntry> lines = IntStream.range(0, 60)
                .mapToObj(i -> room("app", "room-" + i, i % 2 == 0 ? "eu" : "us", i % 5))
                .toList();
        Await.result(store.write(lines));
        for (Optional<String> region : List.of(Optional.<String>empty(), Optional.of("us"))) {
            List<String> atOnce = hottest(region, Optional.empty(), 100);
            List<String> paged = new ArrayList<>();
            Optional<Place> after = Optional.empty();
            do {
                List<ListEntry> page = Await.result(store.hottest("app", region, after, 7));
                page.forEach(entry -> paged.add(entry.key().roomId()));
                after = page.stream().reduce((first, last) -> last).map(ListEntry::place);
            } while (after.isPresent());
            assertThat(paged).hasSize(region.isPresent() ? 30 : 60).isEqualTo(atOnce);
        }
    }

    @Test
    void aPlaceWhereNoRoomStandsAnyMoreIsAsGoodAsAnother() {
        write(room("app", "a", "eu", 5), room("app", "c", "eu", 5), room("app", "d", "eu", 3));
        assertThat(hottest(Optional.empty(), Optional.of(new Place(5, "b")), 100))
                .containsExactly("c", "d");
        assertThat(hottest(Optional.empty(), Optional.of(new Place(4, "")), 100))
                .containsExactly("d");
        assertThat(hottest(Optional.empty(), Optional.of(new Place(3, "d")), 100))
                .isEmpty();
    }
}
