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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the server reads a page of the room list: whatever the list's length, a page costs a page. */
final class RoomListPlanIT {
    private static final int ROOMS = 20_000;
    private static final int PAGE = 100;

    private static Connection connection;

    @BeforeAll
    static void fillTheList() throws SQLException {
        SharedServers.MysqlServer server = SharedServers.mysql();
        String schema = SharedServers.newSchema();
        Migrations.migrate(new MysqlSettings(
                "127.0.0.1", server.port(), server.user(), server.password(), schema, 1, 5_000, 60_000, 10_000));
        connection = DriverManager.getConnection(server.jdbcUrl(schema), server.user(), server.password());
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO room_list_entries (app_code, room_id,"
                + " room_version, state, title, region, online_count, heat) VALUES ('app', ?, 1, ?, 't', ?, 0, ?)")) {
            for (int i = 0; i < ROOMS; i++) {
                insert.setString(1, "room-" + i);
                // Most rooms of a list are closed, and most of the others have the same heat.
                insert.setString(2, i % 4 == 0 ? "ACTIVE" : "CLOSED");
                insert.setString(3, i % 8 == 0 ? "eu" : "us");
                insert.setLong(4, i % 100 == 0 ? i : 0);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
        try (Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE TABLE room_list_entries");
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    private static PreparedStatement prepare(String sql, boolean ofRegion, boolean afterPlace) throws SQLException {
        List<Object> values = new ArrayList<>(List.of(bytes("app")));
        if (ofRegion) {
            values.add(bytes("us"));
        }
        if (afterPlace) {
            // Deep among the rooms of equal heat.
            values.addAll(List.of(0L, 0L, bytes("room-7")));
        }
        values.add(PAGE);
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.size(); i++) {
            statement.setObject(i + 1, values.get(i));
        }
        return statement;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest(name = "of a region: {0}, after a place: {1}")
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void aPageIsReadInTheOrderOfAnIndex(boolean ofRegion, boolean afterPlace) throws SQLException {
        String sql = MysqlRoomListStore.hottestSql(ofRegion, afterPlace);
        try (PreparedStatement explain = prepare("EXPLAIN " + sql, ofRegion, afterPlace);
                ResultSet plan = explain.executeQuery()) {
            assertThat(plan.next()).isTrue();
            assertThat(plan.getString("key")).startsWith("room_list_hottest");
            assertThat(plan.getString("type")).isIn("ref", "range");
            assertThat(plan.getString("Extra")).doesNotContain("filesort", "temporary");
        }
        long before = rowsRead();
        int rows = 0;
        try (PreparedStatement select = prepare(sql, ofRegion, afterPlace);
                ResultSet page = select.executeQuery()) {
            while (page.next()) {
                rows++;
            }
        }
        assertThat(rows).isEqualTo(PAGE);
        // A few more for the ends of the ranges, and for reading the counters.
        assertThat(rowsRead() - before).isLessThan(PAGE + 20);
    }

    private static long rowsRead() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet counters = statement.executeQuery("SHOW SESSION STATUS WHERE Variable_name IN"
                        + " ('Handler_read_first', 'Handler_read_key', 'Handler_read_next', 'Handler_read_prev')")) {
            long sum = 0;
            while (counters.next()) {
                sum += counters.getLong(2);
            }
            return sum;
        }
    }
}
