package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.LiveRoomStore.LiveRoom;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.testkit.Await;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which rooms need an owner, and who had them last. */
@Tag("LEASE-14")
abstract class LiveRoomStoreContract {
    private static final long DUE_MS = 1_700_000_000_000L;
    private static final int MANY = 100;

    private LiveRoomStore store;

    abstract Database database();

    @BeforeEach
    void takeStore() {
        store = database().node().liveRooms();
    }

    private RoomKey created(String app, String roomId) {
        RoomKey key = new RoomKey(app, roomId);
        Await.result(database().node().commands().insertCreating(key, DUE_MS));
        return key;
    }

    private RoomKey ownedBy(String nodeId, String app, String roomId) {
        RoomKey key = created(app, roomId);
        mint(key, nodeId);
        return key;
    }

    private void mint(RoomKey key, String nodeId) {
        Await.result(database().node().commands().mint(key, nodeId, "token", OptionalLong.empty()));
    }

    private void commit(Batch batch) {
        Await.result(database().node().commands().commit(List.of(batch.done()), true));
    }

    private List<String> owners(int most) {
        return Await.result(store.owners(most));
    }

    private List<LiveRoom> rooms(String nodeId, Optional<RoomKey> after, int most) {
        return Await.result(store.roomsOf(nodeId, after, most));
    }

    private List<RoomKey> keys(String nodeId) {
        return rooms(nodeId, Optional.empty(), MANY).stream().map(LiveRoom::key).toList();
    }

    @Test
    void whoHasLiveRoomsIsNamedOnceById() {
        assertThat(owners(MANY)).isEmpty();
        ownedBy("node-b", "app", "1");
        ownedBy("node-c", "app", "2");
        ownedBy("node-a", "app", "3");
        ownedBy("node-b", "other", "4");
        assertThat(owners(MANY)).containsExactly("node-a", "node-b", "node-c");
        assertThat(owners(2)).containsExactly("node-a", "node-b");
    }

    /** ROOM-5: its timer sees to it. */
    @Test
    void aRoomThatNobodyHasHadYetCountsForNobody() {
        created("app", "1");
        assertThat(owners(MANY)).isEmpty();
        ownedBy("node-a", "app", "2");
        assertThat(owners(MANY)).containsExactly("node-a");
    }

    @Test
    void theRoomsOfANodeComePageByPageByKey() {
        RoomKey third = ownedBy("node-a", "app", "c");
        RoomKey first = ownedBy("node-a", "app", "a");
        RoomKey fourth = ownedBy("node-a", "other", "a");
        RoomKey second = ownedBy("node-a", "app", "b");
        ownedBy("node-b", "app", "bb");
        assertThat(keys("node-a")).containsExactly(first, second, third, fourth);
        assertThat(rooms("node-a", Optional.empty(), 2))
                .extracting(LiveRoom::key)
                .containsExactly(first, second);
        assertThat(rooms("node-a", Optional.of(second), 2))
                .extracting(LiveRoom::key)
                .containsExactly(third, fourth);
        assertThat(rooms("node-a", Optional.of(third), MANY))
                .extracting(LiveRoom::key)
                .containsExactly(fourth);
        assertThat(rooms("node-a", Optional.of(fourth), MANY)).isEmpty();
        assertThat(rooms("nobody", Optional.empty(), MANY)).isEmpty();
    }

    @Test
    void whoLoadsARoomHasItFromThenOn() {
        RoomKey room = ownedBy("node-a", "app", "1");
        mint(room, "node-b");
        assertThat(owners(MANY)).containsExactly("node-b");
        assertThat(keys("node-a")).isEmpty();
        assertThat(keys("node-b")).containsExactly(room);
    }

    /** A commit says whether the room is live from then on; a closed room never is. */
    @Test
    void roomsThatNeedNoOwnerAreNotThere() {
        RoomKey idle = ownedBy(Batch.NODE, "app", "idle");
        RoomKey closed = ownedBy(Batch.NODE, "app", "closed");
        RoomKey live = ownedBy(Batch.NODE, "app", "live");
        commit(Batch.of(idle, 0, 2).commands("c-1").idle());
        commit(Batch.of(closed, 0, 2).commands("c-1").closing());
        commit(Batch.of(live, 0, 2).commands("c-1"));
        assertThat(keys(Batch.NODE)).containsExactly(live);

        commit(Batch.of(live, 1, 2).commands("c-2").idle());
        commit(Batch.of(idle, 1, 2).commands("c-2"));
        assertThat(keys(Batch.NODE)).containsExactly(idle);
        assertThat(owners(MANY)).containsExactly(Batch.NODE);

        commit(Batch.of(idle, 2, 2).commands("c-3").idle());
        assertThat(owners(MANY)).isEmpty();
    }

    @Test
    void theFirstOfARoomsTimersIsToldWithIt() {
        RoomKey two = ownedBy(Batch.NODE, "app", "1");
        RoomKey none = ownedBy(Batch.NODE, "app", "2");
        RoomKey one = ownedBy(Batch.NODE, "app", "3");
        commit(Batch.of(two, 0, 2)
                .commands("c-1")
                .clearingTimers()
                .timer(Kind.STALE_SWEEP, DUE_MS + 7)
                .timer(Kind.MIC_DEADLINE, DUE_MS + 5));
        commit(Batch.of(none, 0, 2).commands("c-1").clearingTimers());
        assertThat(rooms(Batch.NODE, Optional.empty(), MANY))
                .containsExactly(
                        new LiveRoom(two, OptionalLong.of(DUE_MS + 5)),
                        new LiveRoom(none, OptionalLong.empty()),
                        new LiveRoom(one, OptionalLong.of(DUE_MS)));
    }
}
