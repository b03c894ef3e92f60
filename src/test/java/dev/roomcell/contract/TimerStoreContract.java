package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.DueTimer;
import dev.roomcell.port.TimerStore.GivenBack;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.port.TimerStore.TimerClaim;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who gets a timer that is due. */
abstract class TimerStoreContract {
    static final long NOW_MS = 1_700_000_000_000L;
    private static final long CLAIM_MS = 10_000;

    private TimerStore store;
    private TimerStore otherNode;

    abstract Database database();

    @BeforeEach
    void takeStores() {
        store = database().node().timers();
        otherNode = database().otherNode().timers();
    }

    private DueTimer timer(String roomId, long dueMs) {
        RoomKey key = new RoomKey("app", roomId);
        Await.result(database().node().commands().insertCreating(key, dueMs));
        return new DueTimer(key, Kind.CREATE_LIMIT);
    }

    /** Of a room that nobody owns yet. */
    private static TimerClaim claimOf(long nowMs, int limit) {
        return new TimerClaim("node-a", nowMs, nowMs, nowMs + CLAIM_MS, limit);
    }

    private static List<DueTimer> claim(TimerStore from, long nowMs, int limit) {
        return Await.result(from.claimDue(claimOf(nowMs, limit)));
    }

    @Test
    @Tag("TIMER-1")
    void onlyWhatIsDueIsClaimedOldestFirst() {
        DueTimer newest = timer("a", NOW_MS);
        DueTimer oldest = timer("b", NOW_MS - 2);
        DueTimer middle = timer("c", NOW_MS - 1);
        timer("d", NOW_MS + 1);
        assertThat(claim(store, NOW_MS, 10)).containsExactly(oldest, middle, newest);
    }

    @Test
    void aClaimTakesNoMoreThanItsLimitAndTheOldestOfThem() {
        DueTimer newest = timer("a", NOW_MS);
        DueTimer oldest = timer("b", NOW_MS - 2);
        DueTimer middle = timer("c", NOW_MS - 1);
        assertThat(claim(store, NOW_MS, 2)).containsExactly(oldest, middle);
        assertThat(claim(store, NOW_MS, 2)).containsExactly(newest);
    }

    @Test
    @Tag("TIMER-1")
    void aClaimedTimerIsDueAgainOnlyWhenTheClaimHasRunOut() {
        DueTimer timer = timer("a", NOW_MS);
        assertThat(claim(store, NOW_MS, 10)).containsExactly(timer);
        assertThat(claim(otherNode, NOW_MS + CLAIM_MS - 1, 10)).isEmpty();
        assertThat(database().timers(timer.key())).isEqualTo(Map.of(Kind.CREATE_LIMIT, NOW_MS + CLAIM_MS));
        assertThat(claim(otherNode, NOW_MS + CLAIM_MS, 10)).containsExactly(timer);
    }

    @Test
    @Tag("TIMER-1")
    void aTimerThatIsGivenBackIsDueForEverybodyAtOnce() {
        DueTimer given = timer("a", NOW_MS);
        DueTimer kept = timer("b", NOW_MS);
        assertThat(claim(store, NOW_MS, 10)).containsExactlyInAnyOrder(given, kept);
        Await.result(store.giveBack(List.of(new GivenBack(given, NOW_MS)), NOW_MS + CLAIM_MS));
        assertThat(claim(otherNode, NOW_MS - 1, 10)).isEmpty();
        assertThat(claim(otherNode, NOW_MS, 10)).containsExactly(given);
    }

    @Test
    @Tag("TIMER-1")
    void aClaimThatHasRunOutIsNobodysToGiveBack() {
        DueTimer timer = timer("a", NOW_MS);
        assertThat(claim(store, NOW_MS, 10)).containsExactly(timer);
        assertThat(claim(otherNode, NOW_MS + CLAIM_MS, 10)).containsExactly(timer);
        Await.result(store.giveBack(List.of(new GivenBack(timer, NOW_MS)), NOW_MS + CLAIM_MS));
        assertThat(database().timers(timer.key())).isEqualTo(Map.of(Kind.CREATE_LIMIT, NOW_MS + 2 * CLAIM_MS));
    }

    @Test
    @Tag("TIMER-1")
    void aTimerThatIsGoneStaysGone() {
        DueTimer timer = timer("a", NOW_MS);
        assertThat(claim(store, NOW_MS, 10)).containsExactly(timer);
        Batch acts = Batch.of(timer.key(), 0, 1).commands("c-1").clearingTimers();
        Await.result(database().node().commands().commit(List.of(acts.done()), true));
        Await.result(store.giveBack(List.of(new GivenBack(timer, NOW_MS)), NOW_MS + CLAIM_MS));
        assertThat(database().timers(timer.key())).isEmpty();
    }

    @Test
    @Tag("TIMER-1")
    void aTimerWhoseRoomHasActedIsNotClaimed() {
        DueTimer timer = timer("a", NOW_MS);
        Batch acts = Batch.of(timer.key(), 0, 1).commands("c-1").clearingTimers();
        Await.result(database().node().commands().commit(List.of(acts.done()), true));
        assertThat(claim(store, NOW_MS, 10)).isEmpty();
    }

