package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.assertSameRoom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** LOG-4: when a snapshot is taken, and of what. */
class SnapshotTest {
    private static final long MIN_AGE_MS = 5_000;
    private static final int NO_LIMIT = Integer.MAX_VALUE;

    private final CellWorld world = new CellWorld();
    private int joined;

    private void join(CellNode node) {
        String userId = "user-" + ++joined;
        Answers.assertDone(node.ask(ROOM, "join-" + joined, Wishes.join(userId)));
    }

    private List<Long> versions() {
        return world.database.snapshots(ROOM).stream().map(Snapshot::version).toList();
    }

    private int logBytes() {
        return world.log(ROOM).stream()
                .mapToInt(fields -> fields.row().storedBytes())
                .sum();
    }

    /** LOG-4. */
    @Test
    void aSnapshotIsTakenOnceTheLogSinceTheLastIsLongEnough() {
        CellNode node = world.node(
                "a", Limits.usual().snapshots(NO_LIMIT, MIN_AGE_MS, 5).settings());
        node.create(ROOM);
        for (int i = 0; i < 3; i++) {
            join(node);
        }
        assertThat(versions()).isEmpty();

        join(node);
        assertThat(versions()).containsExactly(5L);
        for (int i = 0; i < 4; i++) {
            join(node);
        }
        assertThat(versions()).containsExactly(5L);
        join(node);
        assertThat(versions()).containsExactly(5L, 10L);
    }

    /** LOG-4. */
    @Test
    void aSnapshotIsTakenOnceTheLogSinceTheLastWeighsEnough() {
        CellNode node = world.node(
                "a", Limits.usual().snapshots(600, MIN_AGE_MS, NO_LIMIT).settings());
        node.create(ROOM);
        while (logBytes() < 600) {
            assertThat(versions()).isEmpty();
            join(node);
        }
        assertThat(versions()).containsExactly(world.row(ROOM).version());
    }

    /** LOG-4: in bytes, twice what the last one weighs. */
    @Test
    void theLogMustOutweighTheLastSnapshotTwice() {
        CellNode node = world.node(
                "a", Limits.usual().snapshots(1, MIN_AGE_MS, NO_LIMIT).settings());
        node.create(ROOM);
        for (int i = 0; i < 60; i++) {
            join(node);
            world.advance(MIN_AGE_MS);
        }
        List<Snapshot> kept = world.database.snapshots(ROOM);
        assertThat(kept).hasSize(2);
        long between = world.log(ROOM).stream()
                .map(fields -> fields.row())
                .filter(row -> row.version() > kept.get(0).version()
                        && row.version() <= kept.get(1).version())
                .mapToLong(RoomBatch.LogRow::storedBytes)
                .sum();
        long before = between
                - world.log(ROOM).get((int) kept.get(1).version() - 1).row().storedBytes();
        assertThat(between).isGreaterThanOrEqualTo(2L * kept.get(0).bytes());
        assertThat(before).isLessThan(2L * kept.get(0).bytes());
    }

    /** LOG-4: in bytes, not sooner than five seconds after the last. */
    @Test
    void snapshotsByWeightKeepTheirDistance() {
        CellNode node = world.node(
                "a", Limits.usual().snapshots(1, MIN_AGE_MS, NO_LIMIT).settings());
        node.create(ROOM);
        assertThat(versions()).containsExactly(1L);

        for (int i = 0; i < 40; i++) {
            join(node);
        }
        assertThat(versions()).containsExactly(1L);
        world.advance(MIN_AGE_MS);
        join(node);

        assertThat(versions()).containsExactly(1L, 42L);
    }

    /** LOG-4: a node that takes a room over goes on counting where the log stands. */
    @Test
    void theLogThatALoadHadToReadCounts() {
        CellSettings settings =
                Limits.usual().snapshots(NO_LIMIT, MIN_AGE_MS, 5).settings();
        CellNode node = world.node("a", settings);
        node.create(ROOM);
        join(node);
        join(node);
        node.loop.freeze();
        world.advance(Limits.TTL_MS);
        CellNode b = world.node("b", settings);

        join(b);
        assertThat(versions()).isEmpty();
        join(b);

        assertThat(versions()).containsExactly(5L);
    }

    /** LOG-4: in bytes too. */
    @Test
    void theLogThatALoadHadToReadCountsByItsWeight() {
        CellSettings settings =
                Limits.usual().snapshots(600, MIN_AGE_MS, NO_LIMIT).settings();
        CellNode node = world.node("a", settings);
        node.create(ROOM);
        while (logBytes() < 400) {
            join(node);
        }
        node.loop.freeze();
        world.advance(Limits.TTL_MS);
        CellNode b = world.node("b", settings);

        while (logBytes() < 600) {
            assertThat(versions()).isEmpty();
            join(b);
        }

        assertThat(versions()).containsExactly(world.row(ROOM).version());
    }

