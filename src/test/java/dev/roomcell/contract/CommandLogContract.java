package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.LoggedCommand;
import dev.roomcell.port.CommandStore.RecentId;
import dev.roomcell.port.CommandStore.RoomRow;
import dev.roomcell.port.CommandStore.StoredEvents;
import dev.roomcell.port.CommandStore.StoredRoom;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.StoreException;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import dev.roomcell.testkit.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a commit writes, what it refuses to write, and what a load reads back. */
abstract class CommandLogContract {
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final RoomKey OTHER = new RoomKey("app", "other");
    private static final RoomKey SAME_ID_OTHER_APP = new RoomKey("other", "room");
    private static final long TIMER_DUE_MS = 1_700_000_060_000L;

    private CommandStore store;

    abstract Database database();

    @BeforeEach
    void createRooms() {
        store = database().node().commands();
        for (RoomKey key : List.of(ROOM, OTHER, SAME_ID_OTHER_APP)) {
            Await.result(store.insertCreating(key, TIMER_DUE_MS));
        }
    }

    private GroupOutcome commit(Batch... batches) {
        List<RoomBatch> group = List.of(batches).stream().map(Batch::done).toList();
        return Await.result(store.commit(group, true));
    }

    private void commitAll(Batch... batches) {
        assertThat(commit(batches))
                .isEqualTo(new GroupOutcome.Committed(Collections.nCopies(batches.length, Verdict.APPENDED)));
    }

    private void assertRefused(Cause cause, Batch... batches) {
        assertThat(commit(batches))
                .isInstanceOfSatisfying(
                        GroupOutcome.RolledBack.class,
                        rolledBack -> assertThat(rolledBack.cause()).isEqualTo(cause));
    }

    private void assertUntouched(RoomKey key) {
        assertThat(Await.result(store.find(key))).contains(new RoomRow(Lifecycle.Status.CREATING, 0, 1, ""));
        assertThat(database().log(key)).isEmpty();
        assertThat(database().outbox(key)).isEmpty();
        assertThat(database().timers(key)).hasSize(1);
        assertThat(database().listEntry(key)).isEmpty();
    }

    private LoggedCommand find(RoomKey key, String commandId) {
        Map<String, LoggedCommand> found = Await.result(store.findCommands(key, List.of(commandId)));
        assertThat(found).containsOnlyKeys(commandId);
        return found.values().iterator().next();
    }

    private StoredRoom load(RoomKey key) {
        return Await.result(store.load(key, 0, 1_024));
    }

    @Test
    @Tag("LEASE-8")
    void aLogRowHoldsTheCommandAndWhoCommittedItUnderWhichTokenAndEpoch() {
        RoomBatch batch = Batch.of(ROOM, 0, 1).commands("c-1", "c-2").done();
        Await.result(store.commit(List.of(batch), true));
        List<LogFields> expected = batch.rows().stream()
                .map(row -> new LogFields(row, Batch.NODE, Batch.TOKEN, 1))
                .toList();
        assertThat(database().log(ROOM)).usingRecursiveComparison().isEqualTo(expected);
    }

    @Test
    void aCommitMovesTheRoomsRowToWhatTheBatchSays() {
        commitAll(Batch.of(ROOM, 0, 1).commands("c-1", "c-2", "c-3"));
        assertThat(database().room(ROOM))
                .contains(new RoomFields(Lifecycle.Status.ACTIVE, 3, 1, Batch.NODE, Batch.TOKEN, true));
        commitAll(Batch.of(ROOM, 3, 1).commands("c-4").closing());
        assertThat(database().room(ROOM))
                .contains(new RoomFields(Lifecycle.Status.CLOSED, 4, 1, Batch.NODE, Batch.TOKEN, false));
    }

    @Test
    void everyFactOfAVersionIsInTheOutboxInItsPlace() {
        LogRow none = Batch.row(1, "c-1", "", List.of());
        LogRow three = Batch.row(
                2,
                "c-2",
                "",
                IntStream.range(0, 3).mapToObj(i -> Batch.fact(i, "c-2")).toList());
        commitAll(Batch.of(ROOM, 0, 1).row(none).row(three));
        List<OutboxFields> expected =
                three.facts().stream().map(fact -> new OutboxFields(2, fact)).toList();
        assertThat(database().outbox(ROOM)).usingRecursiveComparison().isEqualTo(expected);
    }

