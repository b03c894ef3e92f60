package dev.roomcell.it;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.OutboxStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The table {@code room_outbox}, written as a group commit writes it, and looked at past every worker. */
final class OutboxRows implements AutoCloseable {
    private static final int ROWS_A_BATCH = 1_000;

    private final Connection connection;

    OutboxRows(Backends backends) {
        try {
            connection = DriverManager.getConnection(
                    backends.servers().jdbcUrl(backends.schema()) + "&rewriteBatchedStatements=true",
                    backends.servers().mysqlUser(),
                    "");
        } catch (SQLException e) {
            throw new IllegalStateException("no connection", e);
        }
    }

    /** What an envelope holds here: its event's own name, so that no two are equal. */
    static String envelope(RoomKey room, long version) {
        return "envelope of " + room + " " + version;
    }

    /** Inserts one fact a version in each of the rooms, as one transaction; the rooms take turns. */
    void insert(List<RoomKey> rooms, long firstVersion, int versions) {
        String sql =
                "INSERT INTO room_outbox (app_code, room_id, room_version, event_index, partition_no, type, status,"
                        + " envelope) VALUES (?, ?, ?, 0, ?, 'RoomUserJoined', 'pending', ?)";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            connection.setAutoCommit(false);
            int waiting = 0;
            for (long version = firstVersion; version < firstVersion + versions; version++) {
                for (RoomKey room : rooms) {
                    insert.setBytes(1, room.appCode().getBytes(StandardCharsets.UTF_8));
                    insert.setBytes(2, room.roomId().getBytes(StandardCharsets.UTF_8));
                    insert.setLong(3, version);
                    insert.setInt(4, OutboxStore.partitionOf(room));
                    insert.setBytes(5, envelope(room, version).getBytes(StandardCharsets.UTF_8));
                    insert.addBatch();
                    if (++waiting % ROWS_A_BATCH == 0) {
                        insert.executeBatch();
                    }
                }
            }
            insert.executeBatch();
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** How many rows there are of each status. */
    Map<String, Long> byStatus() {
        Map<String, Long> counts = new TreeMap<>();
        rows("SELECT status, COUNT(*) FROM room_outbox GROUP BY status")
                .forEach(row -> counts.put(row.get(0), Long.valueOf(row.get(1))));
        return counts;
    }

    /** Rows of one status; 0 if there are none. */
    long count(String status) {
        return byStatus().getOrDefault(status, 0L);
    }

    /** Whether nothing is left to do. */
    boolean allFinished() {
        return rows("SELECT 1 FROM room_outbox WHERE lane >= 0 LIMIT 1").isEmpty();
    }

    /** The columns of what a query finds, as text. */
    List<List<String>> rows(String sql) {
        try (PreparedStatement query = connection.prepareStatement(sql);
                ResultSet found = query.executeQuery()) {
            List<List<String>> rows = new ArrayList<>();
            while (found.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= found.getMetaData().getColumnCount(); column++) {
                    row.add(String.valueOf(found.getString(column)));
                }
                rows.add(row);
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Changes rows by hand. */
    int change(String sql) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
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
