package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.RoomRow;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.StoreException;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may write to a room: its row, the epoch, and the verdicts of a commit. */
abstract class CommandStoreContract {
    static final RoomKey ROOM = new RoomKey("app", "room");
    static final RoomKey OTHER = new RoomKey("app", "other");
    private static final long TIMER_DUE_MS = 1_700_000_060_000L;

    private CommandStore store;
    private CommandStore otherNode;

    abstract Database database();

    @BeforeEach
    void takeStores() {
        store = database().node().commands();
        otherNode = database().otherNode().commands();
    }

    private boolean create(RoomKey key) {
        return Await.result(store.insertCreating(key, TIMER_DUE_MS));
    }

    private OptionalLong mint(RoomKey key) {
        return Await.result(store.mint(key, Batch.NODE, Batch.TOKEN, OptionalLong.empty()));
    }

    private GroupOutcome commit(boolean skipLocked, Batch... batches) {
        List<RoomBatch> group = List.of(batches).stream().map(Batch::done).toList();
        return Await.result(store.commit(group, skipLocked));
    }

    private void commitAll(Batch... batches) {
        GroupOutcome outcome = commit(true, batches);
        assertThat(((GroupOutcome.Committed) outcome).verdicts()).containsOnly(Verdict.APPENDED);
    }

    private static Optional<Cause> cause(GroupOutcome outcome) {
        return outcome instanceof GroupOutcome.RolledBack rolledBack
                ? Optional.of(rolledBack.cause())
                : Optional.empty();
    }

    private void whileHeld(RoomKey key, Runnable action) {
        HeldRow held = database().holdRow(key);
        try {
            action.run();
        } finally {
            held.close();
        }
    }

    private void assertUntouched(RoomKey key) {
        assertThat(database().room(key).map(RoomFields::version)).contains(0L);
        assertThat(database().log(key)).isEmpty();
        assertThat(database().outbox(key)).isEmpty();
    }

    @Test
    void aRoomThatWasNeverCreatedHasNoRow() {
        assertThat(Await.result(store.find(ROOM))).isEmpty();
    }

    @Test
    @Tag("ROOM-7")
    void aCreatedRoomStartsInCreationWithTheTimerThatEndsIt() {
        assertThat(create(ROOM)).isTrue();
        assertThat(Await.result(store.find(ROOM))).contains(new RoomRow(Lifecycle.Status.CREATING, 0, 1, ""));
        assertThat(database().room(ROOM)).contains(new RoomFields(Lifecycle.Status.CREATING, 0, 1, "", "", true));
        assertThat(database().timers(ROOM)).isEqualTo(Map.of(TimerStore.Kind.CREATE_LIMIT, TIMER_DUE_MS));
    }

    @Test
    @Tag("ROOM-7")
    void aSecondCreationChangesNothing() {
        create(ROOM);
        mint(ROOM);
        assertThat(Await.result(otherNode.insertCreating(ROOM, TIMER_DUE_MS + 1)))
                .isFalse();
        assertThat(Await.result(store.find(ROOM))).contains(new RoomRow(Lifecycle.Status.CREATING, 0, 2, Batch.NODE));
        assertThat(database().timers(ROOM)).isEqualTo(Map.of(TimerStore.Kind.CREATE_LIMIT, TIMER_DUE_MS));
    }

