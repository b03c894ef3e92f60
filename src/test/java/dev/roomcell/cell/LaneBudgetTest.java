package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.domain.RoomEvent.Type.ROOM_CLOSED;
import static dev.roomcell.domain.RoomEvent.Type.ROOM_MIC_CHANGED;
import static dev.roomcell.domain.RoomEvent.Type.ROOM_USER_JOINED;
import static dev.roomcell.domain.RoomEvent.Type.ROOM_USER_KICKED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.Envelopes;
import dev.roomcell.adapter.tencent.AppBudget;
import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.LaneMeter.Drop;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.RoomMessenger.Message;
import dev.roomcell.port.SendBudget;
import dev.roomcell.proto.room.v1.RoomGiftSent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lane before a provider that takes so many messages in a second. */
@Tag("LANE-6")
class LaneBudgetTest {
    private static final int IN_A_ROOM = 4;
    private static final int IN_ALL = 6;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");
    private final Groups groups = node.groups;
    private long version;

    private DirectLane lane(SendBudget all) {
        groups.limit(new RoomMessenger.Limits(IN_A_ROOM, all));
        return new DirectLane(node.loop, node.ports(), new DirectLane.Limits(64, 1_000, 64));
    }

    private static SendBudget budget() {
        return new AppBudget(IN_ALL, () -> 1);
    }

    private void onLoop(Runnable task) {
        node.loop.execute(task);
        world.run();
    }

    private void commit(DirectLane lane, RoomKey key, RoomEvent.Type type) {
        version++;
        commit(lane, key, new Fact(0, type.name(), true, new byte[0]));
    }

    private void commit(DirectLane lane, RoomKey key, Fact fact) {
        LogRow row = new LogRow(
                version,
                "c-" + version,
                new byte[16],
                "K",
                "u",
                version,
                new byte[0],
                new byte[0],
                new byte[0],
                List.of(fact));
        onLoop(() -> lane.committed(key, List.of(row)));
    }

    private void give(DirectLane lane, String sender, String giftId, int count, long reward) {
        version++;
        Gifts.RoomGiftSent gift =
                new Gifts.RoomGiftSent(sender, List.of("ben", "cy"), giftId, count, 10, 20L * count, reward);
        commit(lane, ROOM, CellWorld.CODEC.encodeFact(ROOM, new Stamp(version, 1), 0, "c-" + version, sender, gift));
    }

    private List<String> types(RoomKey key) {
        return groups.got().stream()
                .filter(message -> message.key().equals(key))
                .map(message -> message.fact().type())
                .toList();
    }

    private int gotOf(RoomKey key) {
        return types(key).size();
    }

    @Test
    void aRoomIsToldSoManyInASecondAndTheRestWaitsForTheNext() {
        DirectLane lane = lane(SendBudget.unlimited());
        for (int i = 0; i < IN_A_ROOM + 2; i++) {
            commit(lane, ROOM, ROOM_MIC_CHANGED);
        }
        commit(lane, OTHER_ROOM, ROOM_MIC_CHANGED);
        assertThat(gotOf(ROOM)).isEqualTo(IN_A_ROOM);
        assertThat(gotOf(OTHER_ROOM)).as("another room's budget is its own").isEqualTo(1);
        world.advance(999);
        assertThat(gotOf(ROOM)).isEqualTo(IN_A_ROOM);
        world.advance(1);
        assertThat(gotOf(ROOM)).isEqualTo(IN_A_ROOM + 2);
        assertThat(groups.dropped).isEmpty();
    }

    @Test
    void whatARoomWasToldLatelyCountsThoughItsQueueWasEmptyInBetween() {
        DirectLane lane = lane(SendBudget.unlimited());
        for (int i = 0; i < IN_A_ROOM; i++) {
            commit(lane, ROOM, ROOM_MIC_CHANGED);
            world.advance(10);
        }
        commit(lane, OTHER_ROOM, ROOM_MIC_CHANGED);
        commit(lane, ROOM, ROOM_CLOSED);
        assertThat(gotOf(ROOM)).isEqualTo(IN_A_ROOM);
        world.advance(1_000);
        assertThat(types(ROOM)).last().isEqualTo(ROOM_CLOSED.name());
    }

