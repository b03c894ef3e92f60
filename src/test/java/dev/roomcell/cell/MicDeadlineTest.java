package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MIC-3: who does not publish in time loses the seat, whoever owns the room by then. */
class MicDeadlineTest {
    /** A timer is seen at most so late, ms. */
    private static final long LATE_MS = 2_000;

    private final CellWorld world = new CellWorld();
    private final CellNode a = world.node("a");
    private final CellNode b = world.node("b");
    private final List<TimeoutWorker> workers = new ArrayList<>();

    private void watchTimers(CellNode node) {
        workers.add(node.watchTimers(Limits.TTL_MS));
    }

    @AfterEach
    void stop() {
        workers.forEach(TimeoutWorker::stop);
    }

    @BeforeEach
    void benTakesASeat() {
        a.createWith(ROOM, "ben", "cid");
        Answers.assertDone(a.ask(ROOM, "up", new MicSeats.MicUp("ben", 2)));
    }

    private long deadlineMs() {
        return Objects.requireNonNull(world.database.timers(ROOM).get(Kind.MIC_DEADLINE));
    }

    private static Status seat(CellNode node, int seatNo) {
        return node.room(ROOM).seats().get(seatNo - 1).status();
    }

    /** MIC-3, TIMER-1, CMD-5. */
    @Test
    void aSeatThatNobodyConfirmsIsFreeWithinTwoSecondsOfItsDeadline() {
        watchTimers(a);
        long deadlineMs = deadlineMs();
        assertThat(deadlineMs).isEqualTo(world.nowMs() + Limits.PUBLISH_MS);

        world.advance(Limits.PUBLISH_MS - 1);
        assertThat(seat(a, 2)).isEqualTo(Status.PENDING_PUBLISH);
        world.advance(LATE_MS);

        assertThat(seat(a, 2)).isEqualTo(Status.IDLE);
        assertThat(a.present(ROOM)).contains("ben");
        assertThat(world.loggedIds(ROOM)).endsWith("~mic:mic-4:" + deadlineMs);
        assertThat(world.database.timers(ROOM)).containsOnlyKeys(Kind.STALE_SWEEP);
    }