    /** LOG-4: the log must outweigh twice the snapshot that somebody else took. */
    @Test
    void aNewOwnerKnowsWhatTheLastSnapshotWeighs() {
        CellSettings settings =
                Limits.usual().snapshots(1, MIN_AGE_MS, NO_LIMIT).settings();
        CellNode node = world.node("a", settings);
        node.create(ROOM);
        for (int i = 0; i < 20; i++) {
            join(node);
        }
        node.outcome(node.shard.drain());
        List<Long> kept = versions();
        world.advance(MIN_AGE_MS);

        join(world.node("b", settings));

        assertThat(versions()).isEqualTo(kept);
    }

    /** LOG-4: not sooner than five seconds after the snapshot that somebody else took. */
    @Test
    void aNewOwnerKnowsHowOldTheLastSnapshotIs() {
        CellSettings settings =
                Limits.usual().snapshots(1, MIN_AGE_MS, NO_LIMIT).settings();
        CellNode node = world.node("a", settings);
        node.create(ROOM);
        node.outcome(node.shard.drain());
        CellNode b = world.node("b", settings);

        for (int i = 0; i < 40; i++) {
            join(b);
        }
        assertThat(versions()).containsExactly(1L);
        world.advance(MIN_AGE_MS);
        join(b);

        assertThat(versions()).containsExactly(1L, 42L);
    }

    /** LOG-4. */
    @Test
    void whatIsJustEnoughIsEnough() {
        CellSettings.SnapshotPolicy policy = new CellSettings.SnapshotPolicy(100, 5_000, 20);

        assertThat(policy.due(100, 0, 5_000, 50)).isTrue();
        assertThat(policy.due(99, 0, 5_000, 0)).isFalse();
        assertThat(policy.due(100, 0, 4_999, 0)).isFalse();
        assertThat(policy.due(120, 0, 5_000, 60)).isTrue();
        assertThat(policy.due(119, 0, 5_000, 60)).isFalse();
        assertThat(policy.due(0, 20, 0, 0)).isTrue();
        assertThat(policy.due(0, 19, 5_000, 0)).isFalse();
    }

    /** LOG-4: of adopted state, which is what is committed. */
    @Test
    void aSnapshotIsTheCommittedRoomWhateverIsInFlight() {
        CellNode node = world.node(
                "a", Limits.usual().snapshots(NO_LIMIT, MIN_AGE_MS, 3).settings());
        node.create(ROOM);
        join(node);
        HeldCall save = node.script.holdNext(Call.SAVE_SNAPSHOT);
        join(node);
        assertThat(save.arrived()).isTrue();
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> inFlight = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();

        save.letGo();
        world.run();

        assertSameRoom(
                CellWorld.CODEC.decodeState(ROOM, world.database.snapshots(ROOM).get(0)), world.replayed(ROOM));
        commit.letGo();
        world.run();
        Answers.assertDone(inFlight);
    }

    /** LOG-4. */
    @Test
    void aBatchThatFailsLeavesNothingInASnapshot() {
        CellNode node = world.node(
                "a", Limits.usual().snapshots(NO_LIMIT, MIN_AGE_MS, 2).settings());
        node.create(ROOM);
        node.script.next(Call.VERIFY, PortScript.failed());
        Answers.assertRefused(node.ask(ROOM, "join-cid", Wishes.join("cid")), Answer.Refusal.STORE_UNAVAILABLE);
        assertThat(versions()).isEmpty();

        join(node);

        assertThat(versions()).containsExactly(2L);
        assertSameRoom(
                CellWorld.CODEC.decodeState(ROOM, world.database.snapshots(ROOM).get(0)), world.replayed(ROOM));
    }

    /** LOG-4: commands do not wait for it, and no second one is taken beside it. */
    @Test
    void aSlowSnapshotHoldsNobodyUp() {
        CellNode node = world.node(
                "a", Limits.usual().snapshots(NO_LIMIT, MIN_AGE_MS, 2).settings());
        node.create(ROOM);
        HeldCall save = node.script.holdNext(Call.SAVE_SNAPSHOT);
        for (int i = 0; i < 6; i++) {
            join(node);
        }
        assertThat(node.script.count(Call.SAVE_SNAPSHOT)).isEqualTo(1);

        save.letGo();
        world.run();
        join(node);

        assertThat(node.script.count(Call.SAVE_SNAPSHOT)).isEqualTo(2);
        assertThat(versions()).containsExactly(2L, world.row(ROOM).version());
    }

    /** LOG-4. */
    @Test
    void aSnapshotThatFailedIsTriedAgainButNotAtOnce() {
        CellNode node = world.node(
                "a", Limits.usual().snapshots(NO_LIMIT, MIN_AGE_MS, 2).settings());
        node.create(ROOM);
        node.script.breakDown(call -> call == Call.SAVE_SNAPSHOT);
        for (int i = 0; i < 10; i++) {
            join(node);
        }
        assertThat(node.script.count(Call.SAVE_SNAPSHOT)).isEqualTo(1);
        node.script.recover();

        world.advance(MIN_AGE_MS);
        join(node);

        assertThat(versions()).containsExactly(world.row(ROOM).version());
    }
}
