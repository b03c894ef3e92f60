package dev.roomcell.adapter.mysql;

import static dev.roomcell.adapter.mysql.MeasuredSchema.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.mysql.MeasuredSchema.Step;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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

    private static MeasuredSchema tables;

    @BeforeAll
    static void fillTheTables() throws SQLException {
        tables = MeasuredSchema.make();
        try (PreparedStatement room = tables.insert("INSERT INTO rooms (app_code, room_id, state, version,"
                        + " lease_epoch, owner_node_id, lease_token, live) VALUES ('app', ?, ?, 1, 1, ?, 't', ?)");
                PreparedStatement timer = tables.insert(
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
        tables.filled("rooms");
    }

    @AfterAll
    static void close() throws SQLException {
        tables.close();
    }

    @Test
    void theOwnersAreFoundByADiveEach() throws SQLException {
        long before = tables.rowsRead();
        assertThat(tables.rows(MysqlLiveRoomStore.OWNERS, 1_000)).isEqualTo(OWNERS);
        assertThat(tables.rowsRead() - before).isLessThan(6 * OWNERS);
    }

    @ParameterizedTest(name = "after a key: {0}")
    @ValueSource(booleans = {false, true})
    void aPageIsReadInTheOrderOfTheIndex(boolean afterKey) throws SQLException {
        Object[] values = afterKey
                ? new Object[] {"node-3", bytes("app"), bytes("app"), bytes("room-15"), PAGE}
                : new Object[] {"node-3", PAGE};
        String sql = MysqlLiveRoomStore.roomsSql(afterKey);
        Step first = tables.plan(sql, values).get(0);
        assertThat(first.key()).isEqualTo("rooms_live");
        assertThat(first.type()).isIn("ref", "range");
        assertThat(first.extra()).contains("Using index");
        long before = tables.rowsRead();
        assertThat(tables.rows(sql, values)).isEqualTo(PAGE);
        // A room, and what its few timers take.
        assertThat(tables.rowsRead() - before).isLessThan(4 * PAGE + 20);
    }
}
