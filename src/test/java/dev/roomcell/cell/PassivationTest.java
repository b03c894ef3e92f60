package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.assertSameRoom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** Rooms that nobody needs leave the memory, and come back when somebody asks. */
class PassivationTest {
    private static final long IDLE_MS = 300_000;
    /** An idle room goes with the next sweep, ms. */
    private static final long NEXT_SWEEP_MS = 5_000;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** LOG-4. */
    @Test
    void anEmptyRoomGoesAfterItsIdleTimeWithASnapshotAndWithoutItsLease() {
        node.createWith(ROOM, "ben");
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));

        world.advance(IDLE_MS - 1);
        assertThat(node.loadedRooms()).isEqualTo(1);
        world.advance(NEXT_SWEEP_MS);

        assertThat(node.loadedRooms()).isZero();
        assertThat(world.route(ROOM)).isEmpty();
        assertThat(world.database.snapshots(ROOM))
                .singleElement()
                .satisfies(snapshot -> assertThat(snapshot.version()).isEqualTo(3));
    }

    /** LEASE-16. */
    @Test
    void theLeaseOfARoomThatIsGoneIsNotRenewedAnyMore() {
        node.create(ROOM);
        world.advance(IDLE_MS + NEXT_SWEEP_MS);
        assertThat(node.loadedRooms()).isZero();
        node.script.forget();

        world.advance(2 * Limits.TTL_MS);

        assertThat(node.script.calls()).isEmpty();
    }

    @Test
    void aRoomWithSomebodyInItStays() {
        node.createWith(ROOM, "ben");

        world.advance(10 * IDLE_MS);

        assertThat(node.loadedRooms()).isEqualTo(1);
    }

    /** LEASE-14: whatever its last committed state says. */
    @Test
    void aRoomWithACommandInFlightStays() {
        CellNode hasty = world.node("hasty", Limits.usual().passivateAfterMs(1).settings());
        hasty.create(ROOM);
        HeldCall commit = hasty.script.holdNext(Call.COMMIT);
        Future<Answer> join = hasty.send(ROOM, "join-ben", Wishes.join("ben"), 3 * NEXT_SWEEP_MS);
        world.advance(2 * NEXT_SWEEP_MS);

        commit.letGo();
        world.run();

        Answers.assertDone(join);
        assertThat(hasty.loadedRooms()).isEqualTo(1);
    }

    @Test
    void aRoomThatIsReadNowAndThenStays() {
        node.create(ROOM);
        node.script.forget();
        for (int i = 0; i < 10; i++) {
            world.advance(IDLE_MS / 2);
            node.read(ROOM);
        }
        assertThat(node.script.count(Call.LOAD)).isZero();
    }

    @Test
    void theRoomComesBackAsItWas() {
        node.createWith(ROOM, "ben");
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        world.advance(IDLE_MS + NEXT_SWEEP_MS);
        assertThat(node.loadedRooms()).isZero();

        assertSameRoom(node.room(ROOM), world.replayed(ROOM));
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));
        assertThat(world.log(ROOM)).hasSize(4);
    }

    /** LOG-4: nothing has happened since the last snapshot. */
    @Test
    void aRoomThatWasOnlyReadLeavesNoSecondSnapshot() {
        node.create(ROOM);
        world.advance(IDLE_MS + NEXT_SWEEP_MS);
        node.read(ROOM);
        node.script.forget();

        world.advance(IDLE_MS + NEXT_SWEEP_MS);

        assertThat(node.loadedRooms()).isZero();
        assertThat(node.script.count(Call.SAVE_SNAPSHOT)).isZero();
    }

    @Test
    void whoeverComesWhileTheRoomGoesIsServedByTheNextIncarnation() {
        node.create(ROOM);
        HeldCall snapshot = node.script.holdNext(Call.SAVE_SNAPSHOT);
        world.advance(IDLE_MS + NEXT_SWEEP_MS);
        assertThat(snapshot.arrived()).isTrue();
        Future<Answer> join = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        Answers.assertWaiting(join);

        snapshot.letGo();
        world.run();

        Answers.assertDone(join);
        assertThat(node.present(ROOM)).containsExactly("ben");
        assertThat(world.log(ROOM).get(1).epoch())
                .isGreaterThan(world.log(ROOM).get(0).epoch());
    }

    @Test
    void aSnapshotThatCannotBeSavedKeepsNobody() {
        node.create(ROOM);
        node.script.next(Call.SAVE_SNAPSHOT, PortScript.failed());
        world.advance(IDLE_MS + NEXT_SWEEP_MS);

        assertThat(node.loadedRooms()).isZero();
        assertThat(world.route(ROOM)).isEmpty();
        assertSameRoom(node.room(ROOM), world.replayed(ROOM));
    }

    /** LEASE-17: once the lease is given up, another node may have the room. */
    @Test
    void aRoomWhoseLeaseIsBeingReleasedIsNotReadAnyMore() {
        node.create(ROOM);
        HeldCall release = node.script.holdNext(Call.RELEASE);
        world.advance(IDLE_MS + NEXT_SWEEP_MS);
        assertThat(release.arrived()).isTrue();

        Answers.assertRefused(node.read(ROOM), Answer.Refusal.LEASE_LOST);

        release.letGo();
        world.run();
        assertThat(node.read(ROOM)).isInstanceOf(ReadAnswer.Found.class);
    }

    @Test
    void aLeaseThatCannotBeReleasedKeepsNobody() {
        node.create(ROOM);
        node.script.next(Call.RELEASE, PortScript.failed());
        world.advance(IDLE_MS + NEXT_SWEEP_MS);

        assertThat(node.loadedRooms()).isZero();
        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
    }

    /** LEASE-10: a renewal finds nothing any more, and that is as it should be. */
    @Test
    void aLeaseThatIsBeingReleasedIsNotTakenAgain() {
        node.create(ROOM);
        HeldCall release = node.script.holdNext(Call.RELEASE);
        world.advance(IDLE_MS + NEXT_SWEEP_MS);
        release.happen();
        node.script.forget();

        world.advance(Limits.TTL_MS);

        assertThat(node.script.count(call -> call == Call.ACQUIRE || call == Call.MINT))
                .isZero();
        assertThat(world.route(ROOM)).isEmpty();
    }
}
