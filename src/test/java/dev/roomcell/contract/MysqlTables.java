package dev.roomcell.contract;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import dev.roomcell.sim.MemoryOutbox.DeliveryFields;
import dev.roomcell.sim.MemoryOutbox.Status;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The tables in MySQL, seen past the adapter, through another driver. */
final class MysqlTables implements AutoCloseable {
    private static final List<String> TABLES = List.of(
            "rooms",
            "room_command_log",
            "room_outbox",
            "room_outbox_workers",
            "room_snapshots",
            "room_timers",
            "room_list_entries",
            "gift_intents");
    private static final String ONE_ROOM = " WHERE app_code = ? AND room_id = ?";

    private final String jdbcUrl;
    private final String user;
    private final String password;
    private final Connection connection;

    MysqlTables(String jdbcUrl, String user, String password) {
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
        this.connection = connect();
    }

    private Connection connect() {
        try {
            return DriverManager.getConnection(jdbcUrl, user, password);
        } catch (SQLException e) {
            throw new IllegalStateException("no connection", e);
        }
    }

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private static <T> List<T> query(Connection connection, String sql, Reader<T> reader, Object... parameters) {
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<T> read = new ArrayList<>();
            while (rows.next()) {
                read.add(reader.read(rows));
            }
            return read;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static int update(Connection connection, String sql, Object... parameters) {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        int index = 0;
        for (Object parameter : parameters) {
            if (parameter instanceof RoomKey key) {
                statement.setBytes(++index, key.appCode().getBytes(StandardCharsets.UTF_8));
                statement.setBytes(++index, key.roomId().getBytes(StandardCharsets.UTF_8));
            } else {
                statement.setObject(++index, parameter);
            }
        }
        return statement;
    }

    void clear() {
        TABLES.forEach(table -> update(connection, "DELETE FROM " + table));
        update(connection, "UPDATE room_outbox_partitions SET worker_id = '', lease_until_ms = 0");
    }

    Optional<RoomFields> room(RoomKey key) {
        return query(
                        connection,
                        "SELECT state, version, lease_epoch, owner_node_id, lease_token, live FROM rooms" + ONE_ROOM,
                        row -> new RoomFields(
                                Lifecycle.Status.valueOf(row.getString(1)),
                                row.getLong(2),
                                row.getLong(3),
                                row.getString(4),
                                row.getString(5),
                                row.getBoolean(6)),
                        key)
                .stream()
                .findFirst();
    }

    List<LogFields> log(RoomKey key) {
        List<OutboxFields> outbox = outbox(key);
        return query(
                connection,
                "SELECT version, command_id, payload_hash, kind, actor_user_id, committed_at_ms, command, events, result,"
                        + " owner_node_id, lease_token, lease_epoch FROM room_command_log" + ONE_ROOM
                        + " ORDER BY version",
                row -> new LogFields(logRow(row, outbox), row.getString(10), row.getString(11), row.getLong(12)),
                key);
    }

    private static LogRow logRow(ResultSet row, List<OutboxFields> outbox) throws SQLException {
        long version = row.getLong(1);
        return new LogRow(
                version,
                text(row, 2),
                row.getBytes(3),
                row.getString(4),
                text(row, 5),
                row.getLong(6),
                row.getBytes(7),
                row.getBytes(8),
                row.getBytes(9),
                outbox.stream()
                        .filter(fields -> fields.version() == version)
                        .map(OutboxFields::fact)
                        .toList());
    }

    private static String text(ResultSet row, int column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }

    List<OutboxFields> outbox(RoomKey key) {
        return query(
                connection,
                "SELECT room_version, event_index, type, envelope FROM room_outbox" + ONE_ROOM
                        + " ORDER BY room_version, event_index",
                row -> new OutboxFields(
                        row.getLong(1), new Fact(row.getInt(2), row.getString(3), true, row.getBytes(4))),
                key);
    }

    Map<FactId, DeliveryFields> deliveries(RoomKey key) {
        Map<FactId, DeliveryFields> fields = new TreeMap<>();
        query(
                connection,
                "SELECT room_version, event_index, status, due_ms, attempts, last_error FROM room_outbox" + ONE_ROOM,
                row -> fields.put(
                        new FactId(key, row.getLong(1), row.getInt(2)),
                        new DeliveryFields(
                                Status.valueOf(row.getString(3).toUpperCase(Locale.ROOT)),
                                row.getLong(4),
                                row.getInt(5),
                                row.getString(6))),
                key);
        return fields;
    }

    void letOutboxTimePass(long ms) {
        update(connection, "UPDATE room_outbox SET due_ms = due_ms - ?", ms);
        update(connection, "UPDATE room_outbox_partitions SET lease_until_ms = lease_until_ms - ?", ms);
        update(connection, "UPDATE room_outbox_workers SET alive_until_ms = alive_until_ms - ?", ms);
    }

    List<Snapshot> snapshots(RoomKey key) {
        return query(
                connection,
                "SELECT version, taken_at_ms, state, checksum, last_seen FROM room_snapshots" + ONE_ROOM
                        + " ORDER BY version",
                row -> new Snapshot(row.getLong(1), row.getLong(2), row.getBytes(3), row.getLong(4), row.getBytes(5)),
                key);
    }

    Optional<ListEntry> listEntry(RoomKey key) {
        return query(
                        connection,
                        "SELECT room_version, state, title, region, online_count, heat FROM room_list_entries"
                                + ONE_ROOM,
                        row -> new ListEntry(
                                key,
                                row.getLong(1),
                                Lifecycle.Status.valueOf(row.getString(2)),
                                text(row, 3),
                                text(row, 4),
                                row.getInt(5),
                                row.getLong(6)),
                        key)
                .stream()
                .findFirst();
    }

    Map<TimerStore.Kind, Long> timers(RoomKey key) {
        Map<TimerStore.Kind, Long> due = new EnumMap<>(TimerStore.Kind.class);
        query(
                connection,
                "SELECT kind, due_ms FROM room_timers" + ONE_ROOM,
                row -> due.put(TimerStore.Kind.valueOf(row.getString(1)), row.getLong(2)),
                key);
        return due;
    }

    void damageSnapshot(RoomKey key, long version) {
        String sql = "UPDATE room_snapshots SET state = CONCAT(CHAR(ASCII(state) ^ 1), SUBSTRING(state, 2))" + ONE_ROOM
                + " AND version = ?";
        if (update(connection, sql, key, version) != 1) {
            throw new IllegalArgumentException("no snapshot of " + key + " at version " + version);
        }
    }

    /** The server's clock, epoch ms. */
    long nowMs() {
        String sql = "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";
        return query(connection, sql, row -> row.getLong(1)).get(0);
    }

    /** Changes rows by hand. */
    int change(String sql, Object... parameters) {
        return update(connection, sql, parameters);
    }

    HeldRow holdRow(RoomKey key) {
        return hold("SELECT version FROM rooms" + ONE_ROOM + " FOR UPDATE", key);
    }

    /** Opens a transaction that has the room's timers locked. */
    HeldRow holdTimers(RoomKey key) {
        return hold("SELECT due_ms FROM room_timers" + ONE_ROOM + " FOR UPDATE", key);
    }

    /** Opens a transaction that has deleted those rows of the room's log. */
    HeldRow holdDeleted(String deleteSql, RoomKey key, Object... parameters) {
        Connection holder = connect();
        try {
            holder.setAutoCommit(false);
            holder.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        } catch (SQLException e) {
            throw new IllegalStateException("no transaction", e);
        }
        List<Object> all = new ArrayList<>(List.of(key));
        all.addAll(List.of(parameters));
        update(holder, deleteSql, all.toArray());
        return () -> close(holder);
    }

    /** Opens a transaction that has the gap locked where the room's rows of a table would go, if it has none. */
    HeldRow holdGap(String table, RoomKey key) {
        return hold("SELECT app_code FROM " + table + ONE_ROOM + " FOR UPDATE", key);
    }

    private HeldRow hold(String sql, RoomKey key) {
        Connection holder = connect();
        try {
            holder.setAutoCommit(false);
        } catch (SQLException e) {
            throw new IllegalStateException("no transaction", e);
        }
        query(holder, sql, row -> row.getObject(1), key);
        return () -> close(holder);
    }

    /** Statements that wait for a row's lock right now, in the whole server. */
    int lockWaits() {
        // Not information_schema.innodb_trx, which never changes for those who ask more often than every 100 ms.
        String sql = "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";
        return query(connection, sql, row -> row.getInt(2)).get(0);
    }

    /** The isolation level of every transaction that is open right now, in the whole server. */
    List<String> openTransactions() {
        String sql = "SELECT trx_isolation_level FROM information_schema.innodb_trx";
        return query(connection, sql, row -> row.getString(1));
    }

    /** Sets after how many seconds the server closes idle connections that are made from now on; returns what it was. */
    long swapWaitTimeout(long seconds) {
        long before = query(connection, "SELECT @@GLOBAL.wait_timeout", row -> row.getLong(1))
                .get(0);
        update(connection, "SET GLOBAL wait_timeout = " + seconds);
        return before;
    }

    /** Connections whose schema is this one, those of the test included. */
    int connections() {
        String sql = "SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE()";
        return query(connection, sql, row -> row.getInt(1)).get(0);
    }

    /** The index by which the server finds a room's external id. */
    String indexOfExternalId(byte[] id) {
        String sql = "EXPLAIN SELECT app_code FROM rooms WHERE external_id = ?";
        return query(connection, sql, row -> row.getString("key"), (Object) id).get(0);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("not closed", e);
        }
    }

    @Override
    public void close() {
        close(connection);
    }
}
