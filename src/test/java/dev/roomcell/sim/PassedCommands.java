package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.RoomBatch;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Passes every call on; a flaw overrides what it does otherwise. */
class PassedCommands implements CommandStore {
    final CommandStore right;

    PassedCommands(CommandStore right) {
        this.right = right;
    }

    @Override
    public Future<Optional<RoomRow>> find(RoomKey key) {
        return right.find(key);
    }

    @Override
    public Future<Boolean> insertCreating(RoomKey key, long timerDueMs) {
        return right.insertCreating(key, timerDueMs);
    }

    @Override
    public Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom) {
        return right.mint(key, nodeId, leaseToken, onlyFrom);
    }

    @Override
    public Future<StoredRoom> load(RoomKey key, long idsSinceMs, int maxIds) {
        return right.load(key, idsSinceMs, maxIds);
    }

    @Override
    public Future<Map<String, LoggedCommand>> findCommands(RoomKey key, Collection<String> commandIds) {
        return right.findCommands(key, commandIds);
    }

    @Override
    public Future<Optional<LogPage>> readLog(RoomKey key, long sinceVersion, int most) {
        return right.readLog(key, sinceVersion, most);
    }

    @Override
    public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
        return right.commit(batches, skipLocked);
    }
}
