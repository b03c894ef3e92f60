package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.Envelopes;
import dev.roomcell.domain.GiftBoard;
import dev.roomcell.domain.GiftBoard.Giver;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.RankEntry;
import io.vavr.collection.Vector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What clients hear of heat and rank. */
@Tag("LANE-1")
final class BoardNewsTest {
    private static final long EVERY_MS = 1_000;
    private static final RoomKey ROOM = new RoomKey("app", "room");

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");
    private final Groups groups = node.groups;
    private final BoardNews news = new BoardNews(
            node.loop, node.ports(), new DirectLane(node.loop, node.ports(), DirectLane.Limits.USUAL), EVERY_MS);

    private static RoomState room(long version, long heat, Giver... givers) {
        RoomState blank = RoomState.creating(ROOM);
        return new RoomState(
                ROOM,
                version,
                blank.status(),
                blank.profile(),
                0,
                0,
                blank.members(),
                0,
                Vector.empty(),
                blank.houseRules(),
                GiftBoard.of(heat, List.of(givers)),
                Optional.empty());
    }

    private void given(RoomState before, RoomState after) {
        node.loop.execute(() -> news.changed(before, after));
        world.run();
    }

    private List<FactEnvelope> told() {
        return groups.got().stream()
                .map(message -> Envelopes.of(message.fact()))
                .toList();
    }

    @Test
    void manyGiftsInASecondAreToldOfOnceAndTheLastCounts() {
        RoomState before = room(1, 0);
        for (long version = 2; version <= 50; version++) {
            RoomState after = room(version, 10 * version, new Giver("ann", 10 * version, version));
            given(before, after);
            before = after;
        }
        assertThat(told()).isEmpty();
        world.advance(EVERY_MS);
        assertThat(groups.seen(ROOM)).containsExactly("50:1000 ROOM_HEAT_CHANGED", "50:1001 ROOM_RANK_CHANGED");
        assertThat(told().get(0).getRoomHeatChanged().getHeat()).isEqualTo(500);
        assertThat(told().get(0).getEventId()).isEqualTo("room:50:1000");
        assertThat(told().get(1).getRoomRankChanged().getTopList())
                .containsExactly(RankEntry.newBuilder()
                        .setRank(1)
                        .setUserId("ann")
                        .setScore(500)
                        .build());
        world.advance(10 * EVERY_MS);
        assertThat(told()).hasSize(2);
        given(before, room(51, 510, new Giver("ann", 510, 51)));
        world.advance(EVERY_MS);
        assertThat(told()).hasSize(4);
    }

    /** The end changes neither heat nor rank; of what came right before it nothing is told any more. */
    @Test
    @Tag("ROOM-4")
    void theEndOfTheRoomIsTheLastThatIsToldOfIt() {
        RoomState given = room(2, 20, new Giver("ann", 20, 2));
        given(room(1, 0), given);
        given(given, closed(given));
        world.advance(EVERY_MS);
        assertThat(told()).isEmpty();
    }

    private static RoomState closed(RoomState room) {
        return new RoomState(
                ROOM,
                room.version() + 1,
                Lifecycle.Status.CLOSED,
                room.profile(),
                0,
                1,
                room.members(),
                0,
                room.seats(),
                room.houseRules(),
                room.board(),
                Optional.empty());
    }

    @Test
    void whatHappensBelowTheTopIsNoNews() {
        List<Giver> top = new ArrayList<>(LongStream.range(0, BoardNews.RANKS)
                .mapToObj(i -> new Giver("top-" + i, 1_000 - i, i + 1))
                .toList());
        RoomState before = room(20, 9_000, top.toArray(Giver[]::new));
        top.add(new Giver("small", 1, 21));
        given(before, room(21, 9_001, top.toArray(Giver[]::new)));
        world.advance(EVERY_MS);
        assertThat(groups.seen(ROOM)).containsExactly("21:1000 ROOM_HEAT_CHANGED");
    }

    private static RoomState fueled(long version, long fuel) {
        return withRocket(
                room(version, 0), new Rocket("r1", 1, Rocket.Status.FUELING, fuel, 1_000_000, 0, 1, Rocket.Next.NONE));
    }

    private static RoomState withRocket(RoomState room, Rocket rocket) {
        return new RoomState(
                ROOM,
                room.version(),
                room.status(),
                room.profile(),
                0,
                0,
                room.members(),
                0,
                room.seats(),
                room.houseRules(),
                room.board(),
                Optional.of(rocket));
    }

    /** 10,000 gifts in a minute: one message a second at most, and the last value arrives. */
    @Test
    void ofFuelTheLastValueIsToldOnceAPeriod() {
        for (long version = 2; version <= 10_001; version++) {
            given(fueled(version - 1, version - 1), fueled(version, version));
            world.advance(6);
        }
        world.advance(EVERY_MS);
        assertThat(told()).hasSizeBetween(55, 61);
        assertThat(told()).last().satisfies(last -> {
            assertThat(last.getRoomRocketFuelChanged().getFuel()).isEqualTo(10_001);
            assertThat(last.getRoomVersion()).isEqualTo(10_001);
        });
    }

    /** B35: what cannot grow any more does not wrap, and is no news. */
    @Test
    void aHeatThatIsFullIsNoNews() {
        Giver ann = new Giver("ann", Long.MAX_VALUE, 3);
        given(room(4, Long.MAX_VALUE, ann), room(5, Long.MAX_VALUE, ann));
        world.advance(EVERY_MS);
        assertThat(told()).isEmpty();
    }
}
