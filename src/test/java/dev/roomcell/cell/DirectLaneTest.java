package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.domain.RoomEvent.Type.ROOM_CLOSED;
import static dev.roomcell.domain.RoomEvent.Type.ROOM_CREATED;
import static dev.roomcell.domain.RoomEvent.Type.ROOM_MIC_CHANGED;
import static dev.roomcell.domain.RoomEvent.Type.ROOM_USER_JOINED;
import static dev.roomcell.domain.RoomEvent.Type.ROOM_USER_LEFT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.DeliveryLane;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LaneMeter.Drop;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomMessenger;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** LANE-2, LANE-6: the lane by itself, with small limits. */
class DirectLaneTest {
    private static final int OF_A_ROOM = 4;
    private static final int ALL = 10;
    private static final int SENDS = 3;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");
    private final Groups groups = node.groups;
    private final DirectLane lane =
            new DirectLane(node.loop, node.ports(), new DirectLane.Limits(OF_A_ROOM, ALL, SENDS));

    private void onLoop(Runnable task) {
        node.loop.execute(task);
        world.run();
    }

    private static LogRow row(long version, RoomEvent.Type... types) {
        List<Fact> facts = new ArrayList<>();
        for (RoomEvent.Type type : types) {
            facts.add(new Fact(facts.size(), type.name(), true, new byte[] {(byte) version}));
        }
        return new LogRow(
                version, "c-" + version, new byte[16], "K", "u", version, new byte[0], new byte[0], new byte[0], facts);
    }

    private void commit(RoomKey key, LogRow... rows) {
        onLoop(() -> lane.committed(key, List.of(rows)));
    }

    @Test
    void everyEventIsToldInTheOrderOfVersionAndIndex() {
        commit(ROOM, row(1, ROOM_CREATED), row(2, ROOM_MIC_CHANGED, ROOM_USER_LEFT));
        commit(ROOM, row(3, ROOM_CLOSED));

        assertThat(groups.seen(ROOM))
                .containsExactly("1:0 ROOM_CREATED", "2:0 ROOM_MIC_CHANGED", "2:1 ROOM_USER_LEFT", "3:0 ROOM_CLOSED");
        assertThat(groups.sent).isEqualTo(4);
        assertThat(groups.failed).isZero();
        assertThat(groups.dropped).isEmpty();
    }

    @Test
    void aRoomHasOneMessageOnItsWayAndTheNextWaitsForItsAnswer() {
        groups.hold();
        commit(ROOM, row(1, ROOM_CREATED), row(2, ROOM_USER_JOINED));
        commit(OTHER_ROOM, row(1, ROOM_CREATED));

        assertThat(groups.seen(ROOM)).containsExactly("1:0 ROOM_CREATED");
        assertThat(groups.seen(OTHER_ROOM)).containsExactly("1:0 ROOM_CREATED");

        groups.letGo();
        world.run();
        assertThat(groups.seen(ROOM)).containsExactly("1:0 ROOM_CREATED", "2:0 ROOM_USER_JOINED");
    }

    @Test
    void onlySoManyMessagesAreOnTheirWayAndTheRoomsTakeTurns() {
        groups.hold();
        for (int i = 1; i <= 5; i++) {
            commit(new RoomKey("app", "room-" + i), row(1, ROOM_USER_JOINED), row(2, ROOM_USER_JOINED));
        }
        assertThat(groups.unanswered()).isEqualTo(SENDS);

        groups.letGo();
        world.run();
        assertThat(groups.got()).hasSize(10);
        assertThat(groups.got().subList(0, 5))
                .as("each room once before any twice")
                .extracting(message -> message.key().roomId())
                .containsExactly("room-1", "room-2", "room-3", "room-4", "room-5");
    }

    /** LANE-6. */
    @Test
    void aFullQueueGivesUpTheOldestOfTheLowestPriority() {
        groups.hold();
        commit(ROOM, row(1, ROOM_CREATED));
        commit(ROOM, row(2, ROOM_MIC_CHANGED), row(3, ROOM_USER_JOINED), row(4, ROOM_USER_LEFT));
        commit(ROOM, row(5, ROOM_MIC_CHANGED), row(6, ROOM_MIC_CHANGED));
        assertThat(groups.dropped(Drop.QUEUE_FULL)).isEqualTo(1);
        commit(ROOM, row(7, ROOM_CLOSED));
        assertThat(groups.dropped(Drop.QUEUE_FULL)).isEqualTo(2);

        groups.letGo();
        world.run();
        assertThat(groups.seen(ROOM))
                .containsExactly(
                        "1:0 ROOM_CREATED",
                        "2:0 ROOM_MIC_CHANGED",
                        "5:0 ROOM_MIC_CHANGED",
                        "6:0 ROOM_MIC_CHANGED",
                        "7:0 ROOM_CLOSED");
        assertThat(groups.sent).isEqualTo(5);
    }

