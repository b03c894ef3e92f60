package dev.roomcell.adapter.mysql;

import static dev.roomcell.adapter.mysql.MeasuredSchema.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.mysql.MeasuredSchema.Step;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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

    private static MeasuredSchema tables;

    @BeforeAll
    static void fillTheList() throws SQLException {
        tables = MeasuredSchema.make();
        try (PreparedStatement insert = tables.insert("INSERT INTO room_list_entries (app_code, room_id,"
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
        tables.filled("room_list_entries");
    }

    @AfterAll
    static void close() throws SQLException {
        tables.close();
    }

    private static Object[] values(boolean ofRegion, boolean afterPlace) {
        List<Object> values = new ArrayList<>(List.of(bytes("app")));
        if (ofRegion) {
            values.add(bytes("us"));
        }
        if (afterPlace) {
            // Deep among the rooms of equal heat.
            values.addAll(List.of(0L, 0L, bytes("room-7")));
        }
        values.add(PAGE);
        return values.toArray();
    }

    @ParameterizedTest(name = "of a region: {0}, after a place: {1}")
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void aPageIsReadInTheOrderOfAnIndex(boolean ofRegion, boolean afterPlace) throws SQLException {
        String sql = MysqlRoomListStore.hottestSql(ofRegion, afterPlace);
        Object[] values = values(ofRegion, afterPlace);
        Step first = tables.plan(sql, values).get(0);
        assertThat(first.key()).startsWith("room_list_hottest");
        assertThat(first.type()).isIn("ref", "range");
        long before = tables.rowsRead();
        assertThat(tables.rows(sql, values)).isEqualTo(PAGE);
        // A few more for the ends of the ranges, and for reading the counters.
        assertThat(tables.rowsRead() - before).isLessThan(PAGE + 20);
    }
}
