package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.TimerStore.DueTimer;
import dev.roomcell.port.TimerStore.GivenBack;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.port.TimerStore.RoomTimer;
import dev.roomcell.port.TimerStore.TimerClaim;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlTimerStoreIT extends TimerStoreContract {
    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    @Override
    Database database() {
        return DATABASE;
    }

    /** TIMER-1: while versions are mixed, a newer node's timers are left to it. */
    @Test
    void aTimerOfAKindThatOnlyANewerNodeKnowsStopsNoOther() {
        RoomTimer timer = new RoomTimer(new RoomKey("app", "a"), Kind.CREATE_LIMIT);
        Await.result(DATABASE.node().commands().insertCreating(timer.key(), NOW_MS));
        DATABASE.tables()
                .change("INSERT INTO room_timers (app_code, room_id, kind, due_ms) VALUES ('app', 'b', 'NEWER', 1)");

        assertThat(Await.result(DATABASE.node()
                        .timers()
                        .claimDue(new TimerClaim("node-a", NOW_MS, NOW_MS, NOW_MS + 10_000, 10))))
                .extracting(DueTimer::timer)
                .containsExactly(timer);
    }

    /** LEASE-15, B84: a table so small that a plan would rather read all of it, and so wait for whatever is locked in it. */
    @Test
    void neitherACommitNorAClaimWaitsForTheTimersOfOtherRooms() {
        RoomKey first = new RoomKey("app", "a");
        Await.result(DATABASE.node().commands().insertCreating(first, NOW_MS));
        List<RoomBatch> ends = new ArrayList<>();
        List<RoomTimer> due = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            RoomKey ending = new RoomKey("app", "ending-" + i);
            Await.result(DATABASE.node().commands().insertCreating(ending, NOW_MS + 1));
            ends.add(Batch.of(ending, 0, 1)
                    .commands("c-1")
                    .noTimer(Kind.CREATE_LIMIT)
                    .done());
            due.add(new RoomTimer(new RoomKey("app", "due-" + i), Kind.CREATE_LIMIT));
            Await.result(DATABASE.node().commands().insertCreating(due.get(i).key(), NOW_MS));
        }
        HeldRow held = DATABASE.tables().holdTimers(first);
        try {
            assertThat(Await.result(DATABASE.node()
                            .timers()
                            .claimDue(new TimerClaim("node-a", NOW_MS, NOW_MS, NOW_MS + 10_000, 100))))
                    .extracting(DueTimer::timer)
                    .containsExactlyInAnyOrderElementsOf(due);
            assertThat(Await.result(DATABASE.node().commands().commit(ends, true)))
                    .isEqualTo(new GroupOutcome.Committed(Collections.nCopies(ends.size(), Verdict.APPENDED)));
        } finally {
            held.close();
        }
    }

    /** LEASE-15: one order of rows, whoever gives back. */
    @Test
    void nodesThatGiveBackTheSameRoomsNeverWaitForEachOther() {
        List<GivenBack> timers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            RoomTimer timer = new RoomTimer(new RoomKey("app", "room-" + i), Kind.CREATE_LIMIT);
            Await.result(DATABASE.node().commands().insertCreating(timer.key(), NOW_MS));
            timers.add(new GivenBack(timer, NOW_MS));
        }
        List<GivenBack> backwards = new ArrayList<>(timers);
        Collections.reverse(backwards);
        for (int round = 0; round < 20; round++) {
            long untilMs = NOW_MS + 5;
            DATABASE.tables().change("UPDATE room_timers SET due_ms = ?", untilMs);
            Future<Void> here = DATABASE.node().timers().giveBack(timers, untilMs);
            Future<Void> there = DATABASE.otherNode().timers().giveBack(backwards, untilMs);
            Await.result(Future.join(here, there));
        }
    }
}
