package dev.roomcell.adapter.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.testkit.SharedServers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the server finds live rooms: whatever their number, an owner costs a dive and a page costs a page. */
final class LiveRoomPlanIT {
    private static final int ROOMS = 20_000;
    private static final int OWNERS = 10;
    private static final int PAGE = 100;

    private static Connection connection;

    @BeforeAll
    static void fillTheTables() throws SQLException {
        SharedServers.MysqlServer server = SharedServers.mysql();
        String schema = SharedServers.newSchema();
        Migrations.migrate(new MysqlSettings(
                "127.0.0.1", server.port(), server.user(), server.password(), schema, 1, 5_000, 60_000, 10_000));
        connection = DriverManager.getConnection(server.jdbcUrl(schema), server.user(), server.password());
        connection.setAutoCommit(false);
        try (PreparedStatement room = connection.prepareStatement(
                        "INSERT INTO rooms (app_code, room_id, state, version,"
                                + " lease_epoch, owner_node_id, lease_token, live) VALUES ('app', ?, ?, 1, 1, ?, 't', ?)");
                PreparedStatement timer = connection.prepareStatement(
                        "INSERT INTO room_timers (app_code, room_id, kind, due_ms) VALUES ('app', ?, 'STALE_SWEEP', ?)")) {
            for (int i = 0; i < ROOMS; i++) {
                boolean live = i % 4 == 0;
                room.setString(1, "room-" + i);
                room.setString(2, live ? "ACTIVE" : "CLOSED");
                room.setString(3, "node-" + i / 4 % OWNERS);
                room.setBoolean(4, live);
                room.addBatch();
                if (live) {
                    timer.setString(1, "room-" + i);
                    timer.setLong(2, i);
                    timer.addBatch();
                }
            }
            room.executeBatch();
            timer.executeBatch();
        }
        connection.commit();
        try (Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE TABLE rooms");
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    private static PreparedStatement prepare(String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private static int rows(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql, values);
                ResultSet rows = statement.executeQuery()) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    @Test
    void theOwnersAreFoundByADiveEach() throws SQLException {
        long before = rowsRead();
        assertThat(rows(MysqlLiveRoomStore.OWNERS, 1_000)).isEqualTo(OWNERS);
        assertThat(rowsRead() - before).isLessThan(6 * OWNERS);
    }

    @ParameterizedTest(name = "after a key: {0}")
    @ValueSource(booleans = {false, true})
    void aPageIsReadInTheOrderOfTheIndex(boolean afterKey) throws SQLException {
        byte[] app = "app".getBytes(StandardCharsets.UTF_8);
        List<Object> values = afterKey
                ? List.of("node-3", app, app, "room-15".getBytes(StandardCharsets.UTF_8), PAGE)
                : List.of("node-3", PAGE);
        String sql = MysqlLiveRoomStore.roomsSql(afterKey);
        try (PreparedStatement explain = prepare("EXPLAIN " + sql, values.toArray());
                ResultSet plan = explain.executeQuery()) {
            assertThat(plan.next()).isTrue();
            assertThat(plan.getString("key")).isEqualTo("rooms_live");
            assertThat(plan.getString("type")).isIn("ref", "range");
            assertThat(plan.getString("Extra")).contains("Using index").doesNotContain("filesort", "temporary");
        }
        long before = rowsRead();
        assertThat(rows(sql, values.toArray())).isEqualTo(PAGE);
        // A room, and what its few timers take.
        assertThat(rowsRead() - before).isLessThan(4 * PAGE + 20);
    }

    private static long rowsRead() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet counters = statement.executeQuery("SHOW SESSION STATUS WHERE Variable_name IN"
                        + " ('Handler_read_first', 'Handler_read_key', 'Handler_read_last', 'Handler_read_next',"
                        + " 'Handler_read_prev')")) {
            long sum = 0;
            while (counters.next()) {
                sum += counters.getLong(2);
            }
            return sum;
        }
    }
}
