package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.AdoptionMeter.Result;
import dev.roomcell.port.NodeDirectory.Announced;
import dev.roomcell.port.Peer;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** LEASE-14: live rooms that no node has are loaded without a client. */
@Tag("LEASE-14")
class AdoptionTest {
    private static final long TTL_MS = Limits.TTL_MS;
    /** All leases of a dead node are over, and all its rooms loaded, so long after its end, ms. */
    private static final long ADOPTED_MS = TTL_MS + 1_000;

    private static final List<RoomKey> ROOMS = IntStream.range(0, 20)
            .mapToObj(i -> new RoomKey("lala", "room-" + i))
            .toList();

    private final CellWorld world = new CellWorld();
    private final CellNode a = world.node("a");
    private final CellNode b = world.node("b");
    private final List<Adoption> workers = new ArrayList<>();
    private final Map<Result, Integer> tries = new EnumMap<>(Result.class);

    private void adopts(CellNode... nodes) {
        for (CellNode node : nodes) {
            node.loop.execute(() -> workers.add(node.adopt(tries)));
        }
        world.run();
    }

    @AfterEach
    void stop() {
        workers.forEach(Adoption::stop);
    }

    private void createdBy(CellNode node) {
        ROOMS.forEach(room -> node.createWith(room, "ben"));
    }

    private void kill(CellNode node) {
        node.loop.freeze();
        world.members.remove(node.nodeId);
    }

    private List<RoomKey> roomsOf(CellNode node) {
        return ROOMS.stream()
                .filter(room -> world.row(room).ownerNodeId().equals(node.nodeId))
                .toList();
    }

    /** The node knows the others as they say of themselves. */
    private static void knows(CellNode node, Announced... others) {
        node.cluster.learn(List.of(others));
    }

    private static Announced announced(CellNode node, boolean draining) {
        return new Announced(new Peer(node.nodeId, node.nodeId + ":7400"), draining);
    }

    @Test
    void theRoomsOfADeadNodeAreLoadedWhenItsLeasesAreOver() {
        createdBy(a);
        adopts(b);
        kill(a);

        world.advance(TTL_MS / 3);
        assertThat(roomsOf(b)).isEmpty();
        assertThat(tries).containsKey(Result.OWNED);

        world.advance(ADOPTED_MS - TTL_MS / 3);
        assertThat(roomsOf(b)).isEqualTo(ROOMS);
        assertThat(b.loadedRooms()).isEqualTo(ROOMS.size());
        assertThat(tries).containsEntry(Result.ADOPTED, ROOMS.size());
    }

    @Test
    void aRoomThatNeedsNoOwnerIsLeftAlone() {
        a.create(ROOMS.get(0));
        a.createWith(ROOMS.get(1), "ben");
        adopts(b);
        kill(a);

        world.advance(3 * TTL_MS);

        assertThat(b.loadedRooms()).isEqualTo(1);
        assertThat(world.row(ROOMS.get(0)).ownerNodeId()).isEqualTo("a");
    }

    /** The owner renews first; and if it can't, it loads its rooms again itself. */
    @Test
    void theRoomsOfAMemberAreThatNodesOwn() {
        createdBy(a);
        adopts(b);
        a.loop.freeze();

        world.advance(5 * TTL_MS);

        assertThat(tries).isEmpty();
        assertThat(b.loadedRooms()).isZero();
    }

    /** LEASE-10: it lets them go and takes none, its own no more than others'. */
    @Test
    void theRoomsOfANodeThatShutsDownAreTakenOneByOneAsItLetsThemGo() {
        createdBy(a);
        adopts(b);
        knows(b, announced(a, true));
        world.advance(3 * TTL_MS);
        assertThat(roomsOf(a)).isEqualTo(ROOMS);

        a.outcome(a.shard.release(ROOMS.get(3)));
        world.advance(TTL_MS);
        assertThat(roomsOf(b)).containsExactly(ROOMS.get(3));

        a.outcome(a.shard.drain());
        world.advance(TTL_MS);
        assertThat(roomsOf(b)).isEqualTo(ROOMS);
    }