    @Test
    @Tag("ROOM-7")
    void ofTwoNodesThatCreateARoomAtOnceOneDoes() {
        for (int i = 0; i < 30; i++) {
            RoomKey key = new RoomKey("app", "contested-" + i);
            Future<Boolean> here = store.insertCreating(key, TIMER_DUE_MS);
            Future<Boolean> there = otherNode.insertCreating(key, TIMER_DUE_MS);
            assertThat(List.of(Await.result(here), Await.result(there))).containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    @Tag("ROOM-6")
    void aClosedRoomIsNotCreatedAgain() {
        create(ROOM);
        commitAll(Batch.of(ROOM, 0, 1).commands("c-1").closing());
        assertThat(create(ROOM)).isFalse();
        assertThat(Await.result(store.find(ROOM))).contains(new RoomRow(Lifecycle.Status.CLOSED, 1, 1, Batch.NODE));
    }

    @Test
    void aRoomIdThatIsTooLongIsNotCreated() {
        RoomKey longest = new RoomKey("app", "r".repeat(64));
        RoomKey tooLong = new RoomKey("app", "r".repeat(65));
        assertThat(create(longest)).isTrue();
        assertThat(Await.failure(store.insertCreating(tooLong, TIMER_DUE_MS))).isInstanceOf(StoreException.class);
        assertThat(Await.result(store.find(tooLong))).isEmpty();
        assertThat(database().timers(tooLong)).isEmpty();
        assertThat(create(OTHER)).isTrue();
    }

    @Test
    void idsThatDifferInAnyByteAreDifferentRooms() {
        List<RoomKey> keys = new ArrayList<>();
        List.of(
                        "room",
                        "Room",
                        "room ",
                        "room  ",
                        " room",
                        "r\u00f4om",
                        "ro\u0302om",
                        "r\u00f6om",
                        "room\ud83d\ude00",
                        "room\ud83d\ude01")
                .forEach(roomId -> keys.add(new RoomKey("app", roomId)));
        keys.add(new RoomKey("App", "room"));
        keys.add(new RoomKey("app ", "room"));
        for (int i = 0; i < keys.size(); i++) {
            assertThat(create(keys.get(i))).as(keys.get(i).toString()).isTrue();
            for (int mints = 0; mints < i; mints++) {
                mint(keys.get(i));
            }
        }
        Batch[] batches = new Batch[keys.size()];
        for (int i = 0; i < batches.length; i++) {
            batches[i] = Batch.of(keys.get(i), 0, i + 1).commands("c-" + i).listed("title " + i);
        }
        commitAll(batches);
        for (int i = 0; i < batches.length; i++) {
            assertThat(Await.result(store.findCommands(keys.get(i), List.of("c-" + i))))
                    .hasSize(1);
            assertThat(Await.result(store.load(keys.get(i), 0, 10)).tail()).hasSize(1);
            assertThat(database().listEntry(keys.get(i)).map(entry -> entry.title()))
                    .contains("title " + i);
        }
    }

    @Test
    void appCodeAndRoomIdAreKeptApart() {
        assertThat(create(new RoomKey("ab", "c"))).isTrue();
        assertThat(create(new RoomKey("a", "bc"))).isTrue();
        assertThat(Await.result(store.find(new RoomKey("abc", "c")))).isEmpty();
    }

    @Test
    @Tag("LEASE-11")
    void aMintRaisesTheEpochByOneAndWritesTheOwner() {
        create(ROOM);
        assertThat(mint(ROOM)).hasValue(2);
        assertThat(Await.result(otherNode.mint(ROOM, "node-b", "token-b", OptionalLong.empty())))
                .hasValue(3);
        assertThat(database().room(ROOM))
                .contains(new RoomFields(Lifecycle.Status.CREATING, 0, 3, "node-b", "token-b", true));
    }

    @Test
    @Tag("LEASE-16")
    void aMintFromAnEpochThatIsNoLongerTheRoomsChangesNothing() {
        create(ROOM);
        mint(ROOM);
        assertThat(Await.result(otherNode.mint(ROOM, "node-b", "token-b", OptionalLong.of(1))))
                .isEmpty();
        assertThat(database().room(ROOM))
                .contains(new RoomFields(Lifecycle.Status.CREATING, 0, 2, Batch.NODE, Batch.TOKEN, true));
        assertThat(Await.result(store.mint(ROOM, Batch.NODE, "token-2", OptionalLong.of(2))))
                .hasValue(3);
    }

    @Test
    void aRoomWithoutARowIsNotMinted() {
        assertThat(mint(ROOM)).isEmpty();
        assertThat(Await.result(store.find(ROOM))).isEmpty();
    }

    @Test
    void aMintWhoseRowStaysLockedFailsAndSucceedsLater() {
        create(ROOM);
        whileHeld(
                ROOM,
                () -> assertThat(Await.failure(store.mint(ROOM, Batch.NODE, Batch.TOKEN, OptionalLong.empty())))
                        .isInstanceOf(StoreException.class));
        assertThat(mint(ROOM)).isPresent();
    }

    @Test
    @Tag("LEASE-11")
    void aCommitUnderAnOlderEpochIsFencedAndWritesNothing() {
        create(ROOM);
        mint(ROOM);
        assertThat(commit(true, Batch.of(ROOM, 0, 1).commands("c-1")))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.FENCED)));
        assertUntouched(ROOM);
        assertThat(database().timers(ROOM)).isNotEmpty();
        assertThat(commit(false, Batch.of(ROOM, 0, 1).commands("c-1")))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.FENCED)));
    }

    @Test
    @Tag("LEASE-11")
    void aCommitUnderAnEpochThatWasNeverMintedIsFenced() {
        create(ROOM);
        assertThat(commit(true, Batch.of(ROOM, 0, 2).commands("c-1")))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.FENCED)));
        assertUntouched(ROOM);
    }

    @Test
    @Tag("LEASE-11")
    void aCommitOnAnotherVersionConflictsAndWritesNothing() {
        create(ROOM);
        commitAll(Batch.of(ROOM, 0, 1).commands("c-1"));
        for (long wrong : new long[] {0, 2}) {
            assertThat(commit(true, Batch.of(ROOM, wrong, 1).commands("c-2").closing()))
                    .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.VERSION_CONFLICT)));
        }
        assertThat(Await.result(store.find(ROOM))).contains(new RoomRow(Lifecycle.Status.ACTIVE, 1, 1, Batch.NODE));
        assertThat(database().log(ROOM)).hasSize(1);
    }

    @Test
    void whenEpochAndVersionBothDifferTheRoomIsFenced() {
        create(ROOM);
        mint(ROOM);
        assertThat(commit(true, Batch.of(ROOM, 7, 1).commands("c-1")))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.FENCED)));
    }

    @Test
    @Tag("LEASE-15")
    void aRoomThatMayNotWriteDoesNotHoldUpTheOthersOfItsGroup() {
        RoomKey locked = new RoomKey("app", "locked");
        RoomKey behind = new RoomKey("app", "behind");
        List.of(ROOM, OTHER, locked, behind).forEach(this::create);
        mint(OTHER);
        whileHeld(
                locked,
                () -> assertThat(commit(
                                true,
                                Batch.of(locked, 0, 1).commands("c-1"),
                                Batch.of(OTHER, 0, 1).commands("c-2"),
                                Batch.of(ROOM, 0, 1).commands("c-3"),
                                Batch.of(behind, 5, 1).commands("c-4")))
                        .isEqualTo(new GroupOutcome.Committed(
                                List.of(Verdict.BUSY, Verdict.FENCED, Verdict.APPENDED, Verdict.VERSION_CONFLICT))));
        assertThat(database().log(ROOM)).hasSize(1);
        List.of(OTHER, locked, behind).forEach(this::assertUntouched);
    }

    @Test
    @Tag("LEASE-15")
    void aLockedRoomThatIsNotSkippedUndoesTheCommitForNow() {
        create(ROOM);
        create(OTHER);
        Batch[] group = {
            Batch.of(OTHER, 0, 1).commands("c-1"), Batch.of(ROOM, 0, 1).commands("c-2")
        };
        whileHeld(ROOM, () -> assertThat(cause(commit(false, group))).contains(Cause.TRANSIENT));
        assertUntouched(OTHER);
        assertThat(commit(false, group))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.APPENDED, Verdict.APPENDED)));
    }

    @Test
    void aLockedRoomDelaysNoCommitOfOthers() {
        create(OTHER);
        // Nearly all rooms there are: for so many a scan of the whole table looks cheap, and would meet the locked row.
        Batch[] group = new Batch[12];
        for (int i = 0; i < group.length; i++) {
            RoomKey key = new RoomKey("app", "room-" + i);
            create(key);
            group[i] = Batch.of(key, 0, 1).commands("c-1");
        }
        whileHeld(OTHER, () -> {
            assertThat(commit(false, group))
                    .isEqualTo(new GroupOutcome.Committed(Collections.nCopies(group.length, Verdict.APPENDED)));
            assertThat(mint(new RoomKey("app", "room-0"))).hasValue(2);
        });
    }

    @Test
    void aRoomWithoutARowLooksLockedInAGroupAndFencedAlone() {
        assertThat(commit(true, Batch.of(ROOM, 0, 1).commands("c-1")))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.BUSY)));
        assertThat(commit(false, Batch.of(ROOM, 0, 1).commands("c-1")))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.FENCED)));
        assertThat(Await.result(store.find(ROOM))).isEmpty();
        assertThat(database().log(ROOM)).isEmpty();
    }

    @Test
    @Tag("LEASE-11")
    void ofTwoNodesThatCommitTheSameVersionOneDoesAndNoneDeadlocks() {
        int rooms = 8;
        List<RoomKey> keys = new ArrayList<>();
        for (int i = 0; i < rooms; i++) {
            keys.add(new RoomKey("app", "contested-" + i));
            create(keys.get(i));
        }
        for (int version = 0; version < 10; version++) {
            List<RoomBatch> here = new ArrayList<>();
            List<RoomBatch> there = new ArrayList<>();
            for (RoomKey key : keys) {
                here.add(Batch.of(key, version, 1).commands("here-" + version).done());
                there.add(
                        0,
                        Batch.of(key, version, 1).commands("there-" + version).done());
            }
            Future<GroupOutcome> first = store.commit(here, false);
            Future<GroupOutcome> second = otherNode.commit(there, false);
            List<Verdict> verdicts = new ArrayList<>();
            verdicts.addAll(((GroupOutcome.Committed) Await.result(first)).verdicts());
            verdicts.addAll(((GroupOutcome.Committed) Await.result(second)).verdicts());
            assertThat(verdicts).containsOnly(Verdict.APPENDED, Verdict.VERSION_CONFLICT);
            assertThat(verdicts.stream().filter(Verdict.APPENDED::equals)).hasSize(rooms);
        }
        keys.forEach(key -> assertThat(database().log(key)).hasSize(10));
    }
}
