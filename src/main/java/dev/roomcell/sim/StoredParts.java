package dev.roomcell.sim;

import dev.roomcell.check.RoomHistory;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.SnapshotStore.Snapshot;
import java.util.List;

/** What a database in memory holds of a room, as the checkers take it. */
final class StoredParts {
    private StoredParts() {}

    /** The room with all that was ever logged; snapshots that a bad disk has damaged are left out, as a load leaves them out. */
    static RoomHistory everOf(MemoryDatabase database, RoomKey key) {
        return of(database, key, database.chronicle().log(key));
    }

    /** The room as it is stored, without what was purged; damaged snapshots are left out too. */
    static RoomHistory of(MemoryDatabase database, RoomKey key) {
        return of(database, key, database.log(key));
    }

    private static RoomHistory of(MemoryDatabase database, RoomKey key, List<MemoryDatabase.LogFields> log) {
        return new RoomHistory(
                key,
                database.room(key)
                        .map(row -> new RoomHistory.RoomRow(
                                row.status().name(), row.version(), row.epoch(), row.ownerNodeId(), row.live())),
                log.stream().map(StoredParts::logRow).toList(),
                outbox(database, key),
                database.snapshots(key).stream().filter(Snapshot::intact).toList(),
                database.listEntry(key)
                        .map(line -> new RoomHistory.ListEntry(
                                line.version(),
                                line.status().name(),
                                line.title(),
                                line.region(),
                                line.onlineCount())));
    }

    private static RoomHistory.LogRow logRow(MemoryDatabase.LogFields fields) {
        return new RoomHistory.LogRow(
                fields.row().version(),
                fields.row().commandId(),
                fields.row().payloadHash(),
                fields.row().kind(),
                fields.row().actorUserId(),
                fields.row().atMs(),
                fields.row().command(),
                fields.row().events(),
                fields.row().result(),
                fields.nodeId(),
                fields.leaseToken(),
                fields.epoch());
    }

    private static List<RoomHistory.OutboxRow> outbox(MemoryDatabase database, RoomKey key) {
        return database.outbox(key).stream()
                .map(row -> new RoomHistory.OutboxRow(
                        row.version(),
                        row.fact().index(),
                        row.fact().type(),
                        row.fact().envelope()))
                .toList();
    }
}