    /** Each room has its own order of the nodes: nobody is asked, and no room is loaded twice. */
    @Test
    void twoNodesShareTheRoomsOfADeadOne() {
        CellNode c = world.node("c");
        knows(b, announced(a, false), announced(c, false));
        knows(c, announced(a, false), announced(b, false));
        createdBy(a);
        adopts(b, c);
        kill(a);

        world.advance(ADOPTED_MS);

        List<RoomKey> bFirst = ROOMS.stream().filter(b.cluster::isFirstFor).toList();
        assertThat(bFirst).isNotEmpty().hasSizeLessThan(ROOMS.size());
        assertThat(roomsOf(b)).isEqualTo(bFirst);
        assertThat(roomsOf(c)).hasSize(ROOMS.size() - bFirst.size());
        // Inserted, loaded by its creator, adopted.
        assertThat(ROOMS).allSatisfy(room -> assertThat(world.row(room).epoch()).isEqualTo(3));
    }

    /** The first one may be full, or unable to read the room. */
    @Test
    void aRoomThatTheFirstNodeDoesNotTakeIsAnybodysAfterOneMoreLease() {
        CellNode c = world.node("c");
        knows(b, announced(c, false));
        createdBy(a);
        adopts(b);
        kill(a);
        List<RoomKey> bFirst = ROOMS.stream().filter(b.cluster::isFirstFor).toList();

        world.advance(2 * TTL_MS);
        assertThat(roomsOf(b)).isEqualTo(bFirst).hasSizeLessThan(ROOMS.size());

        world.advance(TTL_MS);
        assertThat(roomsOf(b)).isEqualTo(ROOMS);
    }

    @Test
    void aNodeThatIsFullLeavesTheRestToOthers() {
        createdBy(a);
        CellNode small = world.node("small", Limits.usual().loadedRooms(5).settings());
        CellNode c = world.node("c");
        knows(small, announced(c, false));
        knows(c, announced(small, false));
        adopts(small, c);
        kill(a);
        world.members.remove("b");

        world.advance(4 * TTL_MS);

        assertThat(small.loadedRooms()).isLessThanOrEqualTo(5);
        assertThat(roomsOf(a)).isEmpty();
    }

    /** Dropped after a fence, a lost lease, or Redis's absence: whoever else took it has shown by then. */
    @Test
    void aRoomThatTheNodeItselfHasLostIsLoadedAgainAfterOneMoreLease() {
        a.createWith(ROOMS.get(0), "ben");
        adopts(a);
        a.outcome(a.shard.release(ROOMS.get(0)));

        world.advance(TTL_MS - 1);
        assertThat(a.loadedRooms()).isZero();

        world.advance(TTL_MS + 1_000);
        assertThat(a.loadedRooms()).isEqualTo(1);
        assertThat(world.row(ROOMS.get(0)).epoch()).isEqualTo(3);
    }

    @Test
    void roomsThatAreLoadedAreNotTouched() {
        createdBy(a);
        adopts(a);
        a.script.forget();

        world.advance(5 * TTL_MS);

        assertThat(tries).isEmpty();
        assertThat(a.script.count(call -> call == Call.ACQUIRE || call == Call.FIND || call == Call.MINT))
                .isZero();
    }

    @Test
    void anEarlierRunOfTheSameNodeIsADeadOne() {
        createdBy(a);
        kill(a);
        CellNode again = world.node("a.2");
        adopts(again);

        world.advance(ADOPTED_MS);

        assertThat(roomsOf(again)).isEqualTo(ROOMS);
    }

    @Test
    void eightRoomsAreLoadedAtOnceAndNoneTwice() {
        createdBy(a);
        kill(a);
        world.advance(TTL_MS + 1);
        List<HeldCall> held =
                Stream.generate(() -> b.script.holdNext(Call.FIND)).limit(20).toList();
        b.script.forget();
        adopts(b);

        world.advance(TTL_MS - 1_000);
        assertThat(b.script.count(Call.FIND)).isEqualTo(8);
        held.get(0).letGo();
        world.run();
        assertThat(b.script.count(Call.FIND)).isEqualTo(9);

        // Whoever is waited for no longer is still not asked for again, and counts.
        world.advance(3 * TTL_MS);
        assertThat(b.script.count(Call.FIND)).isEqualTo(9);

        held.stream().skip(1).filter(HeldCall::arrived).forEach(HeldCall::letGo);
        world.run();
        assertThat(roomsOf(b)).hasSize(9);
    }

