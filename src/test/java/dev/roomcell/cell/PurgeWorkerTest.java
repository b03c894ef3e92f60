package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.CODEC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.PurgeMeter;
import dev.roomcell.port.PurgeStore.Table;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase;
import dev.roomcell.sim.SteppedLoop;
import dev.roomcell.sim.SteppedTime;
import dev.roomcell.sim.WiredPurge;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is deleted of rooms, when, and by whom. */
class PurgeWorkerTest {
    private static final long KEPT_MS = 1_000_000;
    private static final long PASS_MS = 300_000;
    private static final PurgeSettings USUAL = new PurgeSettings(KEPT_MS, KEPT_MS, PASS_MS, 200, 2, 3);
    private static final RoomKey ROOM = new RoomKey("app", "room");

    private final StoredWorld world = new StoredWorld();
    private final SteppedTime time = world.time;
    private final MemoryDatabase database = world.database;
    private final Set<String> members = new TreeSet<>();

    /** A worker, on a loop of its own, with a script between it and the database; its pauses are the longest. */
    private final class Node implements PurgeMeter {
        final SteppedLoop loop = time.newLoop();
        final PortScript script = new PortScript(time, loop);
        final Map<Table, Integer> purged = new EnumMap<>(Table.class);
        final List<Integer> stuck = new ArrayList<>();
        private final PurgeWorker worker;

        Node(String nodeId) {
            members.add(nodeId);
            worker = new PurgeWorker(
                    nodeId,
                    loop,
                    new WiredPurge(database.purge(), script),
                    CODEC,
                    new ClusterView(nodeId, () -> members),
                    below -> 0,
                    USUAL,
                    this);
            loop.execute(worker::start);
            time.runUntilIdle();
        }

        @Override
        public void purged(Table table, int rows) {
            purged.merge(table, rows, Integer::sum);
        }

        @Override
        public void stuck(int rooms) {
            stuck.add(rooms);
        }

        Future<Void> stop() {
            return world.on(loop, worker::stop);
        }
    }

    /** A room of so many versions, committed now, with snapshots of some of them. */
    private void room(RoomKey key, int versions, long... snapshots) {
        List<LogRow> rows = new ArrayList<>();
        RoomState state = RoomState.creating(key);
        for (long version = 1; version <= versions; version++) {
            Stamp stamp = new Stamp(version, world.nowMs());
            RoomEvent event = version == 1
                    ? new Lifecycle.RoomCreated(new Profile("olga", "Tea", "eu", "", ""), 3)
                    : new Presence.RoomUserJoined("user-" + version, Presence.MemberKind.USER, (int) version - 1);
            state = RoomDecider.evolve(state, List.of(event), stamp);
            rows.add(StoredWorld.row(version, stamp.atMs(), CODEC.encodeEvents(List.of(event)), List.of()));
            for (long wanted : snapshots) {
                if (wanted == version) {
                    Await.result(database.save(key, CODEC.encodeState(state, stamp.atMs())));
                }
            }
        }
        world.commit(key, rows);
    }

    private List<Long> logged(RoomKey key) {
        return database.log(key).stream().map(fields -> fields.row().version()).toList();
    }

    private List<Long> snapshotted(RoomKey key) {
        return database.snapshots(key).stream().map(Snapshot::version).toList();
    }

    @Test
    @Tag("LOG-1")
    void oldRowsThatTwoSnapshotsCoverGoInSmallBatchesAndNotBeforeTheirTime() {
        room(ROOM, 10, 8, 10);
        Node node = new Node("a");
        time.advance(KEPT_MS - 1);
        assertThat(logged(ROOM)).hasSize(10);

        time.advance(PASS_MS + 1_000);
        assertThat(logged(ROOM)).containsExactly(9L, 10L);
        assertThat(snapshotted(ROOM)).containsExactly(8L, 10L);
        assertThat(node.purged).containsExactlyEntriesOf(Map.of(Table.ROOM_COMMAND_LOG, 8));
        assertThat(node.script.count(Call.PURGE_LOG)).as("3, 3, 2").isEqualTo(3);
        node.script.forget();
        time.advance(10 * PASS_MS);
        assertThat(node.script.count(Call.READ_SNAPSHOTS))
                .as("nothing is left to do")
                .isZero();
    }

