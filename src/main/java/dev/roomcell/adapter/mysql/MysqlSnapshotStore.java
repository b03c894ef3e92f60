package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.SnapshotStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;

/** The table {@code room_snapshots}. */
public final class MysqlSnapshotStore implements SnapshotStore {
    private final Connections connections;

    /** The snapshots in the database of {@code connections}. */
    public MysqlSnapshotStore(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Future<Void> save(RoomKey key, Snapshot snapshot) {
        return connections
                .read(
                        "INSERT INTO room_snapshots (app_code, room_id, version, taken_at_ms, state, checksum, last_seen)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE taken_at_ms = VALUES(taken_at_ms),"
                                + " state = VALUES(state), checksum = VALUES(checksum), last_seen = VALUES(last_seen)",
                        Values.room(
                                key,
                                snapshot.version(),
                                snapshot.atMs(),
                                Values.bytes(snapshot.state()),
                                snapshot.checksum(),
                                Values.bytes(snapshot.lastSeen())))
                .compose(saved -> connections.read(
                        // A subquery of the table that is deleted from must be materialised, hence the inner select.
                        "DELETE FROM room_snapshots WHERE " + Sql.ONE_ROOM + " AND version < (SELECT version FROM"
                                + " (SELECT version FROM room_snapshots WHERE " + Sql.ONE_ROOM
                                + " ORDER BY version DESC LIMIT 1 OFFSET 1) AS second_newest)",
                        Values.room(key, Values.bytes(key.appCode()), Values.bytes(key.roomId()))))
                .mapEmpty();
    }

    /** The room's snapshots, newest first. */
    Future<List<Snapshot>> newestFirst(RoomKey key) {
        return connections
                .read(
                        "SELECT version, taken_at_ms, state, checksum, last_seen FROM room_snapshots WHERE "
                                + Sql.ONE_ROOM + " ORDER BY version DESC LIMIT 2",
                        Values.room(key))
                .map(rows -> {
                    List<Snapshot> snapshots = new ArrayList<>();
                    for (Row row : rows) {
                        snapshots.add(new Snapshot(
                                row.getLong(0),
                                row.getLong(1),
                                Values.blob(row, 2),
                                row.getLong(3),
                                Values.blob(row, 4)));
                    }
                    return snapshots;
                });
    }
}