    /** TIMER-1: the commit that confirms ends the timer. */
    @Test
    void aConfirmedSeatHasNoTimerAndStays() {
        watchTimers(a);

        Answers.assertDone(a.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", "mic-4")));

        assertThat(world.database.timers(ROOM)).containsOnlyKeys(Kind.STALE_SWEEP);
        world.advance(Limits.PUBLISH_MS + LATE_MS);
        assertThat(seat(a, 2)).isEqualTo(Status.PUBLISHING);
    }

    /** MIC-7: the same session has a second deadline, and at it another cause. */
    @Test
    void aMoveOnTheAirHasADeadlineOfItsOwnAndTheStreamIsBelievedAtIt() {
        watchTimers(a);
        Answers.assertDone(a.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", "mic-4")));
        for (int move = 0; move < 2; move++) {
            world.advance(1_000);
            // Not a word would be a reason to doubt it (MIC-10).
            a.outcome(a.shard.heartbeat(ROOM, "ben", new MicSign("mic-4", true)));
            Answers.assertDone(a.ask(ROOM, "move-" + move, new MicSeats.ChangeMicSeat("ben", 3 + move, "")));
            assertThat(seat(a, 3 + move)).isEqualTo(Status.PENDING_PUBLISH);

            world.advance(Limits.PUBLISH_MS + LATE_MS);

            assertThat(seat(a, 3 + move)).isEqualTo(Status.PUBLISHING);
        }
        assertThat(world.loggedIds(ROOM))
                .filteredOn(id -> id.startsWith("~mic:mic-4:"))
                .hasSize(2);
    }

    /** TIMER-1: one timer a room, due at the first of its deadlines. */
    @Test
    void twoSeatsAreTakenDownEachAtItsOwnDeadline() {
        watchTimers(a);
        world.advance(5_000);
        Answers.assertDone(a.ask(ROOM, "up-cid", new MicSeats.MicUp("cid", 3)));

        world.advance(Limits.PUBLISH_MS - 5_000 + LATE_MS);
        assertThat(seat(a, 2)).isEqualTo(Status.IDLE);
        assertThat(seat(a, 3)).isEqualTo(Status.PENDING_PUBLISH);

        world.advance(5_000);
        assertThat(seat(a, 3)).isEqualTo(Status.IDLE);
    }

    /** MIC-3, B42: the deadline is the room's, not a timer's that died with the owner. */
    @Test
    void theNextOwnerKeepsTheDeadlineOfTheOneThatDied() {
        watchTimers(b);
        a.loop.freeze();
        world.advance(Limits.TTL_MS + 1);
        Answers.assertDone(b.ask(ROOM, "join-dan", Wishes.join("dan")));

        world.advance(Limits.PUBLISH_MS - Limits.TTL_MS - 2);
        assertThat(seat(b, 2)).isEqualTo(Status.PENDING_PUBLISH);
        world.advance(LATE_MS);

        assertThat(seat(b, 2)).isEqualTo(Status.IDLE);
    }

    /** LEASE-14, B57: a timer that its owner does not heed brings somebody who does. */
    @Test
    void aRoomThatNobodyTouchesIsAdoptedWhenItsTimerIsLate() {
        watchTimers(b);
        a.loop.freeze();

        world.advance(Limits.PUBLISH_MS + Limits.TTL_MS - 1);
        assertThat(b.loadedRooms()).isZero();
        world.advance(LATE_MS);

        assertThat(b.loadedRooms()).isEqualTo(1);
        assertThat(seat(b, 2)).isEqualTo(Status.IDLE);
    }

    /** TIMER-1: others' timers are left to them as long as they heed them. */
    @Test
    void anotherNodesTimerIsNotEvenClaimed() {
        watchTimers(b);
        watchTimers(a);

        world.advance(Limits.PUBLISH_MS + LATE_MS);

        assertThat(seat(a, 2)).isEqualTo(Status.IDLE);
        assertThat(b.script.calls()).containsOnly(Call.CLAIM_DUE);
        assertThat(b.script.count(Call.GIVE_BACK)).isZero();
    }

    /** TIMER-1, B11: what such a node takes for late is not, and is not put off by its clock either. */
    @Test
    void aNodeWhoseClockIsFarAheadPutsNobodysTimerOff() {
        watchTimers(a);
        watchTimers(b);
        b.clock.wrongBy(45_000);

        world.advance(Limits.PUBLISH_MS + LATE_MS);

        assertThat(b.script.count(Call.GIVE_BACK)).isPositive();
        assertThat(seat(a, 2)).isEqualTo(Status.IDLE);
    }

    /** LEASE-9: the lease is gone between the look and the commit, so nothing is written. */
    @Test
    void aTimeoutUnderALostLeaseWritesNothing() {
        watchTimers(a);
        HeldCall verification = a.script.holdNext(Call.VERIFY);
        world.advance(Limits.PUBLISH_MS + LATE_MS);
        assertThat(verification.arrived()).isTrue();
        world.redis.delete(ROOM.routeKey());
        Answers.assertDone(b.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", "mic-4")));

        verification.letGo();
        world.run();

        assertThat(world.loggedIds(ROOM)).endsWith("confirm");
        assertThat(seat(b, 2)).isEqualTo(Status.PUBLISHING);
    }

    /** B55: queued together, whichever comes first wins. */
    @Test
    void aConfirmationThatCameBeforeTheTimeoutWins() {
        watchTimers(a);
        HeldCall busy = a.occupy(ROOM);
        Future<Answer> confirm = a.send(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", "mic-4"), 60_000);
        world.advance(Limits.PUBLISH_MS + LATE_MS);

        busy.letGo();
        world.run();

        Answers.assertDone(confirm);
        assertThat(seat(a, 2)).isEqualTo(Status.PUBLISHING);
        assertThat(world.loggedIds(ROOM)).endsWith("confirm");
    }

    /** The timer rows are what the state says, whatever the commands of one batch did to them. */
    @Test
    void aBatchThatTakesAndLeavesASeatSetsNoTimer() {
        Answers.assertDone(a.ask(ROOM, "down", new MicSeats.MicDown("ben", "ben", "")));
        assertThat(world.database.timers(ROOM)).containsOnlyKeys(Kind.STALE_SWEEP);
        HeldCall busy = a.occupy(ROOM);
        Future<Answer> up = a.send(ROOM, "up-again", new MicSeats.MicUp("ben", 2));
        Future<Answer> down = a.send(ROOM, "down-again", new MicSeats.MicDown("ben", "ben", ""));

        busy.letGo();
        world.run();

        Answers.assertDone(up);
        Answers.assertDone(down);
        assertThat(world.database.timers(ROOM)).containsOnlyKeys(Kind.STALE_SWEEP);
    }

    /** ROOM-4. */
    @Test
    void aClosedRoomHasNoTimers() {
        Answers.assertDone(a.ask(ROOM, "close", Wishes.close()));

        assertThat(world.database.timers(ROOM)).isEqualTo(Map.of());
    }

    @Test
    void theDeadlineIsInTheStateThatIsLoaded() {
        RoomState before = a.room(ROOM);
        a.outcome(a.shard.drain());

        assertThat(b.room(ROOM).seats()).isEqualTo(before.seats());
    }
}