    @Test
    @DisplayName("B111: in no 1,000 ms is a room, or are all of them, sent more than the provider takes")
    void noSecondHasMore() {
        DirectLane lane = lane(budget());
        List<Long> ofRoom = new ArrayList<>();
        List<Long> ofAll = new ArrayList<>();
        Random dice = new Random(7);
        List<RoomEvent.Type> types = List.of(ROOM_USER_JOINED, ROOM_USER_KICKED, ROOM_MIC_CHANGED);
        for (int step = 0; step < 3_000; step++) {
            int before = groups.got().size();
            int beforeOfRoom = gotOf(ROOM);
            if (dice.nextInt(3) == 0) {
                commit(lane, dice.nextBoolean() ? ROOM : OTHER_ROOM, types.get(dice.nextInt(types.size())));
            }
            world.advance(1 + dice.nextInt(40));
            note(ofAll, groups.got().size() - before);
            note(ofRoom, gotOf(ROOM) - beforeOfRoom);
        }
        assertMostInASecond(ofAll, IN_ALL);
        assertMostInASecond(ofRoom, IN_A_ROOM);
        assertThat(ofAll).hasSizeGreaterThan(300);
    }

    private void note(List<Long> at, int times) {
        for (int i = 0; i < times; i++) {
            at.add(world.time.nowMs());
        }
    }

    /** A step is 40 ms at most, and says only that something was sent within it. */
    private static void assertMostInASecond(List<Long> at, int most) {
        for (int i = most; i < at.size(); i++) {
            assertThat(at.get(i) - at.get(i - most)).isGreaterThanOrEqualTo(1_000 - 40);
        }
    }

    @Test
    void whoMattersMoreWaitsForNobodyWhoMattersLess() {
        DirectLane lane = lane(SendBudget.unlimited());
        for (int i = 0; i < IN_A_ROOM; i++) {
            commit(lane, ROOM, ROOM_USER_JOINED);
        }
        for (int i = 0; i < IN_A_ROOM; i++) {
            commit(lane, ROOM, ROOM_USER_JOINED);
        }
        commit(lane, ROOM, ROOM_USER_KICKED);
        world.advance(1_000);
        assertThat(types(ROOM).get(IN_A_ROOM))
                .as("the first of the next second")
                .isEqualTo(ROOM_USER_KICKED.name());
        assertThat(groups.droppedOf(Drop.OVER_BUDGET, Priority.LOW)).isEqualTo(IN_A_ROOM);
        assertThat(groups.dropped(Drop.OVER_BUDGET)).isEqualTo(IN_A_ROOM);
    }

    @Test
    void aShortBurstLosesNothingThatCouldBeToldInTheNextSecond() {
        DirectLane lane = lane(SendBudget.unlimited());
        for (int i = 0; i < LaneQueues.SECONDS_THAT_WAIT * IN_A_ROOM; i++) {
            commit(lane, ROOM, ROOM_USER_JOINED);
        }
        world.advance(1_000);
        assertThat(gotOf(ROOM)).isEqualTo(2 * IN_A_ROOM);
        assertThat(groups.dropped).isEmpty();
    }

    @Test
    @DisplayName("B111: a flood of joins is thinned out, the newest stay, and no kick among them is lost")
    void aFloodLosesTheLeast() {
        DirectLane lane = lane(SendBudget.unlimited());
        for (int i = 0; i < 600; i++) {
            commit(lane, ROOM, i % 50 == 49 ? ROOM_USER_KICKED : ROOM_USER_JOINED);
            world.advance(10);
        }
        world.advance(2_000);
        assertThat(types(ROOM)).filteredOn(ROOM_USER_KICKED.name()::equals).hasSize(12);
        int told = gotOf(ROOM);
        assertThat(told).isBetween(IN_A_ROOM * 6, IN_A_ROOM * 10);
        assertThat(groups.droppedOf(Drop.OVER_BUDGET, Priority.LOW)).isEqualTo(600 - told);
        assertThat(groups.droppedOf(Drop.OVER_BUDGET, Priority.HIGH)).isZero();
        assertThat(groups.dropped(Drop.TOO_OLD)).isZero();
        assertThat(groups.got()).extracting(Message::version).isSorted();
    }