    @Test
    @Tag("TIMER-1")
    void twoNodesThatClaimAtOnceGetDifferentTimers() {
        List<DueTimer> timers = IntStream.range(0, 60)
                .mapToObj(i -> timer("room-" + i, NOW_MS - i))
                .toList();
        List<DueTimer> claimed = new ArrayList<>();
        Await.until("every timer is claimed", () -> {
            Future<List<DueTimer>> here = store.claimDue(claimOf(NOW_MS, 10));
            Future<List<DueTimer>> there = otherNode.claimDue(claimOf(NOW_MS, 10));
            claimed.addAll(Await.result(here));
            claimed.addAll(Await.result(there));
            return claimed.size() >= timers.size();
        });
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(timers);
    }

    @Test
    void nothingIsClaimedWhereNothingIsDue() {
        timer("a", NOW_MS + 1);
        assertThat(claim(store, NOW_MS, 10)).isEmpty();
    }

    private static List<DueTimer> claimAs(TimerStore from, String nodeId, long lateMs) {
        return Await.result(from.claimDue(new TimerClaim(nodeId, NOW_MS, lateMs, NOW_MS + CLAIM_MS, 10)));
    }

    private RoomKey ownedBy(String nodeId, String roomId) {
        RoomKey key = new RoomKey("app", roomId);
        Await.result(database().node().commands().insertCreating(key, NOW_MS - 5));
        Await.result(database().node().commands().mint(key, nodeId, "token", OptionalLong.empty()));
        return key;
    }

    /** TIMER-1: the timers of rooms that somebody has are that node's to heed. */
    @Test
    @Tag("TIMER-1")
    void aTimerIsItsRoomsOwnersToClaimUntilItIsLate() {
        DueTimer timer = new DueTimer(ownedBy("node-a", "a"), Kind.CREATE_LIMIT);

        assertThat(claimAs(otherNode, "node-b", NOW_MS - 6)).isEmpty();
        assertThat(claimAs(store, "node-a", NOW_MS - 6)).containsExactly(timer);
    }

    /** LEASE-14: whose owner does not heed it any more. */
    @Test
    @Tag("TIMER-1")
    void aTimerThatIsLateIsAnybodysToClaim() {
        DueTimer timer = new DueTimer(ownedBy("node-a", "a"), Kind.CREATE_LIMIT);

        assertThat(claimAs(otherNode, "node-b", NOW_MS - 5)).containsExactly(timer);
        assertThat(claimAs(store, "node-a", NOW_MS - 5)).isEmpty();
    }

    /** Others' timers that are due before ours don't keep ours out of a look. */
    @Test
    void othersTimersTakeNoPlaceInALook() {
        for (int i = 0; i < 20; i++) {
            ownedBy("node-b", "theirs-" + i);
        }
        DueTimer ours = timer("ours", NOW_MS);

        assertThat(claimAs(store, "node-a", 0)).containsExactly(ours);
    }

    /** TIMER-1: written in the room's own commits, each kind for itself. */
    @Test
    @Tag("TIMER-1")
    void aCommitSetsMovesAndEndsTheTimersItNames() {
        RoomKey key = timer("a", NOW_MS).key();
        Batch sets = Batch.of(key, 0, 1)
                .commands("c-1")
                .clearingTimers()
                .timer(Kind.MIC_DEADLINE, NOW_MS + 1)
                .timer(Kind.STALE_SWEEP, NOW_MS + 2);
        Await.result(database().node().commands().commit(List.of(sets.done()), true));
        assertThat(database().timers(key))
                .isEqualTo(Map.of(Kind.MIC_DEADLINE, NOW_MS + 1, Kind.STALE_SWEEP, NOW_MS + 2));

        Batch moves = Batch.of(key, 1, 1)
                .commands("c-2")
                .timer(Kind.MIC_DEADLINE, NOW_MS + 3)
                .noTimer(Kind.STALE_SWEEP);
        Await.result(database().node().commands().commit(List.of(moves.done()), true));
        assertThat(database().timers(key)).isEqualTo(Map.of(Kind.MIC_DEADLINE, NOW_MS + 3));

        Batch ends = Batch.of(key, 2, 1).commands("c-3").noTimer(Kind.MIC_DEADLINE);
        Await.result(database().node().commands().commit(List.of(ends.done()), true));
        assertThat(database().timers(key)).isEmpty();
    }

    /** Several rooms of one commit, some of whose timers end and some begin. */
    @Test
    void theTimersOfAGroupAreEachRoomsOwn() {
        List<RoomBatch> begin = new ArrayList<>();
        List<RoomBatch> end = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            RoomKey key = timer("room-" + i, NOW_MS).key();
            begin.add(Batch.of(key, 0, 1)
                    .commands("c-1")
                    .clearingTimers()
                    .timer(Kind.STALE_SWEEP, NOW_MS + i)
                    .done());
            Batch next = Batch.of(key, 1, 1).commands("c-2");
            end.add((i % 2 == 0 ? next.noTimer(Kind.STALE_SWEEP) : next).done());
        }
        Await.result(database().node().commands().commit(begin, true));
        Await.result(database().node().commands().commit(end, true));

        for (int i = 0; i < 5; i++) {
            assertThat(database().timers(begin.get(i).key()))
                    .isEqualTo(i % 2 == 0 ? Map.of() : Map.of(Kind.STALE_SWEEP, NOW_MS + i));
        }
    }
}