    /** LANE-6. */
    @Test
    void aNewcomerOfTheLowestPriorityDrivesNobodyOutAndAmongEqualsTheOldestGoes() {
        groups.hold();
        commit(ROOM, row(1, ROOM_CREATED));
        IntStream.rangeClosed(2, 5).forEach(version -> commit(ROOM, row(version, ROOM_MIC_CHANGED)));
        commit(ROOM, row(6, ROOM_USER_JOINED));
        assertThat(groups.dropped(Drop.QUEUE_FULL)).isEqualTo(1);
        commit(ROOM, row(7, ROOM_MIC_CHANGED));
        assertThat(groups.dropped(Drop.QUEUE_FULL)).isEqualTo(2);

        groups.letGo();
        world.run();
        assertThat(groups.got()).extracting(message -> message.version()).containsExactly(1L, 3L, 4L, 5L, 7L);
    }

    @Test
    void allRoomsOfTheLoopTogetherHaveALimitToo() {
        groups.hold();
        for (int i = 1; i <= 20; i++) {
            commit(new RoomKey("app", "room-" + i), row(1, ROOM_MIC_CHANGED));
        }
        assertThat(groups.dropped(Drop.QUEUE_FULL)).isEqualTo(20 - SENDS - ALL);
        groups.letGo();
        world.run();
        assertThat(groups.sent).isEqualTo(SENDS + ALL);
        // The lane has forgotten nobody's place.
        commit(new RoomKey("app", "room-20"), row(2, ROOM_MIC_CHANGED));
        assertThat(groups.sent).isEqualTo(SENDS + ALL + 1);
    }

    @Test
    void aMessageWithoutAnAnswerIsGivenUpAndTheNextOneGoes() {
        groups.hold();
        commit(ROOM, row(1, ROOM_CREATED), row(2, ROOM_USER_JOINED));
        world.advance(DirectLane.SEND_MS - 1);
        assertThat(groups.seen(ROOM)).hasSize(1);
        world.advance(1);
        assertThat(groups.seen(ROOM)).hasSize(2);
        assertThat(groups.failed).isEqualTo(1);

        groups.letGo();
        world.run();
        assertThat(groups.sent).as("the late answer counts no second time").isEqualTo(1);
        assertThat(groups.failed).isEqualTo(1);
    }

    @Test
    void aMessageThatFailsIsNotSentAgainAndTheNextOneGoes() {
        groups.answer(message -> message.version() == 1
                ? Future.failedFuture(new IllegalStateException("no such group"))
                : Future.succeededFuture());
        commit(ROOM, row(1, ROOM_CREATED), row(2, ROOM_USER_JOINED));

        assertThat(groups.seen(ROOM)).containsExactly("1:0 ROOM_CREATED", "2:0 ROOM_USER_JOINED");
        assertThat(groups.failed).isEqualTo(1);
        assertThat(groups.sent).isEqualTo(1);
    }

    @Test
    void aMessengerThatThrowsHasFailed() {
        groups.answer(message -> {
            throw new IllegalStateException("a bug");
        });
        commit(ROOM, row(1, ROOM_CREATED));
        assertThat(groups.failed).isEqualTo(1);
    }

    @Test
    void aMessageThatHasWaitedTooLongIsNotSent() {
        groups.hold();
        commit(ROOM, row(1, ROOM_CREATED), row(2, ROOM_USER_JOINED), row(3, ROOM_USER_JOINED));
        commit(ROOM, row(4, ROOM_USER_LEFT));
        // Three are tried, for as long as one may take; by then the fourth is too old.
        world.advance(LaneQueues.OLDEST_MS + DirectLane.SEND_MS);

        assertThat(groups.seen(ROOM)).hasSize(3);
        assertThat(groups.failed).isEqualTo(3);
        assertThat(groups.dropped(Drop.TOO_OLD)).isEqualTo(1);
    }

    @Test
    void whenNothingArrivesThereArePausesThatGrowAndTheFirstSuccessEndsThem() {
        groups.answer(message -> Future.failedFuture(new IllegalStateException("down")));
        for (int version = 1; version <= 200; version++) {
            commit(ROOM, row(version, ROOM_USER_JOINED));
            world.advance(10);
        }
        int tried = groups.got().size();
        // 16 at once, then one after 50, 100, 200, 400, 800 ms.
        assertThat(tried).isBetween(DirectLane.FAILURES_IN_A_ROW + 3, DirectLane.FAILURES_IN_A_ROW + 6);

        groups.letGo();
        world.advance(2_000);
        int sent = groups.sent;
        assertThat(sent).isPositive();
        for (int version = 201; version <= 210; version++) {
            commit(ROOM, row(version, ROOM_USER_JOINED));
        }
        assertThat(groups.sent).isEqualTo(sent + 10);
    }

