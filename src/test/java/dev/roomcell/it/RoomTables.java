package dev.roomcell.it;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomKey;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The tables as they are, seen past every node and every adapter. */
final class RoomTables implements AutoCloseable {
    private static final List<String> TABLES =
            List.of("rooms", "room_command_log", "room_outbox", "room_snapshots", "room_timers", "room_list_entries");

    private static final String ONE_ROOM = " WHERE app_code = ? AND room_id = ?";

    private final Connection connection;

    RoomTables(String jdbcUrl, String user) {
        try {
            connection = DriverManager.getConnection(jdbcUrl, user, "");
        } catch (SQLException e) {
            throw new IllegalStateException("no connection", e);
        }
    }

    /** A line of {@code rooms}. */
    record Room(String state, long version, long epoch, String ownerNodeId) {}

    @FunctionalInterface
    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> query(String sql, Reader<T> reader, Object... parameters) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = 0;
            for (Object parameter : parameters) {
                if (parameter instanceof RoomKey key) {
                    statement.setBytes(++index, key.appCode().getBytes(StandardCharsets.UTF_8));
                    statement.setBytes(++index, key.roomId().getBytes(StandardCharsets.UTF_8));
                } else {
                    statement.setObject(++index, parameter);
                }
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<T> read = new ArrayList<>();
                while (rows.next()) {
                    read.add(reader.read(rows));
                }
                return read;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static String text(ResultSet row, int column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }

    /** How many rows each table has. */
    Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        TABLES.forEach(table -> counts.put(table, count("SELECT COUNT(*) FROM " + table)));
        return counts;
    }

    private long count(String sql, Object... parameters) {
        return query(sql, row -> row.getLong(1), parameters).get(0);
    }

    Optional<Room> room(RoomKey key) {
        return query(
                        "SELECT state, version, lease_epoch, owner_node_id FROM rooms" + ONE_ROOM,
                        row -> new Room(row.getString(1), row.getLong(2), row.getLong(3), row.getString(4)),
                        key)
                .stream()
                .findFirst();
    }

    /** How many live rooms each node had last. */
    Map<String, Integer> liveRooms() {
        Map<String, Integer> rooms = new TreeMap<>();
        query(
                "SELECT owner_node_id, COUNT(*) FROM rooms WHERE live GROUP BY owner_node_id",
                row -> rooms.put(row.getString(1), row.getInt(2)));
        return rooms;
    }

    /** Users that the room list shows, in all rooms together. */
    long listedUsers() {
        return count("SELECT COALESCE(SUM(online_count), 0) FROM room_list_entries");
    }

    /** The nodes that have committed to a room, each once, by the first version of each. */
    List<String> owners(RoomKey key) {
        return query(
                "SELECT owner_node_id FROM room_command_log" + ONE_ROOM
                        + " GROUP BY owner_node_id ORDER BY MIN(version)",
                row -> row.getString(1),
                key);
    }

    /** By version. */
    List<LogRow> log(RoomKey key) {
        return query(
                "SELECT version, command_id, payload_hash, kind, actor_user_id, committed_at_ms, command, events, result,"
                        + " owner_node_id, lease_token, lease_epoch FROM room_command_log" + ONE_ROOM
                        + " ORDER BY version",
                row -> new LogRow(
                        row.getLong(1),
                        text(row, 2),
                        row.getBytes(3),
                        row.getString(4),
                        text(row, 5),
                        row.getLong(6),
                        row.getBytes(7),
                        row.getBytes(8),
                        row.getBytes(9),
                        row.getString(10),
                        row.getString(11),
                        row.getLong(12)),
                key);
    }

    /** What the outbox holds, by version and index. */
    List<byte[]> envelopes(RoomKey key) {
        return query(
                "SELECT envelope FROM room_outbox" + ONE_ROOM + " ORDER BY room_version, event_index",
                row -> row.getBytes(1),
                key);
    }

    /** The versions that snapshots were taken at, in order. */
    List<Long> snapshotVersions(RoomKey key) {
        return query("SELECT version FROM room_snapshots" + ONE_ROOM + " ORDER BY version", row -> row.getLong(1), key);
    }

    /** Migrations that ran. */
    long migrations() {
        return count("SELECT COUNT(*) FROM flyway_schema_history WHERE success = 1");
    }

    /** The same, each counted once. */
    long distinctMigrations() {
        return count("SELECT COUNT(DISTINCT version) FROM flyway_schema_history WHERE success = 1");
    }

    /** All epochs ever minted, of all rooms: grows by one with each mint. */
    long mints() {
        return count("SELECT COALESCE(SUM(lease_epoch), 0) FROM rooms");
    }

    /** Whether a transaction holds the room's row right now. */
    boolean isLocked(RoomKey key) {
        return query("SELECT version FROM rooms" + ONE_ROOM + " FOR UPDATE SKIP LOCKED", row -> row.getLong(1), key)
                .isEmpty();
    }

    /** Whether anybody waits for the lock of a row, in the whole server. */
    boolean somebodyWaitsForALock() {
        // The table of transactions is a copy that whoever asks too often never sees renewed.
        return count("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
                        + " WHERE VARIABLE_NAME = 'INNODB_ROW_LOCK_CURRENT_WAITS'")
                > 0;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("not closed", e);
        }
    }
}
