package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.StoreException;
import dev.roomcell.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which snapshots of a room are kept. */
abstract class SnapshotStoreContract {
    private static final RoomKey ROOM = new RoomKey("app", "room");

    private SnapshotStore store;

    abstract Database database();

    @BeforeEach
    void takeStore() {
        store = database().node().snapshots();
    }

    private static Snapshot snapshot(long version) {
        return Snapshot.of(version, 1_000 + version, Batch.bytes("state at " + version), Batch.bytes("seen"));
    }

    private void save(RoomKey key, Snapshot snapshot) {
        Await.result(store.save(key, snapshot));
    }

    private void assertStored(RoomKey key, Snapshot... snapshots) {
        assertThat(database().snapshots(key))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(snapshots);
    }

    @Test
    void aSnapshotIsStoredAsItIs() {
        byte[] state = {0, -1, 39, 92};
        // Its checksum has the 32nd bit set.
        Snapshot snapshot = Snapshot.of(1, 2, state, new byte[0]);
        save(ROOM, snapshot);
        state[0] = 1;
        assertStored(ROOM, Snapshot.of(1, 2, new byte[] {0, -1, 39, 92}, new byte[0]));
    }

    @Test
    void aDamagedStateIsNoticed() {
        save(ROOM, snapshot(1));
        assertThat(database().snapshots(ROOM).get(0).intact()).isTrue();
        database().damageSnapshot(ROOM, 1);
        assertThat(database().snapshots(ROOM).get(0).intact()).isFalse();
    }

    @Test
    @Tag("LOG-4")
    void onlyTheTwoNewestOfARoomAreKept() {
        RoomKey other = new RoomKey("app", "room ");
        save(other, snapshot(1));
        for (long version : new long[] {5, 9, 12}) {
            save(ROOM, snapshot(version));
        }
        assertStored(ROOM, snapshot(9), snapshot(12));
        assertStored(other, snapshot(1));
    }

    @Test
    void oneThatComesLateTakesNoNewerOnesPlace() {
        List.of(9L, 12L, 5L).forEach(version -> save(ROOM, snapshot(version)));
        assertStored(ROOM, snapshot(9), snapshot(12));
    }

    @Test
    void theSameVersionAgainReplacesTheFirst() {
        Snapshot again = Snapshot.of(5, 9_999, Batch.bytes("again"), Batch.bytes("seen later"));
        save(ROOM, snapshot(4));
        save(ROOM, snapshot(5));
        save(ROOM, again);
        assertStored(ROOM, snapshot(4), again);
    }

    @Test
    void aRoomIdThatIsTooLongFails() {
        RoomKey tooLong = new RoomKey("app", "r".repeat(65));
        assertThat(Await.failure(store.save(tooLong, snapshot(1)))).isInstanceOf(StoreException.class);
        assertStored(tooLong);
    }
}