    @Test
    void bytesComeBackAsTheyWere() {
        byte[] every = new byte[300_000];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        String id = "c-\u00e9\ud83d\ude00";
        RoomBatch.Fact fact = new RoomBatch.Fact(0, "RoomUserJoined", true, every);
        LogRow row = new LogRow(1, id, Batch.payloadHash(id), "K", "", 1, new byte[0], every, every, List.of(fact));
        commitAll(Batch.of(ROOM, 0, 1).row(row));
        assertThat(load(ROOM).tail().get(0).events()).isEqualTo(every);
        assertThat(load(ROOM).tail().get(0).storedBytes()).isEqualTo(600_000);
        assertThat(find(ROOM, id).payloadHash()).isEqualTo(Batch.payloadHash(id));
        assertThat(find(ROOM, id).result()).isEqualTo(every);
        assertThat(database().log(ROOM).get(0).row().command()).isEmpty();
        assertThat(database().outbox(ROOM).get(0).fact().envelope()).isEqualTo(every);
    }

    @Test
    void whatIsStoredIsACopy() {
        LogRow row = Batch.row(1, "c-1");
        commitAll(Batch.of(ROOM, 0, 1).row(row));
        row.events()[0] = '!';
        row.facts().get(0).envelope()[0] = '!';
        load(ROOM).tail().get(0).events()[1] = '!';
        assertThat(load(ROOM).tail().get(0).events())
                .isEqualTo(Batch.row(1, "c-1").events());
        assertThat(database().outbox(ROOM).get(0).fact().envelope())
                .isEqualTo(Batch.fact(0, "c-1").envelope());
    }

    @Test
    void aFullGroupIsWrittenWhole() {
        List<Batch> group = new ArrayList<>();
        for (int room = 0; room < 64; room++) {
            RoomKey key = new RoomKey("app", "room-" + room);
            Await.result(store.insertCreating(key, TIMER_DUE_MS));
            String[] ids =
                    IntStream.range(0, 1 + room % 11).mapToObj(i -> "c-" + i).toArray(String[]::new);
            group.add(Batch.of(key, 0, 1).commands(ids).listed("room " + room));
        }
        commitAll(group.toArray(Batch[]::new));
        for (Batch batch : group) {
            RoomBatch written = batch.done();
            assertThat(database().log(written.key()).stream().map(LogFields::row))
                    .extracting(Batch::text)
                    .isEqualTo(written.rows().stream().map(Batch::text).toList());
            assertThat(database().listEntry(written.key())).isEqualTo(written.listEntry());
        }
    }

    @Test
    @Tag("LEASE-11")
    void aCommandIdThatIsInTheRoomsLogUndoesTheWholeGroup() {
        commitAll(Batch.of(ROOM, 0, 1).commands("c-1"));
        assertRefused(
                Cause.DUPLICATE_KEY,
                Batch.of(OTHER, 0, 1).commands("c-9").listed("other").clearingTimers(),
                Batch.of(ROOM, 1, 1).commands("c-2", "c-1").listed("room"));
        assertUntouched(OTHER);
        assertThat(database().log(ROOM)).hasSize(1);
        assertThat(database().listEntry(ROOM)).isEmpty();
        commitAll(Batch.of(ROOM, 1, 1).commands("c-2"));
    }

    @Test
    @Tag("LEASE-11")
    void aCommandIdOrAVersionTwiceInABatchIsADuplicate() {
        assertRefused(Cause.DUPLICATE_KEY, Batch.of(ROOM, 0, 1).commands("c-1", "c-1"));
        assertRefused(
                Cause.DUPLICATE_KEY,
                Batch.of(ROOM, 0, 1).row(Batch.row(1, "c-1", "", List.of())).row(Batch.row(1, "c-2", "", List.of())));
        assertUntouched(ROOM);
    }

    @Test
    @Tag("OUT-8")
    void aFactsPlaceTwiceInAVersionIsADuplicate() {
        List<RoomBatch.Fact> facts = List.of(Batch.fact(0, "a"), Batch.fact(0, "b"));
        assertRefused(Cause.DUPLICATE_KEY, Batch.of(ROOM, 0, 1).row(Batch.row(1, "c-1", "", facts)));
        assertUntouched(ROOM);
    }

