package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.check.AckChecker;
import dev.roomcell.check.CheckCommand;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.client.RoomClient;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.ListPresenceResponse;
import dev.roomcell.testkit.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Holds against each other what clients were told, what the rooms' owners say, and what is stored. */
final class Audit {
    /** The usual time for which delivered rows of the outbox are kept, ms. */
    private static final long KEPT_MS = 86_400_000;

    private Audit() {}

    /**
     * Checks every room of a load that has stopped.
     *
     * @throws AssertionError with what is wrong
     */
    static void of(Load load, Backends backends) {
        of(load, backends, KEPT_MS);
    }

    /** The same, where delivered rows of the outbox are kept for {@code outboxKeptMs} only. */
    static void of(Load load, Backends backends, long outboxKeptMs) {
        assertThat(load.failures()).isEmpty();
        try (RoomTables tables = backends.tables()) {
            for (RoomKey room : load.rooms()) {
                List<LogRow> log = tables.log(room);
                assertThat(AckChecker.check(room, load.operations(room), log)).isEmpty();
                assertOneVersionACommand(load, room, log);
                assertMemoryIsWhatIsStored(load.client(), tables, room, log);
            }
        }
        assertStoredRoomsAreSound(backends, outboxKeptMs);
    }

    /** Every command of the load was acknowledged, and makes a version: nothing else may be in the log, and no gap. */
    private static void assertOneVersionACommand(Load load, RoomKey room, List<LogRow> log) {
        assertThat(log).hasSize((int) load.acknowledged(room));
        for (int i = 0; i < log.size(); i++) {
            assertThat(log.get(i).version()).isEqualTo(i + 1);
        }
        assertThat(log.stream().map(LogRow::commandId)).doesNotHaveDuplicates();
    }

    private static void assertMemoryIsWhatIsStored(
            RoomClient client, RoomTables tables, RoomKey room, List<LogRow> log) {
        RoomState replayed = replay(room, log);
        GetRoomResponse owner = Await.result(client.getRoom(RoomCalls.get(room)));
        assertThat(owner.getRoom().getRoomVersion())
                .isEqualTo(log.size())
                .isEqualTo(tables.room(room).orElseThrow().version())
                .isEqualTo(replayed.version());
        assertThat(owner.getRoom().getOnlineCount()).isEqualTo(replayed.onlineCount());
        ListPresenceResponse present = Await.result(client.listPresence(RoomCalls.listPresence(room)));
        Map<String, Long> inMemory = new HashMap<>();
        present.getEntriesList().forEach(entry -> inMemory.put(entry.getUserId(), entry.getJoinedAtMs()));
        assertThat(inMemory)
                .isEqualTo(replayed.members()
                        .mapValues(Presence.Member::joinedAtMs)
                        .toJavaMap());
    }

    private static RoomState replay(RoomKey room, List<LogRow> log) {
        StoredForm form = new StoredForm();
        RoomState state = RoomState.creating(room);
        for (LogRow row : log) {
            state = RoomDecider.evolve(state, form.decodeEvents(row.events()), new Stamp(row.version(), row.atMs()));
        }
        return state.checked();
    }

    /** The checker over the whole schema: logs decided again, snapshots, outbox, list, epochs. */
    static void assertStoredRoomsAreSound(Backends backends) {
        assertStoredRoomsAreSound(backends, KEPT_MS);
    }

    private static void assertStoredRoomsAreSound(Backends backends, long outboxKeptMs) {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int exitCode = new CommandLine(new CheckCommand())
                .setOut(out)
                .setErr(out)
                .execute(
                        "--mysql",
                        "127.0.0.1:" + backends.servers().mysqlPort() + "/" + backends.schema(),
                        "--user",
                        backends.servers().mysqlUser(),
                        "--outbox-kept-ms",
                        Long.toString(outboxKeptMs));
        assertThat(exitCode).as(said.toString()).isZero();
    }

    /** The command's row; empty if it is not in the log. */
    static List<LogRow> rowsOf(RoomTables tables, RoomKey room, String commandId) {
        return tables.log(room).stream()
                .filter(row -> row.commandId().equals(commandId))
                .toList();
    }
}
