package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.PurgeStore.Proof;
import dev.roomcell.port.SnapshotStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table {@code room_snapshots}. */
public final class MysqlSnapshotStore implements SnapshotStore {
    /** Ascending, and with each the log's first version; 1 for an empty log. */
    private static final String VERSIONS = "SELECT version, COALESCE((SELECT version FROM room_command_log WHERE "
            + Sql.ONE_ROOM + " ORDER BY version LIMIT 1), 1) FROM room_snapshots WHERE " + Sql.ONE_ROOM
            + " ORDER BY version";

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
                .compose(saved -> purge(key, Optional.empty()))
                .mapEmpty();
    }

    /**
     * Deletes all but the two newest, and if the log's beginning is gone the first one behind which it is whole (LOG-1).
     *
     * @param proof which of them count; empty: all
     * @return how many
     */
    Future<Integer> purge(RoomKey key, Optional<Proof> proof) {
        return connections.read(VERSIONS, Values.twice(key)).compose(rows -> {
            List<Long> versions = new ArrayList<>();
            long logBegins = 1;
            for (Row row : rows) {
                versions.add(row.getLong(0));
                logBegins = row.getLong(1);
            }
            List<Long> old = unneeded(versions, logBegins, proof);
            if (old.isEmpty()) {
                return Future.succeededFuture(0);
            }
            Tuple values = Values.room(key);
            for (int i = 0; i < Sql.filledUp(old.size()); i++) {
                values.addValue(old.get(Math.min(i, old.size() - 1)));
            }
            // By primary key: nothing else is locked.
            String sql = Sql.anyOf(
                    "DELETE FROM room_snapshots WHERE " + Sql.ONE_ROOM + " AND",
                    "version",
                    old.size(),
                    Sql.limit(old.size()));
            return connections.read(sql, values).map(rowsGone -> rowsGone.rowCount());
        });
    }

    /** Of {@code versions}, which ascend. */
    private static List<Long> unneeded(List<Long> versions, long logBegins, Optional<Proof> proof) {
        long before =
                proof.map(Proof::covered).orElseGet(() -> versions.size() < 2 ? 0L : versions.get(versions.size() - 2));
        Optional<Long> base = versions.stream()
                .filter(version -> logBegins > 1 && version >= logBegins - 1)
                .filter(version ->
                        proof.map(right -> right.versions().contains(version)).orElse(true))
                .findFirst();
        return versions.stream()
                .filter(version -> version < before && !base.equals(Optional.of(version)))
                .toList();
    }

    /** The room's snapshots, newest first; at most so many. */
    Future<List<Snapshot>> newestFirst(RoomKey key, int most) {
        return connections
                .read(
                        "SELECT version, taken_at_ms, state, checksum, last_seen FROM room_snapshots WHERE "
                                + Sql.ONE_ROOM + " ORDER BY version DESC LIMIT ?",
                        Values.room(key, most))
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
