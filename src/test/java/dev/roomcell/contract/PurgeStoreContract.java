package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.Reward;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.PurgeStore.Page;
import dev.roomcell.port.PurgeStore.Proof;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What may be deleted, and what never. */
abstract class PurgeStoreContract {
    static final long DAY_MS = 86_400_000;
    static final long KEPT_MS = 7 * DAY_MS;
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final int MANY = 100;

    private PurgeStore store;
    private PurgeStore otherNode;

    abstract Database database();

    @BeforeEach
    void takeStores() {
        store = database().node().purge();
        otherNode = database().otherNode().purge();
    }

    /** Commits versions, each of them so many days old. */
    void versions(RoomKey key, int... daysOld) {
        if (database().room(key).isEmpty()) {
            Await.result(database().node().commands().insertCreating(key, 1));
        }
        long before = database().room(key).orElseThrow().version();
        Batch batch = Batch.of(key, before, 1);
        for (int days : daysOld) {
            long version = ++before;
            long atMs = database().nowMs() - days * DAY_MS - (days == 0 ? 0 : 1);
            byte[] bytes = Batch.bytes("version " + version);
            batch.row(new LogRow(
                    version, "c-" + version, new byte[16], "DO", "user", atMs, bytes, bytes, bytes, List.of()));
        }
        assertThat(Await.result(database().node().commands().commit(List.of(batch.done()), true)))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.APPENDED)));
    }

    void snapshots(RoomKey key, long... versions) {
        for (long version : versions) {
            byte[] state = Batch.bytes("state at " + version);
            Await.result(database().node().snapshots().save(key, Snapshot.of(version, 1, state, new byte[0])));
        }
    }

    private List<Long> logged(RoomKey key) {
        return database().log(key).stream()
                .map(fields -> fields.row().version())
                .toList();
    }

    private List<Long> snapshotted(RoomKey key) {
        return database().snapshots(key).stream().map(Snapshot::version).toList();
    }

    private static Proof proof(Long... versions) {
        return new Proof(List.of(versions));
    }

    private int purge(Proof proof, int limit) {
        return Await.result(store.purgeLog(ROOM, proof, KEPT_MS, limit));
    }

    private Page overdue(Optional<RoomKey> after, int most) {
        return Await.result(store.overdue(after, most, KEPT_MS));
    }

    @Test
    @Tag("LOG-1")
    void rowsThatAreOldAndCoveredByTwoSnapshotsGo() {
        versions(ROOM, 9, 8, 8, 7, 6);
        snapshots(ROOM, 3, 5);
        assertThat(purge(proof(5L, 3L), MANY)).isEqualTo(3);
        assertThat(logged(ROOM)).as("4 is old, and one snapshot covers it").containsExactly(4L, 5L);
        assertThat(purge(proof(5L, 3L), MANY)).isZero();
    }

    @Test
    @Tag("LOG-1")
    void rowsThatAreYoungStayWhateverCoversThem() {
        versions(ROOM, 8, 6, 0, 0);
        snapshots(ROOM, 3, 4);
        assertThat(purge(proof(4L, 3L), MANY)).isEqualTo(1);
        assertThat(logged(ROOM)).containsExactly(2L, 3L, 4L);
    }

    /** A stamp may be older than the one before it only by a fault; then the log would have a gap. */
    @Test
    void whatIsLeftHasNoGaps() {
        versions(ROOM, 8, 0, 8, 0, 0);
        snapshots(ROOM, 4, 5);
        assertThat(purge(proof(5L, 4L), MANY)).isEqualTo(1);
        assertThat(logged(ROOM)).containsExactly(2L, 3L, 4L, 5L);
    }

    @Test
    @Tag("LOG-1")
    void aBatchTakesTheOldestRowsAndNoMoreThanItMay() {
        versions(ROOM, 9, 9, 9, 9, 9, 0, 0);
        snapshots(ROOM, 6, 7);
        assertThat(purge(proof(7L, 6L), 2)).isEqualTo(2);
        assertThat(logged(ROOM)).containsExactly(3L, 4L, 5L, 6L, 7L);
        assertThat(purge(proof(7L, 6L), 3)).isEqualTo(3);
        assertThat(purge(proof(7L, 6L), 3)).isZero();
        assertThat(logged(ROOM)).containsExactly(6L, 7L);
    }

    @Test
    @Tag("LOG-1")
    void ifOneOfTheTwoSnapshotsIsGoneMeanwhileNothingGoes() {
        versions(ROOM, 9, 9, 9, 9);
        snapshots(ROOM, 2, 4);
        assertThat(purge(proof(4L, 3L), MANY)).isZero();
        assertThat(purge(proof(5L, 2L), MANY)).isZero();
        assertThat(logged(ROOM)).hasSize(4);
    }

    @Test
    @Tag("LOG-1")
    void nodesThatPurgeTheSameRoomAtOnceDeleteWhatOneWouldHave() {
        versions(ROOM, IntStream.range(0, MANY).map(i -> 9).toArray());
        snapshots(ROOM, 90, 100);
        List<Future<Integer>> purges = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            purges.add((i % 2 == 0 ? store : otherNode).purgeLog(ROOM, proof(100L, 90L), KEPT_MS, 30));
        }
        purges.forEach(Await::result);
        while (purge(proof(100L, 90L), 30) > 0) {
            assertThat(logged(ROOM)).contains(91L);
        }
        assertThat(logged(ROOM)).hasSize(10).startsWith(91L);
    }

    @Test
    @Tag("LOG-1")
    void roomsAreFoundInWhichTheOldestRowIsOldAndTwoSnapshotsMayCoverIt() {
        RoomKey young = new RoomKey("app", "young");
        RoomKey single = new RoomKey("app", "a-single");
        RoomKey done = new RoomKey("app", "b-done");
        RoomKey unborn = new RoomKey("app", "c-unborn");
        RoomKey later = new RoomKey("bpp", "a");
        for (RoomKey key : List.of(ROOM, later, young, single, done)) {
            versions(key, key.equals(young) ? new int[] {6, 0, 0} : new int[] {8, 0, 0});
            snapshots(key, key.equals(single) ? new long[] {3} : new long[] {2, 3});
        }
        Await.result(store.purgeLog(done, proof(3L, 2L), KEPT_MS, MANY));
        Await.result(database().node().commands().insertCreating(unborn, 1));

        assertThat(overdue(Optional.empty(), MANY)).isEqualTo(new Page(List.of(ROOM, later), Optional.empty()));
        assertThat(overdue(Optional.of(ROOM), MANY)).isEqualTo(new Page(List.of(later), Optional.empty()));
        Page first = overdue(Optional.empty(), 4);
        assertThat(first).isEqualTo(new Page(List.of(ROOM), Optional.of(ROOM)));
        assertThat(overdue(first.last(), 2)).isEqualTo(new Page(List.of(later), Optional.of(later)));
        assertThat(overdue(Optional.of(later), 2)).isEqualTo(new Page(List.of(), Optional.empty()));
    }

    @Test
    void allSnapshotsAreReadAsTheyAreStoredTheNewestFirst() {
        snapshots(ROOM, 2, 4);
        database().damageSnapshot(ROOM, 4);
        List<Snapshot> read = Await.result(store.snapshots(ROOM));
        assertThat(read).extracting(Snapshot::version).containsExactly(4L, 2L);
        assertThat(read).extracting(Snapshot::intact).containsExactly(false, true);
    }

    /** LOG-1, LOG-4: the two newest of a purged room may both be bad; the one that was found right is still there. */
    @Test
    @Tag("LOG-1")
    void aRoomWhoseLogWasPurgedKeepsTheSnapshotThatTheLogBeginsBehind() {
        versions(ROOM, 9, 9, 0, 0, 0, 0);
        snapshots(ROOM, 3, 4);
        assertThat(purge(proof(4L, 3L), MANY)).isEqualTo(2);
        snapshots(ROOM, 5);
        assertThat(snapshotted(ROOM)).containsExactly(3L, 4L, 5L);
        snapshots(ROOM, 6);
        assertThat(snapshotted(ROOM)).containsExactly(3L, 5L, 6L);
        assertThat(Await.result(database().node().commands().load(ROOM, 0, 1))
                        .snapshot()
                        .orElseThrow()
                        .version())
                .isEqualTo(6);
        database().damageSnapshot(ROOM, 5);
        database().damageSnapshot(ROOM, 6);
        assertThat(Await.result(database().node().commands().load(ROOM, 0, 1))
                        .snapshot()
                        .orElseThrow()
                        .version())
                .isEqualTo(3);
    }

    @Test
    @Tag("LOG-1")
    void ofTheOlderSnapshotsTheFirstStaysThatIsRightAndBehindWhichTheLogIsWhole() {
        versions(ROOM, 9, 9, 9, 0, 0, 0, 0, 0);
        snapshots(ROOM, 3, 4);
        purge(proof(4L, 3L), MANY);
        snapshots(ROOM, 6, 8);
        assertThat(snapshotted(ROOM)).containsExactly(3L, 6L, 8L);
        assertThat(Await.result(store.purgeSnapshots(ROOM, proof(8L, 6L, 3L)))).isZero();
        assertThat(snapshotted(ROOM)).containsExactly(3L, 6L, 8L);
        // It is not right.
        assertThat(Await.result(store.purgeSnapshots(ROOM, proof(8L, 6L)))).isEqualTo(1);
        assertThat(snapshotted(ROOM)).containsExactly(6L, 8L);
    }

    @Test
    @Tag("LOG-1")
    void aSnapshotFromBeforeWhatIsLeftOfTheLogGoes() {
        versions(ROOM, 9, 9, 9, 9, 9, 0);
        snapshots(ROOM, 2, 3);
        purge(proof(3L, 2L), MANY);
        snapshots(ROOM, 5, 6);
        assertThat(snapshotted(ROOM)).containsExactly(2L, 5L, 6L);
        purge(proof(6L, 5L, 2L), MANY);
        assertThat(Await.result(store.purgeSnapshots(ROOM, proof(6L, 5L, 2L)))).isEqualTo(1);
        assertThat(snapshotted(ROOM)).containsExactly(5L, 6L);
    }

    private static Intent intent(String commandId) {
        return Intent.begun(
                new GiftKey("app", commandId), "room", "ann", new byte[16], new Gift("rose", 100, true, 0), 1, 100);
    }

    private static GiftKey gift(String commandId) {
        return new GiftKey("app", commandId);
    }

    /** Every state that an intent can be in, each under a name of its own. */
    private void everyIntent() {
        GiftStore gifts = database().node().gifts();
        Await.result(database().node().commands().insertCreating(ROOM, 1));
        Await.result(gifts.begin(
                List.of("intent", "voiding", "voided", "given", "drawing", "nothing", "due", "paid").stream()
                        .map(PurgeStoreContract::intent)
                        .toList(),
                DAY_MS));
        Await.result(gifts.giveUp(gift("voiding"), DAY_MS));
        Await.result(gifts.refused(gift("voiding"), 1, "parked"));
        Await.result(gifts.giveUp(gift("voided"), DAY_MS));
        Await.result(gifts.voided(gift("voided")));
        Batch given = Batch.of(ROOM, 0, 1)
                .gift("given", Reward.NONE, 0)
                .gift("drawing", Reward.DRAWING, 0)
                .gift("nothing", Reward.DRAWING, 0)
                .gift("due", Reward.DUE, 5)
                .gift("paid", Reward.DUE, 5);
        Await.result(database().node().commands().commit(List.of(given.done()), true));
        Await.result(gifts.drawn(gift("nothing"), 0, DAY_MS));
        Await.result(gifts.rewardPaid(gift("paid")));
    }

    private List<String> left() {
        List<GiftKey> all =
                List.of("intent", "voiding", "voided", "given", "drawing", "nothing", "due", "paid").stream()
                        .map(PurgeStoreContract::gift)
                        .toList();
        return Await.result(database().node().gifts().find(all)).keySet().stream()
                .map(GiftKey::commandId)
                .toList();
    }

    @Test
    @Tag("LOG-3")
    void intentsThatAreOverAndOldGoAndOpenOnesNever() {
        everyIntent();
        database().letGiftsAge(400 * DAY_MS + 1);
        Await.result(database().node().gifts().begin(List.of(intent("young")), DAY_MS));
        assertThat(Await.result(store.purgeGifts(400 * DAY_MS, MANY))).isEqualTo(4);
        assertThat(left()).containsExactlyInAnyOrder("intent", "voiding", "drawing", "due");
        assertThat(Await.result(store.purgeGifts(400 * DAY_MS, MANY))).isZero();
    }

    @Test
    @Tag("LOG-3")
    void intentsThatAreNotOldStay() {
        everyIntent();
        database().letGiftsAge(399 * DAY_MS);
        assertThat(Await.result(store.purgeGifts(400 * DAY_MS, MANY))).isZero();
        assertThat(left()).hasSize(8);
    }

    @Test
    @Tag("LOG-3")
    void aBatchOfIntentsIsNoLargerThanItMayBe() {
        everyIntent();
        database().letGiftsAge(401 * DAY_MS);
        assertThat(Await.result(store.purgeGifts(400 * DAY_MS, 3))).isEqualTo(3);
        assertThat(Await.result(store.purgeGifts(400 * DAY_MS, 3))).isEqualTo(1);
    }
}
