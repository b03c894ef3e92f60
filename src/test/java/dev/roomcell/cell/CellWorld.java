package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.cell.CellRecovery.Replayed;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RocketPlan;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.ImControl;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.RtcControl;
import dev.roomcell.sim.MemoryDatabase;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import dev.roomcell.sim.MemoryRedis;
import dev.roomcell.sim.MemoryRedis.Value.Lease;
import dev.roomcell.sim.SteppedTime;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One database, one Redis, and the nodes on them, in one stepped time. */
final class CellWorld {
    /** When the world begins, database time, epoch ms. */
    static final long BEGIN_MS = 1_700_000_000_000L;

    static final RoomKey ROOM = new RoomKey("lala", "room-1");
    static final RoomKey OTHER_ROOM = new RoomKey("lala", "room-2");
    static final RoomKey THIRD_ROOM = new RoomKey("lala", "room-3");
    static final StoredForm CODEC = new StoredForm();

    final SteppedTime time = new SteppedTime();
    final MemoryDatabase database = new MemoryDatabase(() -> BEGIN_MS + time.nowMs());
    final MemoryRedis redis = new MemoryRedis(time::nowMs);
    /** What the nodes made from now on know of RTC. */
    Optional<RtcControl> rtc = Optional.empty();
    /** What the nodes made from now on tell IM groups by; at first there are none. */
    Optional<ImControl> im = Optional.empty();

    /** A world with {@code rtc} in it. */
    static CellWorld with(RtcControl rtc) {
        CellWorld world = new CellWorld();
        world.rtc = Optional.of(rtc);
        return world;
    }

    /** How rockets are, in every app; at first there are none. */
    RocketPlan rockets = RocketPlan.NONE;
    /** What the nodes made from now on need for gifts; at first they offer none. */
    GiftPorts gifts = GiftPorts.notOffered(database.gifts(), appCode -> Future.succeededFuture(rockets));
    /** The nodes that every node believes to be alive. */
    final Set<String> members = new TreeSet<>();

    /** A node of the usual settings. */
    CellNode node(String nodeId) {
        return node(nodeId, Limits.usual().settings());
    }

    CellNode node(String nodeId, CellSettings settings) {
        members.add(nodeId);
        return new CellNode(this, nodeId, settings);
    }

    /** Runs what is due, and what that brings about. */
    void run() {
        time.runUntilIdle();
    }

    void advance(long ms) {
        time.advance(ms);
    }

    /** Database time, epoch ms. */
    long nowMs() {
        return BEGIN_MS + time.nowMs();
    }

    RoomFields row(RoomKey key) {
        return database.room(key).orElseThrow(() -> new AssertionError("no row of " + key));
    }

    List<LogFields> log(RoomKey key) {
        return database.log(key);
    }

    /** The command ids of a room's log, by version. */
    List<String> loggedIds(RoomKey key) {
        return log(key).stream().map(fields -> fields.row().commandId()).toList();
    }

    /** The stored result of a command. */
    byte[] loggedResult(RoomKey key, String commandId) {
        return log(key).stream()
                .map(LogFields::row)
                .filter(row -> row.commandId().equals(commandId))
                .map(LogRow::result)
                .findFirst()
                .orElseThrow(() -> new AssertionError(commandId + " is not in the log of " + key));
    }

    /** A room as its whole log tells it, from the first row on. */
    RoomState replayed(RoomKey key) {
        RoomState state = RoomState.creating(key);
        for (LogFields fields : log(key)) {
            Stamp stamp = new Stamp(fields.row().version(), fields.row().atMs());
            state = RoomDecider.evolve(state, CODEC.decodeEvents(fields.row().events()), stamp);
        }
        return state;
    }

    /** What Redis says of a room. */
    Optional<Lease> route(RoomKey key) {
        return redis.get(key.routeKey()).map(Lease.class::cast);
    }

    /** An earlier owner's commit of one command, with whatever events; the room's row must be there. */
    void wroteEarlier(RoomKey key, String commandId, RoomCommand command, byte[] result, List<RoomEvent> events) {
        RoomFields before = row(key);
        Stamp stamp = new Stamp(before.version() + 1, nowMs());
        RoomState after = RoomDecider.evolve(replayed(key), events, stamp);
        RoomCodec.EncodedCommand encoded = CODEC.encodeCommand(key, command);
        List<RoomBatch.Fact> facts = new ArrayList<>();
        for (RoomEvent event : events) {
            facts.add(CODEC.encodeFact(key, stamp, facts.size(), commandId, command.actorUserId(), event));
        }
        LogRow row = new LogRow(
                stamp.version(),
                commandId,
                encoded.payloadHash(),
                command.kind().name(),
                command.actorUserId(),
                stamp.atMs(),
                encoded.bytes(),
                CODEC.encodeEvents(events),
                result,
                facts);
        write(key, List.of(row), after.status());
    }

    /** An earlier owner began to close the room and went no further. */
    void beganToClose(RoomKey key) {
        write(key, List.of(), Lifecycle.Status.CLOSING);
    }

    private void write(RoomKey key, List<LogRow> rows, Lifecycle.Status statusAfter) {
        RoomFields before = row(key);
        RoomBatch batch = new RoomBatch(
                key,
                before.version(),
                before.epoch(),
                "earlier-owner",
                "earlier-token",
                rows,
                statusAfter,
                true,
                false,
                List.of(),
                List.of(),
                Optional.empty());
        assertThat(database.commit(List.of(batch), false).result())
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.APPENDED)));
    }

    /** The same room, whatever the last signs of life: those are memory's alone (PRES-7). */
    static void assertSameRoom(RoomState actual, RoomState expected) {
        assertThat(CODEC.encodeState(actual, 0).state())
                .as("%s is %s", actual, expected)
                .isEqualTo(CODEC.encodeState(expected, 0).state());
    }

    /** Nothing is stored of the room: what a cell starts from that never had a snapshot. */
    static Replayed blank(RoomKey key) {
        return new Replayed(RoomState.creating(key), new DedupeWindow(), 0, 0, 0, 0, 0);
    }
}
