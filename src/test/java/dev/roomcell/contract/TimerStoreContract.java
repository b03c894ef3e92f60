package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
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
}
