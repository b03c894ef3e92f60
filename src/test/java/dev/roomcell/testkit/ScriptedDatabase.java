package dev.roomcell.testkit;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.MemoryDatabase;
import dev.roomcell.testkit.PortScript.Call;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One node's way to a shared database, with a script on it. It remembers the transactions that were asked for. */
public final class ScriptedDatabase implements CommandStore, SnapshotStore, RoomListStore, TimerStore {
    /** An answer for a script to give: COMMIT was sent and not answered, for every room of the transaction. */
    public static final GroupOutcome UNKNOWN = new GroupOutcome.Unknown(List.of(), "no answer");

    private final MemoryDatabase database;
    private final PortScript script;
    private final List<Commit> commits = new ArrayList<>();

    /**
     * A transaction that was asked for.
     *
     * @param batches of which rooms
     * @param skipLocked whether rooms whose row is locked were to be left out
     */
    public record Commit(List<RoomBatch> batches, boolean skipLocked) {
        /** The rooms of it, in order. */
        public List<RoomKey> rooms() {
            return batches.stream().map(RoomBatch::key).toList();
        }
    }

    /** The way to {@code database} that {@code script} watches. */
    public ScriptedDatabase(MemoryDatabase database, PortScript script) {
        this.database = database;
        this.script = script;
    }

    /** The transactions that were asked for, in order. */
    public List<Commit> commits() {
        return List.copyOf(commits);
    }

    @Override
    public Future<Optional<RoomRow>> find(RoomKey key) {
        return script.pass(Call.FIND, () -> database.find(key));
    }

    @Override
    public Future<Boolean> insertCreating(RoomKey key, long timerDueMs) {
        return script.pass(Call.INSERT_CREATING, () -> database.insertCreating(key, timerDueMs));
    }

    @Override
    public Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom) {
        return script.pass(Call.MINT, () -> database.mint(key, nodeId, leaseToken, onlyFrom));
    }

    @Override
    public Future<StoredRoom> load(RoomKey key, long idsSinceMs, int maxIds) {
        return script.pass(Call.LOAD, () -> database.load(key, idsSinceMs, maxIds));
    }

    @Override
    public Future<Map<String, LoggedCommand>> findCommands(RoomKey key, Collection<String> commandIds) {
        return script.pass(Call.FIND_COMMANDS, () -> database.findCommands(key, commandIds));
    }

    @Override
    public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
        commits.add(new Commit(List.copyOf(batches), skipLocked));
        return script.pass(Call.COMMIT, () -> database.commit(batches, skipLocked))
                .map(outcome -> outcome == UNKNOWN ? unknown(batches) : outcome);
    }

    private static GroupOutcome unknown(List<RoomBatch> batches) {
        return new GroupOutcome.Unknown(Collections.nCopies(batches.size(), Verdict.APPENDED), "no answer");
    }

    @Override
    public Future<Void> save(RoomKey key, Snapshot snapshot) {
        return script.pass(Call.SAVE_SNAPSHOT, () -> database.save(key, snapshot));
    }

    @Override
    public Future<Void> write(List<ListEntry> entries) {
        return script.pass(Call.WRITE_LIST, () -> database.write(entries));
    }

    @Override
    public Future<List<DueTimer>> claimDue(long nowMs, long untilMs, int limit) {
        return script.pass(Call.CLAIM_DUE, () -> database.claimDue(nowMs, untilMs, limit));
    }
}
