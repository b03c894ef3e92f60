package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One node's way to a shared database, with a tap on it. */
public final class WiredDatabase implements CommandStore, SnapshotStore, RoomListStore, TimerStore, LiveRoomStore {
    private final MemoryDatabase database;
    private final PortTap tap;

    /** The way to {@code database} that {@code tap} is on. */
    public WiredDatabase(MemoryDatabase database, PortTap tap) {
        this.database = database;
        this.tap = tap;
    }

    @Override
    public Future<Optional<RoomRow>> find(RoomKey key) {
        return tap.pass(Call.FIND, key.toString(), () -> database.find(key));
    }

    @Override
    public Future<Boolean> insertCreating(RoomKey key, long timerDueMs) {
        return tap.pass(Call.INSERT_CREATING, key.toString(), () -> database.insertCreating(key, timerDueMs));
    }

    @Override
    public Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom) {
        return tap.pass(Call.MINT, key.toString(), () -> database.mint(key, nodeId, leaseToken, onlyFrom));
    }

    @Override
    public Future<StoredRoom> load(RoomKey key, long idsSinceMs, int maxIds) {
        return tap.load(database, key, idsSinceMs, maxIds);
    }

    @Override
    public Future<Map<String, LoggedCommand>> findCommands(RoomKey key, Collection<String> commandIds) {
        return tap.pass(Call.FIND_COMMANDS, key.toString(), () -> database.findCommands(key, commandIds));
    }

    @Override
    public Future<Optional<LogPage>> readLog(RoomKey key, long sinceVersion, int most) {
        return tap.pass(Call.READ_LOG, key.toString(), () -> database.readLog(key, sinceVersion, most));
    }

    @Override
    public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
        return tap.commit(database, batches, skipLocked);
    }

    @Override
    public Future<Void> save(RoomKey key, Snapshot snapshot) {
        return tap.pass(Call.SAVE_SNAPSHOT, key.toString(), () -> database.save(key, snapshot));
    }

    @Override
    public Future<Void> write(List<ListEntry> entries) {
        return tap.pass(Call.WRITE_LIST, entries.size() + " rooms", () -> database.write(entries));
    }

    @Override
    public Future<List<ListEntry>> hottest(String appCode, Optional<String> region, Optional<Place> after, int most) {
        return tap.pass(Call.READ_LIST, appCode, () -> database.hottest(appCode, region, after, most));
    }

    @Override
    public Future<List<String>> owners(int most) {
        return tap.pass(Call.LIVE_OWNERS, "live rooms", () -> database.owners(most));
    }

    @Override
    public Future<List<LiveRoom>> roomsOf(String nodeId, Optional<RoomKey> after, int most) {
        return tap.pass(Call.LIVE_ROOMS, nodeId, () -> database.roomsOf(nodeId, after, most));
    }

    @Override
    public Future<List<DueTimer>> claimDue(TimerClaim claim) {
        return tap.pass(Call.CLAIM_DUE, "timers", () -> database.timers().claimDue(claim));
    }

    @Override
    public Future<Void> giveBack(List<GivenBack> timers, long untilMs) {
        return tap.pass(
                Call.GIVE_BACK,
                timers.size() + " timers",
                () -> database.timers().giveBack(timers, untilMs));
    }

    @Override
    public Future<Void> done(RoomTimer timer, long untilMs) {
        return tap.pass(
                Call.TIMER_DONE, timer.toString(), () -> database.timers().done(timer, untilMs));
    }

    @Override
    public Future<Void> plan(RoomTimer timer, long dueMs) {
        return tap.pass(
                Call.PLAN_TIMER, timer.toString(), () -> database.timers().plan(timer, dueMs));
    }
}