    /** LOG-1: with a snapshot that can't be read the rows would be all that is left of the room. */
    @Test
    @Tag("LOG-1")
    void aRoomWithASnapshotThatCannotBeReadKeepsItsLogAndIsCounted() {
        room(ROOM, 10, 8, 10);
        RoomKey other = new RoomKey("app", "sound");
        room(other, 10, 8, 10);
        database.damageSnapshot(ROOM, 8);
        Node node = new Node("a");
        time.advance(KEPT_MS + 2 * PASS_MS);
        assertThat(logged(ROOM)).hasSize(10);
        assertThat(logged(other)).hasSize(2);
        assertThat(node.stuck).endsWith(1);
    }

    /** LOG-1: its checksum holds, and no room can be made of it. */
    @Test
    @Tag("LOG-1")
    void aSnapshotThatIsIntactAndMakesNoRoomIsNoProof() {
        room(ROOM, 10, 8);
        byte[] noState = "no room".getBytes(StandardCharsets.UTF_8);
        Await.result(database.save(ROOM, Snapshot.of(10, StoredWorld.BEGIN_MS, noState, new byte[0])));
        Node node = new Node("a");
        time.advance(KEPT_MS + 2 * PASS_MS);
        assertThat(logged(ROOM)).hasSize(10);
        assertThat(node.stuck).endsWith(1);
    }

    /** LOG-1: nobody takes a snapshot only for that. */
    @Test
    @Tag("LOG-1")
    void aRoomWithOneSnapshotKeepsItsLog() {
        room(ROOM, 10, 10);
        Node node = new Node("a");
        time.advance(KEPT_MS + 5 * PASS_MS);
        assertThat(logged(ROOM)).hasSize(10);
        assertThat(node.stuck).containsOnly(0);
    }

    @Test
    void ofManyNodesTheFirstMemberPurgesAndAnotherOneWhenItIsGone() {
        room(ROOM, 10, 8, 10);
        Node first = new Node("a");
        Node second = new Node("b");
        time.advance(KEPT_MS + 2 * PASS_MS);
        assertThat(first.purged).containsEntry(Table.ROOM_COMMAND_LOG, 8);
        assertThat(second.script.count(Call.FIND_OVERDUE)).isZero();

        members.remove("a");
        RoomKey later = new RoomKey("app", "later");
        room(later, 10, 8, 10);
        first.loop.freeze();
        time.advance(KEPT_MS + 2 * PASS_MS);
        assertThat(second.purged).containsEntry(Table.ROOM_COMMAND_LOG, 8);
        assertThat(logged(later)).hasSize(2);
    }

    @Test
    void aRoomThatCannotBePurgedStandsInNoOthersWay() {
        List<RoomKey> rooms = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rooms.add(new RoomKey("app", "room-" + i));
            room(rooms.get(i), 10, 8, 10);
        }
        Node node = new Node("a");
        time.advance(KEPT_MS - 1);
        node.script.next(Call.READ_SNAPSHOTS, PortScript.failed());
        time.advance(2 * PASS_MS);
        assertThat(rooms.subList(1, 5))
                .allSatisfy(room -> assertThat(logged(room)).hasSize(2));
        assertThat(logged(rooms.get(0))).hasSize(10);
        time.advance(2 * PASS_MS);
        assertThat(logged(rooms.get(0))).hasSize(2);
    }

    @Test
    void answersThatForeignThreadsBringArePickedUpOnTheLoop() {
        room(ROOM, 10, 8, 10);
        Node node = new Node("a");
        node.script.answerOnForeignThreads();
        time.advance(KEPT_MS + 2 * PASS_MS);
        assertThat(logged(ROOM)).hasSize(2);
    }

    @Test
    void whoStopsEndsTheBatchUnderWayAndBeginsNoOther() {
        room(ROOM, 10, 8, 10);
        Node node = new Node("a");
        HeldCall batch = node.script.holdNext(Call.PURGE_LOG);
        time.advance(KEPT_MS + 2 * PASS_MS);
        Future<Void> stopped = node.stop();
        assertThat(stopped.isComplete()).isFalse();

        batch.letGo();
        time.runUntilIdle();
        assertThat(stopped.succeeded()).isTrue();
        assertThat(logged(ROOM)).hasSize(7);
        time.advance(5 * PASS_MS);
        assertThat(logged(ROOM)).hasSize(7);
    }
}