    @Test
    void whenAllRoomsTogetherAreTooLoudTheRoomsWithWhatMattersGoFirst() {
        DirectLane lane = lane(budget());
        for (int i = 0; i < IN_ALL; i++) {
            commit(lane, new RoomKey("app", "first-" + i), ROOM_USER_JOINED);
        }
        for (int i = 0; i < 30; i++) {
            commit(lane, new RoomKey("app", "quiet-" + i), ROOM_USER_JOINED);
        }
        RoomKey late = new RoomKey("app", "late");
        commit(lane, late, ROOM_USER_KICKED);
        assertThat(gotOf(late)).isZero();
        world.advance(1_000);
        assertThat(groups.got().get(IN_ALL).key()).isEqualTo(late);
        world.advance(LaneQueues.OLDEST_MS);
        assertThat(groups.droppedOf(Drop.TOO_OLD, Priority.HIGH)).isZero();
        assertThat(groups.got().size() + groups.droppedOf(Drop.TOO_OLD, Priority.LOW))
                .isEqualTo(IN_ALL + 31);
    }

    @Test
    void whenTheLoopIsFullTheLeastOfAnyRoomGoes() {
        groups.limit(new RoomMessenger.Limits(IN_A_ROOM, SendBudget.unlimited()));
        DirectLane lane = new DirectLane(node.loop, node.ports(), new DirectLane.Limits(64, 3, 1));
        groups.hold();
        commit(lane, new RoomKey("app", "sends"), ROOM_USER_KICKED);
        commit(lane, OTHER_ROOM, ROOM_USER_JOINED);
        for (int i = 0; i < 3; i++) {
            commit(lane, ROOM, ROOM_USER_KICKED);
        }
        assertThat(groups.droppedOf(Drop.QUEUE_FULL, Priority.LOW)).isEqualTo(1);
        assertThat(groups.dropped(Drop.QUEUE_FULL)).isEqualTo(1);
        groups.letGo();
        world.run();
        assertThat(types(ROOM)).hasSize(3).containsOnly(ROOM_USER_KICKED.name());
        assertThat(gotOf(OTHER_ROOM)).isZero();
        commit(lane, OTHER_ROOM, ROOM_USER_JOINED);
        assertThat(gotOf(OTHER_ROOM)).isEqualTo(1);
    }

    @Test
    void giftsOfAKindThatWaitAreToldAsOneWithAllTheirPieces() {
        DirectLane lane = lane(SendBudget.unlimited());
        for (int i = 0; i < IN_A_ROOM; i++) {
            commit(lane, ROOM, ROOM_USER_JOINED);
        }
        // The next one finds no place any more; those behind it see that.
        commit(lane, ROOM, ROOM_USER_JOINED);
        give(lane, "ann", "rose", 1, 5);
        give(lane, "ann", "rose", 2, 0);
        give(lane, "ann", "star", 1, 0);
        give(lane, "dan", "rose", 9, 0);
        give(lane, "ann", "rose", 3, 7);
        world.advance(2_000);

        List<RoomGiftSent> gifts = groups.got().stream()
                .filter(message -> message.fact().type().equals("ROOM_GIFT_SENT"))
                .map(message -> Envelopes.of(message.fact()).getRoomGiftSent())
                .toList();
        assertThat(gifts)
                .extracting(gift -> gift.getSenderUserId() + " " + gift.getGiftId() + " " + gift.getCount() + " "
                        + gift.getTotalPriceCoins() + " " + gift.getRewardCoins())
                .containsExactly("ann star 1 20 0", "dan rose 9 180 0", "ann rose 6 120 12");
        Message last = groups.got().get(groups.got().size() - 1);
        assertThat(last.version()).isEqualTo(version);
        assertThat(Envelopes.of(last.fact()).getRoomVersion()).isEqualTo(version);
        assertThat(groups.droppedOf(Drop.JOINED, Priority.MIDDLE)).isEqualTo(2);
    }

