package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.StoreException;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLClient;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The tables {@code rooms}, {@code room_command_log} and {@code room_outbox}. */
public final class MysqlCommandStore implements CommandStore {
    private static final String MINT = "UPDATE rooms SET lease_epoch = LAST_INSERT_ID(lease_epoch + 1),"
            + " owner_node_id = ?, lease_token = ? WHERE " + Sql.ONE_ROOM;

    private static final String INSERT_CREATING = "INSERT INTO rooms (app_code, room_id, state, version, lease_epoch,"
            + " owner_node_id, lease_token, live) VALUES (?, ?, 'CREATING', 0, 1, '', '', TRUE)";

    /** Log rows of one read while loading a room. */
    private static final int LOG_ROWS_A_READ = 2_000;

    /** The two newest, and the one that a purged log begins behind: more are never kept for long. */
    private static final int SNAPSHOTS_A_LOAD = 3;

    private final Connections connections;
    private final MysqlSnapshotStore snapshots;

    /** The rooms in the database of {@code connections}. */
    public MysqlCommandStore(Connections connections) {
        this.connections = connections;
        this.snapshots = new MysqlSnapshotStore(connections);
    }

    @Override
    public Future<Optional<RoomRow>> find(RoomKey key) {
        return connections
                .read(
                        "SELECT state, version, lease_epoch, owner_node_id FROM rooms WHERE " + Sql.ONE_ROOM,
                        Values.room(key))
                .map(rows -> {
                    for (Row row : rows) {
                        return Optional.of(row(row));
                    }
                    return Optional.empty();
                });
    }

    @Override
    public Future<Boolean> insertCreating(RoomKey key, long timerDueMs) {
        return connections
                .beside(connection -> connection
                        .execute(INSERT_CREATING, Values.room(key))
                        .compose(inserted -> connection.execute(
                                "INSERT INTO room_timers (app_code, room_id, kind, due_ms) VALUES (?, ?, ?, ?)",
                                Values.room(key, TimerStore.Kind.CREATE_LIMIT.name(), timerDueMs)))
                        .compose(timed -> connection.commit())
                        .map(true)
                        .recover(failure -> connection
                                .rollback()
                                .compose(undone -> Failures.causeOf(failure) == Cause.DUPLICATE_KEY
                                        ? Future.succeededFuture(false)
                                        : Future.failedFuture(failure))))
                .recover(failure -> Future.failedFuture(new StoreException("room not inserted", failure)));
    }

