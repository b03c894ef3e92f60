package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.CODEC;
import static dev.roomcell.cell.CellWorld.assertSameRoom;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.roomcell.cell.RandomLife.Read;
import dev.roomcell.cell.RandomLife.Sent;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence.JoinRoom;
import dev.roomcell.domain.Presence.Joined;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Whatever fails, in whatever order: what anybody was told is what the log says, and memory is the log. */
class RandomFaultsTest {

    private static final Logger CORE_LOG = (Logger) LoggerFactory.getLogger("dev.roomcell.cell");

    /** Every failure of every call would be a line. */
    @BeforeProperty
    void quiet() {
        CORE_LOG.setLevel(Level.OFF);
    }

    @AfterProperty
    void loud() {
        CORE_LOG.setLevel(null);
    }

    @Property(tries = 100, shrinking = ShrinkingMode.OFF)
    void whateverFailsTheLogIsTheTruthAndEverybodyWasToldIt(@ForAll long seed) {
        RandomLife life = new RandomLife(seed);
        life.live();
        for (RoomKey room : RandomLife.rooms()) {
            List<RoomState> history = history(life.world, room);
            assertLogWithoutGap(life.world, room, history);
            assertToldTheTruth(life, room, history);
            assertReadsWereTheRoom(life, room, history);
            assertStoredPartsAgree(life.world, room, history);
            assertMemoryIsTheLog(life, room, history);
        }
    }

    /** The room at each version, from 0 on. */
    private static List<RoomState> history(CellWorld world, RoomKey room) {
        List<RoomState> history = new ArrayList<>(List.of(RoomState.creating(room)));
        for (LogFields fields : world.log(room)) {
            Stamp stamp = new Stamp(fields.row().version(), fields.row().atMs());
            List<RoomEvent> events = CODEC.decodeEvents(fields.row().events());
            history.add(RoomDecider.evolve(history.get(history.size() - 1), events, stamp)
                    .checked());
        }
        return history;
    }

    /** Versions, epochs and stamps (TIME-1) only go forward. */
    private static void assertLogWithoutGap(CellWorld world, RoomKey room, List<RoomState> history) {
        List<LogFields> log = world.log(room);
        assertThat(log.stream().map(fields -> fields.row().version()))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, log.size()).boxed().toList());
        assertThat(log.stream().map(LogFields::epoch)).isSorted();
        assertThat(log.stream().map(fields -> fields.row().atMs())).isSorted();
        assertThat(world.loggedIds(room)).doesNotHaveDuplicates();
        world.database.room(room).ifPresent(row -> {
            assertThat(row.version()).isEqualTo(log.size());
            assertThat(row.status()).isEqualTo(history.get(log.size()).status());
        });
    }

    private static void assertToldTheTruth(RandomLife life, RoomKey room, List<RoomState> history) {
        Map<String, byte[]> stored = new HashMap<>();
        life.world
                .log(room)
                .forEach(fields ->
                        stored.put(fields.row().commandId(), fields.row().result()));
        Set<String> mayHaveHappened = new HashSet<>();
        for (Sent sent : life.sent) {
            if (!sent.key().equals(room)) {
                continue;
            }
            boolean silent = !sent.answer().isComplete();
            if (silent || mayHaveEffect(sent.answer().result())) {
                mayHaveHappened.add(sent.commandId());
            }
            if (!silent && sent.answer().result() instanceof Answer.Done done) {
                assertDone(sent, done, stored.get(sent.commandId()), history);
            }
        }
        stored.keySet().remove("~heal");
        assertThat(mayHaveHappened)
                .as("CMD-8: what is in the log was promised to nobody as undone")
                .containsAll(stored.keySet());
    }

    /** CMD-8; a rejection and a conflict promise the same. */
    private static boolean mayHaveEffect(Answer answer) {
        return answer instanceof Answer.Done
                || (answer instanceof Answer.Refused refused && refused.refusal() == Answer.Refusal.OUTCOME_UNKNOWN);
    }

    private static void assertDone(Sent sent, Answer.Done done, byte @Nullable [] stored, List<RoomState> history) {
        if (stored != null && (done.replayed() || Arrays.equals(done.result(), stored))) {
            assertThat(done.result()).as("CMD-6: %s", sent).isEqualTo(stored);
            return;
        }
        assertThat(done.replayed())
                .as("a replay of what the log does not hold: %s", sent)
                .isFalse();
        assertThat(sent.command()).as("done, and not in the log").isInstanceOf(JoinRoom.class);
        assertThat(history)
                .as("a join that changed nothing: %s", sent)
                .anySatisfy(state -> assertThat(done.result())
                        .isEqualTo(joinedAlready(state, sent.command().actorUserId())));
    }

    private static byte[] joinedAlready(RoomState state, String userId) {
        return state.member(userId)
                .map(member -> CODEC.encodeResult(
                        state.key(), new Joined(state.version(), member.joinedAtMs(), state.onlineCount())))
                .orElseGet(() -> new byte[0]);
    }

    /** A reader saw a committed version, and unless Redis forgot, not an older one than anybody had been told of. */
    private static void assertReadsWereTheRoom(RandomLife life, RoomKey room, List<RoomState> history) {
        for (Read read : life.reads) {
            if (read.key().equals(room)) {
                assertSameRoom(read.room(), history.get((int) read.room().version()));
                if (!life.redisForgets) {
                    assertThat(read.room().version()).as("LEASE-17").isGreaterThanOrEqualTo(read.atLeast());
                }
            }
        }
    }

    private static void assertStoredPartsAgree(CellWorld world, RoomKey room, List<RoomState> history) {
        for (Snapshot snapshot : world.database.snapshots(room)) {
            assertSameRoom(CODEC.decodeState(room, snapshot), history.get((int) snapshot.version()));
        }
        List<String> facts = new ArrayList<>();
        for (LogFields fields : world.log(room)) {
            for (RoomEvent event : CODEC.decodeEvents(fields.row().events())) {
                facts.add(fields.row().version() + " " + event.type());
            }
        }
        assertThat(world.database.outbox(room).stream().map(RandomFaultsTest::fact))
                .containsExactlyElementsOf(facts);
        RoomState last = history.get(history.size() - 1);
        if (last.version() > 0) {
            assertThat(world.database.listEntry(room))
                    .as("ROOM-8")
                    .hasValueSatisfying(line -> assertThat(line)
                            .extracting(ListEntry::version, ListEntry::status, ListEntry::onlineCount)
                            .containsExactly(last.version(), last.status(), last.onlineCount()));
        }
    }

    private static String fact(OutboxFields row) {
        return row.version() + " " + row.fact().type();
    }

    /** Whoever is asked in the end, its room is what the log says; nobody is left with another. */
    private static void assertMemoryIsTheLog(RandomLife life, RoomKey room, List<RoomState> history) {
        RoomState last = history.get(history.size() - 1);
        boolean served = last.status() == Lifecycle.Status.CREATING;
        for (CellNode node : life.nodes) {
            ReadAnswer answer = node.read(room);
            if (answer instanceof ReadAnswer.Found found) {
                assertSameRoom(found.state(), last);
                served = true;
            }
        }
        assertThat(served).as("somebody serves the room").isTrue();
    }
}
