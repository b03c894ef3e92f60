package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ExternalRooms;
import dev.roomcell.port.ExternalRooms.Found;
import dev.roomcell.testkit.Await;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which room is behind the id that the vendors call it by. */
@Tag("SEC-2")
abstract class ExternalRoomsContract {
    private static final long DUE_MS = 1_700_000_000_000L;

    abstract Database database();

    abstract ExternalRooms rooms();

    private RoomKey created(String app, String roomId) {
        RoomKey key = new RoomKey(app, roomId);
        Await.result(database().node().commands().insertCreating(key, DUE_MS));
        return key;
    }

    private void mint(RoomKey key) {
        Await.result(database().node().commands().mint(key, Batch.NODE, "token", OptionalLong.empty()));
    }

    private void commit(Batch batch) {
        Await.result(database().node().commands().commit(List.of(batch.done()), true));
    }

    private Optional<Found> find(RoomKey key) {
        return find(ExternalIds.groupId(key));
    }

    private Optional<Found> find(String externalId) {
        return Await.result(rooms().find(externalId));
    }

    @Test
    void aRoomIsFoundFromItsFirstMomentOn() {
        RoomKey key = created("app", "1");
        assertThat(find(key)).contains(new Found(key, Status.CREATING, true, ""));
        mint(key);
        assertThat(find(key)).contains(new Found(key, Status.CREATING, true, Batch.NODE));
        commit(Batch.of(key, 0, 2).commands("c-1"));
        assertThat(find(key)).contains(new Found(key, Status.ACTIVE, true, Batch.NODE));
    }

    @Test
    void whetherItIsLiveAndWhetherItIsOverIsSeenWithTheCommit() {
        RoomKey key = created("app", "1");
        mint(key);
        commit(Batch.of(key, 0, 2).commands("c-1").idle());
        assertThat(find(key)).contains(new Found(key, Status.ACTIVE, false, Batch.NODE));
        commit(Batch.of(key, 1, 2).commands("c-2"));
        assertThat(find(key)).contains(new Found(key, Status.ACTIVE, true, Batch.NODE));
        commit(Batch.of(key, 2, 2).commands("c-3").closing());
        assertThat(find(key)).contains(new Found(key, Status.CLOSED, false, Batch.NODE));
    }

    @Test
    void roomsThatDifferInOneByteAreToldApart() {
        for (RoomKey key : List.of(
                created("app", "room"),
                created("appr", "oom"),
                created("app", "Room"),
                created("app", "room "),
                created("app", "r\u00f6\u00f6m"),
                created("app", "\ud83c\udfa4"),
                created("app", "\ud83c\udfb8"),
                created("app", "'\"%_\\"))) {
            assertThat(find(key)).as("%s", key).map(Found::key).contains(key);
        }
    }

    @Test
    void whatIsNoRoomIsNotFound() {
        created("app", "1");
        assertThat(find(new RoomKey("app", "2"))).isEmpty();
        assertThat(find("")).isEmpty();
        assertThat(find("8489")).isEmpty();
        assertThat(find(ExternalIds.groupId(new RoomKey("app", "1")).toUpperCase(Locale.ROOT)))
                .isEmpty();
    }
}
