package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.DueTimer;
import dev.roomcell.port.TimerStore.GivenBack;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.port.TimerStore.RoomTimer;
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

    private RoomTimer timer(String roomId, long dueMs) {
        RoomKey key = new RoomKey("app", roomId);
        Await.result(database().node().commands().insertCreating(key, dueMs));
        return new RoomTimer(key, Kind.CREATE_LIMIT);
    }

    /** Of a room that nobody owns yet. */
    private static TimerClaim claimOf(long nowMs, int limit) {
        return new TimerClaim("node-a", nowMs, nowMs, nowMs + CLAIM_MS, limit);
    }

    private static List<RoomTimer> claim(TimerStore from, long nowMs, int limit) {
        return timers(Await.result(from.claimDue(claimOf(nowMs, limit))));
    }

    private static List<RoomTimer> timers(List<DueTimer> due) {
        return due.stream().map(DueTimer::timer).toList();
    }

    @Test
    @Tag("TIMER-1")
    void onlyWhatIsDueIsClaimedOldestFirst() {
        RoomTimer newest = timer("a", NOW_MS);
        RoomTimer oldest = timer("b", NOW_MS - 2);
        RoomTimer middle = timer("c", NOW_MS - 1);
        timer("d", NOW_MS + 1);
        assertThat(claim(store, NOW_MS, 10)).containsExactly(oldest, middle, newest);
    }

    @Test
    void aClaimTakesNoMoreThanItsLimitAndTheOldestOfThem() {
        RoomTimer newest = timer("a", NOW_MS);
        RoomTimer oldest = timer("b", NOW_MS - 2);
        RoomTimer middle = timer("c", NOW_MS - 1);
        assertThat(claim(store, NOW_MS, 2)).containsExactly(oldest, middle);
        assertThat(claim(store, NOW_MS, 2)).containsExactly(newest);
    }

    @Test
    @Tag("TIMER-1")
    void aClaimedTimerIsDueAgainOnlyWhenTheClaimHasRunOut() {
        RoomTimer timer = timer("a", NOW_MS);
        assertThat(claim(store, NOW_MS, 10)).containsExactly(timer);
        assertThat(claim(otherNode, NOW_MS + CLAIM_MS - 1, 10)).isEmpty();
        assertThat(database().timers(timer.key())).isEqualTo(Map.of(Kind.CREATE_LIMIT, NOW_MS + CLAIM_MS));
        assertThat(claim(otherNode, NOW_MS + CLAIM_MS, 10)).containsExactly(timer);
    }

    @Test
    @Tag("TIMER-1")
    void aTimerThatIsGivenBackIsDueForEverybodyAtOnce() {
        RoomTimer given = timer("a", NOW_MS);
        RoomTimer kept = timer("b", NOW_MS);
        assertThat(claim(store, NOW_MS, 10)).containsExactlyInAnyOrder(given, kept);
        Await.result(store.giveBack(List.of(new GivenBack(given, NOW_MS)), NOW_MS + CLAIM_MS));
        assertThat(claim(otherNode, NOW_MS - 1, 10)).isEmpty();
        assertThat(claim(otherNode, NOW_MS, 10)).containsExactly(given);
    }

    @Test
    @Tag("TIMER-1")
    void aClaimThatHasRunOutIsNobodysToGiveBack() {
        RoomTimer timer = timer("a", NOW_MS);
        assertThat(claim(store, NOW_MS, 10)).containsExactly(timer);
        assertThat(claim(otherNode, NOW_MS + CLAIM_MS, 10)).containsExactly(timer);
        Await.result(store.giveBack(List.of(new GivenBack(timer, NOW_MS)), NOW_MS + CLAIM_MS));
        assertThat(database().timers(timer.key())).isEqualTo(Map.of(Kind.CREATE_LIMIT, NOW_MS + 2 * CLAIM_MS));
    }

    @Test
    @Tag("TIMER-1")
    void aTimerThatIsGoneStaysGone() {
        RoomTimer timer = timer("a", NOW_MS);
        assertThat(claim(store, NOW_MS, 10)).containsExactly(timer);
        Batch acts = Batch.of(timer.key(), 0, 1).commands("c-1").clearingTimers();
        Await.result(database().node().commands().commit(List.of(acts.done()), true));
        Await.result(store.giveBack(List.of(new GivenBack(timer, NOW_MS)), NOW_MS + CLAIM_MS));
        assertThat(database().timers(timer.key())).isEmpty();
    }

    @Test
    @Tag("TIMER-1")
    void aTimerWhoseRoomHasActedIsNotClaimed() {
        RoomTimer timer = timer("a", NOW_MS);
        Batch acts = Batch.of(timer.key(), 0, 1).commands("c-1").clearingTimers();
        Await.result(database().node().commands().commit(List.of(acts.done()), true));
        assertThat(claim(store, NOW_MS, 10)).isEmpty();
    }

    @Test
    @Tag("TIMER-1")
    void twoNodesThatClaimAtOnceGetDifferentTimers() {
        List<RoomTimer> timers = IntStream.range(0, 60)
                .mapToObj(i -> timer("room-" + i, NOW_MS - i))
                .toList();
        List<RoomTimer> claimed = new ArrayList<>();
        Await.until("every timer is claimed", () -> {
            Future<List<DueTimer>> here = store.claimDue(claimOf(NOW_MS, 10));
            Future<List<DueTimer>> there = otherNode.claimDue(claimOf(NOW_MS, 10));
            claimed.addAll(timers(Await.result(here)));
            claimed.addAll(timers(Await.result(there)));
            return claimed.size() >= timers.size();
        });
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(timers);
    }

    @Test
    void nothingIsClaimedWhereNothingIsDue() {
        timer("a", NOW_MS + 1);
        assertThat(claim(store, NOW_MS, 10)).isEmpty();
    }

    private static List<RoomTimer> claimAs(TimerStore from, String nodeId, long lateMs) {
        return timers(Await.result(from.claimDue(new TimerClaim(nodeId, NOW_MS, lateMs, NOW_MS + CLAIM_MS, 10))));
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
        RoomTimer timer = new RoomTimer(ownedBy("node-a", "a"), Kind.CREATE_LIMIT);

        assertThat(claimAs(otherNode, "node-b", NOW_MS - 6)).isEmpty();
        assertThat(claimAs(store, "node-a", NOW_MS - 6)).containsExactly(timer);
    }

    /** LEASE-14: whose owner does not heed it any more. */
    @Test
    @Tag("TIMER-1")
    void aTimerThatIsLateIsAnybodysToClaim() {
        RoomTimer timer = new RoomTimer(ownedBy("node-a", "a"), Kind.CREATE_LIMIT);

        assertThat(claimAs(otherNode, "node-b", NOW_MS - 5)).containsExactly(timer);
        assertThat(claimAs(store, "node-a", NOW_MS - 5)).isEmpty();
    }

    /** B11: whoever gives one back that is not theirs must know when it was due. */
    @Test
    @Tag("TIMER-1")
    void aClaimSaysWhenTheTimerWasDue() {
        RoomTimer timer = timer("a", NOW_MS - 3);
        assertThat(Await.result(store.claimDue(claimOf(NOW_MS, 10)))).containsExactly(new DueTimer(timer, NOW_MS - 3));
    }

    /** What only others can act on is in the way of nothing. */
    @Test
    @Tag("TIMER-1")
    void aNodesOwnTimersComeBeforeTheLateOnesOfOthers() {
        for (int i = 0; i < 20; i++) {
            ownedBy("node-b", "theirs-" + i);
        }
        RoomTimer ours = timer("ours", NOW_MS);

        List<RoomTimer> claimed = claimAs(store, "node-a", NOW_MS);
        assertThat(claimed).hasSize(10).first().isEqualTo(ours);
    }

    @Test
    @Tag("TIMER-1")
    void aSideTaskIsThereOnceHoweverOftenItIsPlannedAndGoesWhenItIsDone() {
        RoomKey key = ownedBy("node-a", "a");
        RoomTimer ann = new RoomTimer(key, Kind.RTC_REMOVE_USER, "ann");
        RoomTimer ben = new RoomTimer(key, Kind.RTC_REMOVE_USER, "ben");
        Await.result(store.plan(ann, NOW_MS - 9));
        Await.result(store.plan(ben, NOW_MS - 8));
        Await.result(otherNode.plan(ann, NOW_MS + 5));
        assertThat(Await.result(store.claimDue(claimOf(NOW_MS, 2))))
                .containsExactly(new DueTimer(ann, NOW_MS - 9), new DueTimer(ben, NOW_MS - 8));

        Await.result(store.done(ann, NOW_MS + CLAIM_MS));
        assertThat(claim(store, NOW_MS + CLAIM_MS, 10)).contains(ben).doesNotContain(ann);
    }

    /** A second kick while the first one's removal is on its way is another removal. */
    @Test
    @Tag("TIMER-1")
    void aSideTaskThatWasSetAnewMeanwhileIsNotDone() {
        RoomKey key = ownedBy("node-a", "a");
        RoomTimer ann = new RoomTimer(key, Kind.RTC_REMOVE_USER, "ann");
        Await.result(store.plan(ann, NOW_MS - 9));
        assertThat(claim(store, NOW_MS, 1)).containsExactly(ann);
        Batch again = Batch.of(key, 0, 2).commands("c-1").timer(Kind.RTC_REMOVE_USER, "ann", NOW_MS + 1);
        Await.result(database().node().commands().commit(List.of(again.done()), true));

        Await.result(store.done(ann, NOW_MS + CLAIM_MS));
        assertThat(claim(store, NOW_MS + 1, 10)).contains(ann);
    }

    /** Others' timers that are due before ours don't keep ours out of a look. */
    @Test
    void othersTimersTakeNoPlaceInALook() {
        for (int i = 0; i < 20; i++) {
            ownedBy("node-b", "theirs-" + i);
        }
        RoomTimer ours = timer("ours", NOW_MS);

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