    @Test
    void commandIdsAreComparedByteByByteWithinTheirRoom() {
        commitAll(
                Batch.of(ROOM, 0, 1).commands("c-1", "C-1", "c-1 ", "\u00e7-1"),
                Batch.of(OTHER, 0, 1).commands("c-1"),
                Batch.of(SAME_ID_OTHER_APP, 0, 1).commands("c-1"));
        assertThat(find(ROOM, "c-1").version()).isEqualTo(1);
        assertThat(find(ROOM, "C-1").version()).isEqualTo(2);
        assertThat(find(ROOM, "c-1 ").version()).isEqualTo(3);
        assertThat(Await.result(store.findCommands(ROOM, List.of("c-1  ", "C-1 "))))
                .isEmpty();
    }

    @Test
    @Tag("LEASE-15")
    void aValueThatNoColumnTakesIsTheStatementsFaultAndUndoesTheWholeGroup() {
        Batch fine = Batch.of(OTHER, 0, 1).commands("c-9").listed("other").clearingTimers();
        assertRefused(Cause.STATEMENT, fine, Batch.of(ROOM, 0, 1).commands("c".repeat(65)));
        assertRefused(Cause.STATEMENT, fine, Batch.of(ROOM, 0, 1).row(Batch.row(1, "c-1", "u".repeat(33), List.of())));
        assertRefused(
                Cause.STATEMENT, fine, Batch.of(ROOM, 0, 1).commands("c-1").listed("t".repeat(129)));
        assertUntouched(ROOM);
        assertUntouched(OTHER);
        commitAll(fine, Batch.of(ROOM, 0, 1).commands("c".repeat(64)).listed("t".repeat(128)));
    }

    @Test
    @Tag("TIMER-1")
    void aCommitThatClearsTimersClearsItsRoomsTimersOnly() {
        commitAll(
                Batch.of(OTHER, 0, 1).commands("c-1"),
                Batch.of(ROOM, 0, 1).commands("c-1").clearingTimers());
        assertThat(database().timers(ROOM)).isEmpty();
        assertThat(database().timers(OTHER)).hasSize(1);
        assertThat(database().timers(SAME_ID_OTHER_APP)).hasSize(1);
    }

    @Test
    @Tag("ROOM-8")
    void aCommitWritesTheRoomsLineOfTheListUnlessANewerOneIsThere() {
        commitAll(Batch.of(ROOM, 0, 1).commands("c-1").listed("first"));
        ListEntry first = new ListEntry(ROOM, 1, Lifecycle.Status.ACTIVE, "first", "eu", 0, 3);
        assertThat(database().listEntry(ROOM)).contains(first);
        ListEntry ahead = new ListEntry(ROOM, 9, Lifecycle.Status.ACTIVE, "ahead", "eu", 7, 8);
        Await.result(database().node().roomList().write(List.of(ahead)));
        commitAll(Batch.of(ROOM, 1, 1).commands("c-2").listed("second"));
        assertThat(database().listEntry(ROOM)).contains(ahead);
    }

    @Test
    void aLoadReadsTheRowTheLogAndTheIdsInOrder() {
        commitAll(Batch.of(ROOM, 0, 1).commands("c-3", "c-2"));
        commitAll(Batch.of(ROOM, 2, 1).commands("c-1"));
        StoredRoom room = load(ROOM);
        assertThat(room.row()).isEqualTo(new RoomRow(Lifecycle.Status.ACTIVE, 3, 1, Batch.NODE));
        assertThat(room.snapshot()).isEmpty();
        assertThat(room.tail())
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(stored(1, "c-3"), stored(2, "c-2"), stored(3, "c-1"));
        assertThat(room.recentIds()).containsExactly(recent(1, "c-3"), recent(2, "c-2"), recent(3, "c-1"));
    }

    private static StoredEvents stored(long version, String commandId) {
        LogRow row = Batch.row(version, commandId);
        return new StoredEvents(version, row.atMs(), row.events(), row.storedBytes());
    }

    private static RecentId recent(long version, String commandId) {
        return new RecentId(commandId, Batch.atMs(version));
    }

    @Test
    void aRoomInCreationLoadsEmpty() {
        StoredRoom room = load(ROOM);
        assertThat(room.row()).isEqualTo(new RoomRow(Lifecycle.Status.CREATING, 0, 1, ""));
        assertThat(room.tail()).isEmpty();
        assertThat(room.recentIds()).isEmpty();
    }