    @Override
    public Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom) {
        List<Object> values =
                new ArrayList<>(List.of(nodeId, leaseToken, Values.bytes(key.appCode()), Values.bytes(key.roomId())));
        onlyFrom.ifPresent(values::add);
        String sql = onlyFrom.isPresent() ? MINT + " AND lease_epoch = ?" : MINT;
        return connections
                .read(sql, Tuple.wrap(values))
                .map(rows -> rows.rowCount() == 0
                        ? OptionalLong.empty()
                        : OptionalLong.of(rows.property(MySQLClient.LAST_INSERTED_ID)));
    }

    @Override
    public Future<StoredRoom> load(RoomKey key, long idsSinceMs, int maxIds) {
        return snapshots.newestFirst(key, SNAPSHOTS_A_LOAD).compose(found -> {
            Optional<Snapshot> snapshot =
                    found.stream().filter(Snapshot::intact).findFirst();
            long after = snapshot.map(Snapshot::version).orElse(0L);
            return tail(key, after, new ArrayList<>())
                    .compose(tail -> recentIds(key, idsSinceMs, maxIds)
                            .compose(ids -> find(key)
                                    .compose(row -> row.isEmpty()
                                            ? Future.failedFuture(new StoreException("room " + key + " has no row"))
                                            : Future.succeededFuture(new StoredRoom(row.get(), snapshot, tail, ids)))));
        });
    }

    private Future<List<StoredEvents>> tail(RoomKey key, long afterVersion, List<StoredEvents> read) {
        return connections
                .read(
                        "SELECT version, committed_at_ms, events, LENGTH(command) + LENGTH(events) + LENGTH(result)"
                                + " FROM room_command_log WHERE " + Sql.ONE_ROOM
                                + " AND version > ? ORDER BY version LIMIT " + LOG_ROWS_A_READ,
                        Values.room(key, afterVersion))
                .compose(rows -> {
                    for (Row row : rows) {
                        read.add(new StoredEvents(
                                row.getLong(0), row.getLong(1), Values.blob(row, 2), row.getInteger(3)));
                    }
                    return rows.size() < LOG_ROWS_A_READ
                            ? Future.succeededFuture(read)
                            : tail(key, read.get(read.size() - 1).version(), read);
                });
    }

    private Future<List<RecentId>> recentIds(RoomKey key, long sinceMs, int most) {
        return connections
                .read(
                        "SELECT command_id, committed_at_ms FROM room_command_log WHERE " + Sql.ONE_ROOM
                                + " ORDER BY version DESC LIMIT ?",
                        Values.room(key, most))
                .map(rows -> {
                    List<RecentId> ids = new ArrayList<>();
                    for (Row row : rows) {
                        if (row.getLong(1) >= sinceMs) {
                            ids.add(new RecentId(Values.text(row, 0), row.getLong(1)));
                        }
                    }
                    Collections.reverse(ids);
                    return ids;
                });
    }

    @Override
    public Future<Map<String, LoggedCommand>> findCommands(RoomKey key, Collection<String> commandIds) {
        if (commandIds.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<String> ids = List.copyOf(commandIds);
        String sql = Sql.anyOf(
                "SELECT command_id, payload_hash, version, result FROM room_command_log WHERE " + Sql.ONE_ROOM + " AND",
                "command_id",
                ids.size(),
                "");
        Tuple values = Values.room(key);
        for (int i = 0; i < Sql.filledUp(ids.size()); i++) {
            values.addValue(Values.bytes(ids.get(Math.min(i, ids.size() - 1))));
        }
        return connections.read(sql, values).map(MysqlCommandStore::byId);
    }

    private static Map<String, LoggedCommand> byId(RowSet<Row> rows) {
        Map<String, LoggedCommand> found = new HashMap<>();
        for (Row row : rows) {
            found.put(Values.text(row, 0), new LoggedCommand(Values.blob(row, 1), row.getLong(2), Values.blob(row, 3)));
        }
        return found;
    }

    /** The entries first: what is committed or purged afterwards then shows in the row or the first version. */
    @Override
    public Future<Optional<LogPage>> readLog(RoomKey key, long sinceVersion, int most) {
        return connections
                .read(
                        "SELECT version, committed_at_ms, command_id, actor_user_id, events FROM room_command_log WHERE "
                                + Sql.ONE_ROOM + " AND version > ? ORDER BY version LIMIT ?",
                        Values.room(key, sinceVersion, most))
                .compose(rows -> {
                    List<LogEntry> entries = new ArrayList<>(rows.size());
                    for (Row row : rows) {
                        entries.add(new LogEntry(
                                row.getLong(0),
                                row.getLong(1),
                                Values.text(row, 2),
                                Values.text(row, 3),
                                Values.blob(row, 4)));
                    }
                    return withRow(key, entries);
                });
    }

    private Future<Optional<LogPage>> withRow(RoomKey key, List<LogEntry> entries) {
        return connections
                .read(
                        "SELECT state, version, lease_epoch, owner_node_id, (SELECT version FROM room_command_log WHERE "
                                + Sql.ONE_ROOM + " ORDER BY version LIMIT 1) FROM rooms WHERE " + Sql.ONE_ROOM,
                        Values.twice(key))
                .map(rows -> {
                    for (Row row : rows) {
                        RoomRow room = row(row);
                        Long first = row.getLong(4);
                        return Optional.of(new LogPage(room, first == null ? room.version() + 1 : first, entries));
                    }
                    return Optional.empty();
                });
    }

    private static RoomRow row(Row row) {
        return new RoomRow(
                Lifecycle.Status.valueOf(row.getString(0)), row.getLong(1), row.getLong(2), row.getString(3));
    }

    @Override
    public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
        Future<GroupOutcome> outcome = skipLocked
                ? connections.inLane(connection -> new GroupTransaction(connection, batches, true).run())
                : connections.beside(connection -> new GroupTransaction(connection, batches, false).run());
        // What fails here failed before the transaction began: no connection was to be had.
        return outcome.otherwise(
                failure -> new GroupOutcome.RolledBack(Cause.UNAVAILABLE, String.valueOf(failure.getMessage())));
    }
}