    @Test
    void whileAllLoadsHangNoFurtherRoomsAreRead() {
        for (int i = 0; i < 6_000; i++) {
            RoomKey room = new RoomKey("lala", "many-" + i);
            assertThat(world.database.insertCreating(room, 0).result()).isTrue();
            world.beganToClose(room);
        }
        List<HeldCall> held =
                Stream.generate(() -> b.script.holdNext(Call.FIND)).limit(8).toList();
        adopts(b);

        world.advance(5 * TTL_MS);
        assertThat(held).allMatch(HeldCall::arrived);
        // So many as are put in order before the first is loaded: 4,096, 512 a page.
        assertThat(b.script.count(Call.LIVE_ROOMS)).isEqualTo(8);

        held.forEach(HeldCall::letGo);
        world.advance(TTL_MS);
        assertThat(b.script.count(Call.LIVE_ROOMS)).isGreaterThan(8);
    }

    @Test
    void theRoomsWhoseTimersAreDueFirstComeFirst() {
        createdBy(a);
        List<RoomKey> urgent = ROOMS.subList(10, 18);
        urgent.forEach(room -> Answers.assertDone(a.ask(room, "up", new MicSeats.MicUp("ben", 1))));
        kill(a);
        world.advance(TTL_MS + 1);
        List<HeldCall> held =
                Stream.generate(() -> b.script.holdNext(Call.FIND)).limit(16).toList();
        adopts(b);
        world.advance(1_000);

        held.subList(0, 8).forEach(HeldCall::letGo);
        world.run();

        assertThat(roomsOf(b)).isEqualTo(urgent);
    }

    @Test
    void withoutADatabaseItAsksLessAndLess() {
        createdBy(a);
        adopts(b);
        kill(a);
        b.script.breakDown(call -> !call.toRedis());
        b.script.forget();

        world.advance(60_000);
        assertThat(b.script.count(Call.LIVE_OWNERS)).isBetween(8, 20);

        b.script.recover();
        world.advance(ADOPTED_MS);
        assertThat(roomsOf(b)).isEqualTo(ROOMS);
    }

    @Test
    void withoutRedisItTriesLessAndLess() {
        createdBy(a);
        adopts(b);
        kill(a);
        b.script.breakDown(Call::toRedis);
        b.script.forget();

        world.advance(60_000);
        assertThat(b.script.count(Call.ACQUIRE)).isBetween(8, 250);

        b.script.recover();
        world.advance(ADOPTED_MS);
        assertThat(roomsOf(b)).isEqualTo(ROOMS);
    }

    /** A row that somebody has locked (1205) holds up no other room. */
    @Test
    void oneRoomThatCanNotBeLoadedHoldsUpNoOther() {
        createdBy(a);
        adopts(b);
        kill(a);
        world.advance(TTL_MS - 1_500);
        List<RoomKey> others = ROOMS.subList(1, ROOMS.size());
        try (HeldRow lock = world.database.holdRow(ROOMS.get(0))) {
            assertThat(lock).isNotNull();
            world.advance(2_500);
            assertThat(roomsOf(b)).isEqualTo(others);
        }
        world.advance(TTL_MS);
        assertThat(roomsOf(b)).isEqualTo(ROOMS);
    }

    /** Nodes that are not in one cluster see each other's rooms, and no members. */
    @Test
    void roomsWhoseLeasesAreRenewedAreTriedLessAndLess() {
        createdBy(a);
        world.members.remove("a");
        adopts(b);
        world.advance(TTL_MS);
        b.script.forget();

        world.advance(10 * 60_000);

        // Pauses of one lease, then two, and so on up to a minute; of each look, what eight loads at once come to.
        assertThat(b.script.count(Call.ACQUIRE)).isBetween(10 * 8, 14 * 15);
        assertThat(roomsOf(a)).isEqualTo(ROOMS);
        assertThat(tries).containsOnlyKeys(Result.OWNED);
    }

    /** LEASE-10. */
    @Test
    void aNodeThatShutsDownAdoptsNothing() {
        createdBy(a);
        adopts(b);
        kill(a);
        b.loop.execute(() -> workers.forEach(Adoption::stop));
        world.run();
        b.script.forget();

        world.advance(5 * TTL_MS);

        assertThat(b.script.count(Call.LIVE_OWNERS)).isZero();
        assertThat(b.loadedRooms()).isZero();
    }

    @Test
    void aFaultOfOneLookIsNotTheEndOfAll() {
        createdBy(a);
        adopts(b);
        kill(a);
        b.script.next(Call.LIVE_OWNERS, PortScript.thrown());
        b.script.next(Call.LIVE_ROOMS, PortScript.thrown());

        world.advance(ADOPTED_MS);

        assertThat(roomsOf(b)).isEqualTo(ROOMS);
    }
}