    @Test
    void aRoomWithoutARowIsNotLoaded() {
        assertThat(Await.failure(store.load(new RoomKey("app", "absent"), 0, 10)))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void afterASnapshotOnlyTheLaterLogIsReadButAllRecentIds() {
        commitAll(Batch.of(ROOM, 0, 1).commands("c-1", "c-2", "c-3"));
        Snapshot snapshot = Snapshot.of(2, 77, Batch.bytes("state"), Batch.bytes("seen"));
        Await.result(database().node().snapshots().save(ROOM, snapshot));
        StoredRoom room = load(ROOM);
        assertThat(room.snapshot().orElseThrow()).usingRecursiveComparison().isEqualTo(snapshot);
        assertThat(room.tail()).extracting(StoredEvents::version).containsExactly(3L);
        assertThat(room.recentIds()).hasSize(3);
    }

    @Test
    @Tag("LOG-4")
    void aDamagedSnapshotIsPassedOverForTheOneBeforeItAndThenForTheLog() {
        commitAll(Batch.of(ROOM, 0, 1).commands("c-1", "c-2", "c-3"));
        for (long version : new long[] {1, 2}) {
            Snapshot snapshot = Snapshot.of(version, 77, Batch.bytes("state " + version), new byte[0]);
            Await.result(database().node().snapshots().save(ROOM, snapshot));
        }
        assertThat(load(ROOM).snapshot().map(Snapshot::version)).contains(2L);
        database().damageSnapshot(ROOM, 2);
        assertThat(load(ROOM).snapshot().map(Snapshot::version)).contains(1L);
        assertThat(load(ROOM).tail()).extracting(StoredEvents::version).containsExactly(2L, 3L);
        database().damageSnapshot(ROOM, 1);
        assertThat(load(ROOM).snapshot()).isEmpty();
        assertThat(load(ROOM).tail()).extracting(StoredEvents::version).containsExactly(1L, 2L, 3L);
    }

    @Test
    @Tag("CMD-2")
    void theNewestIdsAreReadUpToALimitAndAnAge() {
        commitAll(Batch.of(ROOM, 0, 1).commands("c-1", "c-2", "c-3", "c-4"));
        assertThat(Await.result(store.load(ROOM, 0, 3)).recentIds())
                .containsExactly(recent(2, "c-2"), recent(3, "c-3"), recent(4, "c-4"));
        assertThat(Await.result(store.load(ROOM, Batch.atMs(3), 3)).recentIds())
                .containsExactly(recent(3, "c-3"), recent(4, "c-4"));
        assertThat(Await.result(store.load(ROOM, Batch.atMs(5), 3)).recentIds()).isEmpty();
        assertThat(Await.result(store.load(ROOM, Batch.atMs(5), 0)).tail()).hasSize(4);
    }

    @Test
    void aLongLogIsReadWithoutAGap() {
        int rows = 4_100;
        for (int from = 0; from < rows; from += 410) {
            String[] ids =
                    IntStream.range(from, from + 410).mapToObj(i -> "c-" + i).toArray(String[]::new);
            commitAll(Batch.of(ROOM, from, 1).commands(ids));
        }
        assertThat(load(ROOM).tail())
                .hasSize(rows)
                .extracting(StoredEvents::version)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(load(ROOM).recentIds()).hasSize(1_024).last().isEqualTo(recent(rows, "c-" + (rows - 1)));
    }

    @Test
    @Tag("CMD-6")
    void commandsAreFoundWithTheResultThatWasStored() {
        commitAll(
                Batch.of(ROOM, 0, 1).commands("c-1", "c-2"),
                Batch.of(OTHER, 0, 1).commands("c-3"));
        Map<String, LoggedCommand> found = Await.result(store.findCommands(ROOM, List.of("c-2", "c-3", "c-4")));
        LogRow row = Batch.row(2, "c-2");
        assertThat(found)
                .usingRecursiveComparison()
                .isEqualTo(Map.of("c-2", new LoggedCommand(row.payloadHash(), 2, row.result())));
    }

    @Test
    void manyCommandsAreFoundAtOnceAndNoneAmongNone() {
        List<String> ids = IntStream.range(0, 300).mapToObj(i -> "c-" + i).toList();
        commitAll(Batch.of(ROOM, 0, 1).commands(ids.toArray(String[]::new)));
        assertThat(Await.result(store.findCommands(ROOM, ids)).keySet()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(Await.result(store.findCommands(ROOM, List.of()))).isEmpty();
        assertThat(Await.result(store.findCommands(new RoomKey("app", "absent"), ids)))
                .isEmpty();
    }
}
