package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Presence.Joined;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TIME-1: the owner stamps, from its own clock, and never backwards. */
class StampTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    private List<Long> stamps() {
        return world.log(ROOM).stream().map(fields -> fields.row().atMs()).toList();
    }

    /** TIME-1. */
    @Test
    void aCommandIsStampedWhenItsBatchIsTakenNotWhenItWasSent() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        Future<Answer> join = node.send(ROOM, "join-ben", Wishes.join("ben"));
        world.advance(700);
        long takenAtMs = world.nowMs();
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        busy.letGo();
        world.run();
        world.advance(700);
        commit.letGo();
        world.run();

        byte[] result = Answers.assertDone(join);
        assertThat(stamps()).containsExactly(CellWorld.BEGIN_MS, takenAtMs);
        assertThat(result).isEqualTo(CellWorld.CODEC.encodeResult(ROOM, new Joined(2, takenAtMs, 1)));
    }

    /** TIME-1. */
    @Test
    void theStampIsTheOwnersClock() {
        node.clock.wrongBy(1_234);
        node.create(ROOM);

        assertThat(stamps()).containsExactly(world.nowMs() + 1_234);
    }

    /** TIME-1. */
    @Test
    void aClockThatIsSetBackDoesNotSetTheRoomBack() {
        node.createWith(ROOM, "ben");
        long before = world.nowMs();
        node.clock.wrongBy(-30_000);
        world.advance(1_000);

        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(stamps()).containsExactly(before, before, before);
    }

    /** TIME-1. */
    @Test
    void anOwnerWhoseClockIsBehindGoesOnWhereTheOtherWas() {
        CellNode ahead = world.node("ahead");
        ahead.clock.wrongBy(60_000);
        ahead.createWith(ROOM, "ben");
        long lastStampMs = world.nowMs() + 60_000;
        ahead.loop.freeze();
        world.advance(Limits.TTL_MS);

        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(stamps()).containsExactly(lastStampMs, lastStampMs, lastStampMs);
    }

    /** TIME-1: a snapshot remembers how far the room's time had come, whatever the clock that took it says. */
    @Test
    void aSnapshotTakenByAClockThatIsBehindDoesNotSetTheRoomBack() {
        CellNode ahead = world.node("ahead");
        ahead.clock.wrongBy(60_000);
        ahead.createWith(ROOM, "ben");
        long lastStampMs = world.nowMs() + 60_000;
        ahead.loop.freeze();
        world.advance(Limits.TTL_MS);
        node.read(ROOM);
        node.outcome(node.shard.drain());
        assertThat(world.database.snapshots(ROOM)).hasSize(1);

        Answers.assertDone(world.node("b").ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(stamps()).containsExactly(lastStampMs, lastStampMs, lastStampMs);
    }
}