    @Test
    void withoutAProviderMessagesAreCountedAndNotKept() {
        groups.disconnect();
        commit(ROOM, row(1, ROOM_MIC_CHANGED, ROOM_USER_LEFT), row(2, ROOM_CLOSED));
        assertThat(groups.dropped(Drop.NOT_CONNECTED)).isEqualTo(3);
        assertThat(groups.got()).isEmpty();
    }

    /** B111. */
    @Test
    void whatTheProviderDropsIsCountedAndIsNoReasonForAPause() {
        groups.answer(message -> Future.failedFuture(new RoomMessenger.DroppedException("too many")));
        for (int version = 1; version <= 2 * DirectLane.FAILURES_IN_A_ROW; version++) {
            commit(ROOM, row(version, ROOM_USER_JOINED));
        }
        assertThat(groups.dropped(Drop.BY_PROVIDER)).isEqualTo(2 * DirectLane.FAILURES_IN_A_ROW);
        assertThat(groups.failed).isZero();
        assertThat(groups.sent).isZero();
    }

    /** B111. */
    @Test
    void whatIsTooLongIsCountedAndIsNoReasonForAPause() {
        groups.answer(message -> Future.failedFuture(new RoomMessenger.TooLongException(12_289)));
        for (int version = 1; version <= 2 * DirectLane.FAILURES_IN_A_ROW; version++) {
            commit(ROOM, row(version, ROOM_USER_JOINED));
        }
        assertThat(groups.dropped(Drop.TOO_LONG)).isEqualTo(2 * DirectLane.FAILURES_IN_A_ROW);
        assertThat(groups.failed).isZero();
    }

    @Test
    void aFaultInTheLaneIsNobodyElsesMatter() {
        LogRow unknown = row(1, ROOM_CREATED);
        Fact fact = new Fact(0, "NO_SUCH_EVENT", true, new byte[0]);
        LogRow broken = new LogRow(
                1,
                "c",
                new byte[16],
                "K",
                "u",
                1,
                unknown.command(),
                unknown.events(),
                unknown.result(),
                List.of(fact));
        commit(ROOM, broken);
        commit(ROOM, row(2, ROOM_CLOSED));
        assertThat(groups.dropped(Drop.FAULT)).isEqualTo(1);
        assertThat(groups.seen(ROOM)).containsExactly("2:0 ROOM_CLOSED");
    }

    @Test
    void aShutdownWaitsForTheLastMessagesButNotForLong() {
        groups.hold();
        commit(ROOM, row(1, ROOM_CREATED), row(2, ROOM_CLOSED));
        Future<Void> shutDown = shutDown();
        assertThat(shutDown.isComplete()).isFalse();
        groups.letGo();
        world.run();
        assertThat(shutDown.isComplete()).isTrue();
        assertThat(groups.sent).isEqualTo(2);
        assertThat(groups.dropped(Drop.SHUTDOWN)).isZero();
    }

    @Test
    void whatASlowProviderLeavesAtAShutdownIsDroppedAndCounted() {
        groups.hold();
        commit(ROOM, row(1, ROOM_CREATED), row(2, ROOM_MIC_CHANGED, ROOM_CLOSED));
        Future<Void> shutDown = shutDown();
        world.advance(DirectLane.SHUTDOWN_MS);
        assertThat(shutDown.isComplete()).isTrue();
        groups.letGo();
        world.run();
        assertThat(groups.got()).hasSizeBetween(1, 2);
        assertThat(groups.dropped(Drop.SHUTDOWN)).isEqualTo(3 - groups.got().size());
    }

    private Future<Void> shutDown() {
        Promise<Void> over = Promise.promise();
        onLoop(() -> lane.shutDown().onComplete(over));
        return over.future();
    }

    /** LANE-1, LANE-2. */
    @Test
    void everyEventHasALaneAndAPriority() {
        for (RoomEvent.Type type : RoomEvent.Type.values()) {
            assertThat(DeliveryLane.of(type))
                    .as(type.name())
                    .isEqualTo(
                            switch (type) {
                                case ROOM_ROCKET_FUEL_CHANGED, ROOM_ROCKET_IGNITED, ROOM_ROCKET_LAUNCHED ->
                                    DeliveryLane.DIRECT_ONLY;
                                default -> DeliveryLane.BOTH;
                            });
            assertThat(DeliveryLane.priorityOf(type))
                    .as(type.name())
                    .isEqualTo(
                            switch (type) {
                                case ROOM_USER_JOINED, ROOM_USER_LEFT, ROOM_ROCKET_FUEL_CHANGED ->
                                    DeliveryLane.Priority.LOW;
                                case ROOM_GIFT_SENT -> DeliveryLane.Priority.MIDDLE;
                                default -> DeliveryLane.Priority.HIGH;
                            });
        }
    }
}
