package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Lifecycle.CloseCause;
import dev.roomcell.domain.Lifecycle.RoomClosed;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ROOM-5: what a crash left half done ends by itself. */
class HealTest {
    private static final long CREATE_LIMIT_MS = 60_000;
    /** A timer is seen at most so late, ms. */
    private static final long LATE_MS = 2_000;
    /** A timer that was claimed is nobody else's for so long, ms. */
    private static final long CLAIM_MS = 10_000;

    private final CellWorld world = new CellWorld();
    private final CellNode a = world.node("a");
    private final CellNode b = world.node("b");
    private final List<TimeoutWorker> workers = new ArrayList<>();

    private void watchTimers(CellNode node) {
        // Whoever looks first claims: whose room it is, is for the room to say.
        workers.add(node.watchTimers(0));
    }

    @AfterEach
    void stop() {
        workers.forEach(TimeoutWorker::stop);
    }

    private List<RoomEvent> lastEvents() {
        return CellWorld.CODEC.decodeEvents(
                world.log(ROOM).get(world.log(ROOM).size() - 1).row().events());
    }

    /** ROOM-5. */
    @Test
    void aRoomThatStaysInCreationForAMinuteIsClosedWithTheReason() {
        watchTimers(b);
        crashInCreation();

        world.advance(CREATE_LIMIT_MS - 1);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CREATING);
        world.advance(LATE_MS);

        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
        assertThat(lastEvents()).containsExactly(new RoomClosed(CloseCause.CREATE_FAILED, 0));
        assertThat(world.database.timers(ROOM)).isEmpty();
        Answers.assertRejected(b.ask(ROOM, "create", Wishes.create()), Reason.ROOM_CLOSED);
    }

    private void crashInCreation() {
        HeldCall prepare = a.script.holdNext(Call.PREPARE);
        Answers.assertWaiting(a.send(ROOM, "create", Wishes.create()));
        world.run();
        assertThat(prepare.arrived()).isTrue();
        a.loop.freeze();
    }

    /** ROOM-5, CMD-5: the same cause has the same id on every node. */
    @Test
    void twoNodesThatHealTheSameRoomHealItOnce() {
        watchTimers(b);
        crashInCreation();
        world.advance(CREATE_LIMIT_MS + LATE_MS);
        a.loop.thaw();
        world.run();

        Answer again = a.outcome(a.heal(ROOM));

        assertThat(world.loggedIds(ROOM)).containsExactly("~heal");
        Answers.assertReplayed(again, world.loggedResult(ROOM, "~heal"));
    }

    /** ROOM-5. */
    @Test
    void aRoomWhoseCreationIsOnlySlowIsHealedTooAndItsCreatorIsTold() {
        watchTimers(a);
        HeldCall prepare = a.script.holdNext(Call.PREPARE);
        Future<Answer> create = a.send(ROOM, "create", Wishes.create(), 2 * CREATE_LIMIT_MS);
        world.advance(CREATE_LIMIT_MS + LATE_MS);

        prepare.letGo();
        world.run();

        Answers.assertRejected(create, Reason.ROOM_CLOSED);
        assertThat(world.loggedIds(ROOM)).containsExactly("~heal");
    }

    /** ROOM-5. */
    @Test
    void aRoomThatWasCreatedInTimeIsLeftAlone() {
        watchTimers(a);
        a.create(ROOM);

        world.advance(CREATE_LIMIT_MS + LATE_MS);

        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.ACTIVE);
        assertThat(world.loggedIds(ROOM)).containsExactly("create");
    }

    /** ROOM-5: the timer was claimed just before the room was created. */
    @Test
    void healingARoomThatIsWellChangesNothing() {
        a.create(ROOM);

        Answers.assertDone(a.outcome(a.heal(ROOM)));

        assertThat(world.loggedIds(ROOM)).containsExactly("create");
    }

    /** ROOM-5. */
    @Test
    void anotherNodesRoomIsLeftToThatNode() {
        watchTimers(b);
        HeldCall prepare = a.script.holdNext(Call.PREPARE);
        Future<Answer> create = a.send(ROOM, "create", Wishes.create(), 2 * CREATE_LIMIT_MS);
        world.advance(CREATE_LIMIT_MS + LATE_MS);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CREATING);

        prepare.letGo();
        world.run();
        Answers.assertDone(create);
    }

    /** ROOM-5. */
    @Test
    void anOwnerThatLoadsARoomInClosingFinishesIt() {
        a.createWith(ROOM, "ben");
        a.outcome(a.shard.drain());
        world.beganToClose(ROOM);

        Future<Answer> join = b.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();

        Answers.assertRejected(join, Reason.ROOM_CLOSED);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
        assertThat(lastEvents()).containsExactly(new RoomClosed(CloseCause.CLOSING_FINISHED, 1));
        assertThat(b.loadedRooms()).isZero();
        assertThat(world.route(ROOM)).isEmpty();
    }

    /** ROOM-5, ROOM-3. */
    @Test
    void aRoomInClosingThatCannotBeFinishedYetTakesNoCommand() {
        a.createWith(ROOM, "ben");
        a.outcome(a.shard.drain());
        world.beganToClose(ROOM);
        b.script.next(
                Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "no connection")));

        Answers.assertRejected(b.ask(ROOM, "join-cid", Wishes.join("cid")), Reason.ROOM_CLOSED);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSING);

        world.advance(LATE_MS);

        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
    }

    /** ROOM-5: by then somebody else may own the room. */
    @Test
    void whoeverHealsWaitsForTheOutcomeAsLongAsALeaseLives() {
        a.create(ROOM);
        HeldCall verification = a.script.holdNext(Call.VERIFY);
        Future<Answer> heal = a.heal(ROOM);
        world.advance(Limits.TTL_MS - 1);
        Answers.assertWaiting(heal);

        world.advance(Deadlines.STEP_MS + 1);

        Answers.assertRefused(heal, Refusal.OUTCOME_UNKNOWN);
        verification.letGo();
    }

    /** TIMER-1: a claim keeps the others away for a while, and only for a while. */
    @Test
    void aTimerThatIsClaimedAndNotActedOnIsDueAgainTenSecondsLater() {
        watchTimers(b);
        crashInCreation();
        world.advance(CREATE_LIMIT_MS - LATE_MS);
        HeldCall look = b.script.holdNext(Call.COMMIT);
        world.advance(2 * LATE_MS);
        assertThat(look.arrived()).isTrue();
        b.loop.freeze();
        watchTimers(world.node("c"));

        world.advance(CLAIM_MS - 2 * LATE_MS);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CREATING);
        world.advance(2 * LATE_MS);

        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
    }

    /** TIMER-1: nor may a node that can do nothing stand in the way of those who can. */
    @Test
    void aNodeThatCannotActKeepsNoTimerFromTheOthers() {
        CellNode c = world.node("c");
        crashInCreation();
        watchTimers(b);
        world.advance(500);
        watchTimers(c);
        b.script.breakDown(Call::toRedis);

        world.advance(CREATE_LIMIT_MS + LATE_MS);

        assertThat(b.script.count(Call.CLAIM_DUE)).isPositive();
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
    }

    /** TIMER-1. */
    @Test
    void aRoomThatDoesNotAnswerHoldsUpNoOtherRoomsTimer() {
        HeldCall prepare = a.script.holdNext(Call.PREPARE);
        Answers.assertWaiting(a.send(OTHER_ROOM, "create", Wishes.create()));
        world.run();
        assertThat(prepare.arrived()).isTrue();
        world.advance(100);
        crashInCreation();
        watchTimers(b);
        HeldCall stuck = b.script.holdNext(Call.FIND);

        world.advance(CREATE_LIMIT_MS + LATE_MS);

        assertThat(stuck.arrived()).isTrue();
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
    }

    /** ROOM-5: it is the next owner's to finish. */
    @Test
    void aNodeThatLosesARoomInClosingTriesNoMore() {
        a.createWith(ROOM, "ben");
        a.outcome(a.shard.drain());
        world.beganToClose(ROOM);
        b.script.next(
                Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "no connection")));
        b.read(ROOM);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSING);
        world.redis.delete(ROOM.routeKey());
        world.node("c").read(ROOM);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
        world.advance(LATE_MS);
        assertThat(b.loadedRooms()).isZero();
        b.script.forget();

        world.advance(5 * LATE_MS);

        assertThat(b.script.calls()).isEmpty();
    }

    @Test
    void aDrainingNodeHealsNothing() {
        a.create(ROOM);
        a.outcome(a.shard.drain());

        Answers.assertRefused(a.outcome(a.heal(ROOM)), Refusal.DRAINING);
    }

    @Test
    void aLookThatFailsIsNotTheLast() {
        watchTimers(b);
        crashInCreation();
        b.script.breakDown(call -> call == Call.CLAIM_DUE);
        world.advance(CREATE_LIMIT_MS + LATE_MS);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CREATING);

        b.script.recover();
        world.advance(LATE_MS);

        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
    }

    @Test
    void aWorkerWakesRoomsThatLiveOnAnotherLoop() {
        workers.add(new TimeoutWorker(b.loop, b.database, b.clock, new CommandRouter(List.of(a.shard)), b.nodeId, 0));
        HeldCall prepare = a.script.holdNext(Call.PREPARE);
        Answers.assertWaiting(a.send(ROOM, "create", Wishes.create()));
        world.advance(CREATE_LIMIT_MS + LATE_MS);
        assertThat(prepare.arrived()).isTrue();

        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
        assertThat(b.loadedRooms()).isZero();
    }

    /** TIMER-1: whoever looks first need not be the one who can act. */
    @Test
    void aTimerOfAnotherNodesRoomIsLeftForItsOwnerToFind() {
        watchTimers(b);
        watchTimers(a);
        HeldCall prepare = a.script.holdNext(Call.PREPARE);
        Answers.assertWaiting(a.send(ROOM, "create", Wishes.create()));

        world.advance(CREATE_LIMIT_MS + LATE_MS);

        assertThat(prepare.arrived()).isTrue();
        assertThat(b.script.count(Call.GIVE_BACK)).isEqualTo(1);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
    }

    @Test
    void aStoppedWorkerLooksNoMore() {
        watchTimers(b);
        world.advance(LATE_MS);
        stop();
        b.script.forget();

        world.advance(CREATE_LIMIT_MS);

        assertThat(b.script.count(Call.CLAIM_DUE)).isZero();
    }

    @Test
    void aWorkerThatIsStoppedWhileItLooksLooksNoMoreEither() {
        watchTimers(b);
        HeldCall look = b.script.holdNext(Call.CLAIM_DUE);
        world.advance(LATE_MS);
        assertThat(look.arrived()).isTrue();
        stop();
        b.script.forget();

        look.letGo();
        world.advance(CREATE_LIMIT_MS);

        assertThat(b.script.count(Call.CLAIM_DUE)).isZero();
    }
}