    @Test
    void giftsThatTogetherAreTooManyForANumberAreToldOneByOne() {
        DirectLane lane = lane(SendBudget.unlimited());
        for (int i = 0; i < IN_A_ROOM + 1; i++) {
            commit(lane, ROOM, ROOM_USER_JOINED);
        }
        give(lane, "ann", "rose", Integer.MAX_VALUE, 0);
        give(lane, "ann", "rose", 1, 0);
        world.advance(2_000);
        assertThat(types(ROOM)).filteredOn("ROOM_GIFT_SENT"::equals).hasSize(2);
        assertThat(groups.dropped(Drop.JOINED)).isZero();
    }

    @Test
    @Tag("LANE-1")
    void aBoardThatWaitsIsReplacedByTheNext() {
        DirectLane lane = lane(SendBudget.unlimited());
        for (int i = 0; i < IN_A_ROOM; i++) {
            commit(lane, ROOM, ROOM_MIC_CHANGED);
        }
        for (int heat = 1; heat <= 3; heat++) {
            long at = heat;
            onLoop(() -> lane.tell(ROOM, at, CellWorld.CODEC.encodeHeat(RoomState.creating(ROOM), at)));
            onLoop(() -> lane.tell(ROOM, at, CellWorld.CODEC.encodeRank(RoomState.creating(ROOM), 10, at)));
        }
        world.advance(1_000);
        assertThat(groups.seen(ROOM)).endsWith("3:1000 ROOM_HEAT_CHANGED", "3:1001 ROOM_RANK_CHANGED");
        assertThat(gotOf(ROOM)).isEqualTo(IN_A_ROOM + 2);
        assertThat(groups.droppedOf(Drop.JOINED, Priority.LOW)).isEqualTo(4);
    }

    @Test
    void aShutdownWaitsForWhatTheNextSecondTakes() {
        DirectLane lane = lane(SendBudget.unlimited());
        for (int i = 0; i < IN_A_ROOM + 1; i++) {
            commit(lane, ROOM, ROOM_MIC_CHANGED);
        }
        AtomicInteger over = new AtomicInteger();
        onLoop(() -> lane.shutDown().onSuccess(done -> over.incrementAndGet()));
        assertThat(over).hasValue(0);
        world.advance(1_000);
        assertThat(over).hasValue(1);
        assertThat(gotOf(ROOM)).isEqualTo(IN_A_ROOM + 1);
    }

    @Test
    void theNodesPartTheBudgetAmongThem() {
        AtomicInteger nodes = new AtomicInteger(1);
        AppBudget budget = new AppBudget(8, nodes::get);
        for (int i = 0; i < 8; i++) {
            assertThat(budget.take(100)).isZero();
        }
        assertThat(budget.take(100)).isEqualTo(1_000);
        assertThat(budget.take(1_099)).isEqualTo(1);
        nodes.set(4);
        assertThat(budget.take(1_100)).isZero();
        assertThat(budget.take(1_100)).isZero();
        assertThat(budget.take(1_100)).isEqualTo(1_000);
        nodes.set(100);
        assertThat(budget.take(2_100)).as("one is left to each").isZero();
        assertThat(budget.take(2_200)).isEqualTo(900);
    }

    @Test
    void whatGivesWayLeavesPlacesForTheRestAndWhatIsSentAgainTakesThem() {
        AppBudget budget = new AppBudget(8, () -> 1);
        for (int i = 0; i < 6; i++) {
            assertThat(budget.takeSpare(0)).isTrue();
        }
        assertThat(budget.takeSpare(0)).isFalse();
        assertThat(budget.take(0)).isZero();
        budget.spend(0);
        assertThat(budget.take(0)).isEqualTo(1_000);
    }
}
