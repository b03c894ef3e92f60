package dev.roomcell.adapter.mysql;

import static dev.roomcell.adapter.mysql.MeasuredSchema.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.mysql.MeasuredSchema.Step;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the server finds what is old: a page costs a page, a batch a batch, however much there is. */
final class PurgePlanIT {
    private static final int ROOMS = 400;
    private static final int VERSIONS = 50;
    private static final int INTENTS = 20_000;
    private static final int PAGE = 100;
    private static final int BATCH = 20;
    private static final byte[] APP = bytes("app");
    private static final byte[] ROOM = bytes("room-1000");

    private static MeasuredSchema tables;

    /** Every other intent has something left to do, and of the others three quarters are from today. */
    @BeforeAll
    static void fillTheTables() throws SQLException {
        tables = MeasuredSchema.make();
        long nowMs = System.currentTimeMillis();
        try (PreparedStatement room = tables.insert(
                        "INSERT INTO rooms (app_code, room_id, state, version, lease_epoch, owner_node_id, lease_token, live)"
                                + " VALUES ('app', ?, 'ACTIVE', 50, 1, 'n', 't', FALSE)");
                PreparedStatement row = tables.insert(
                        "INSERT INTO room_command_log (app_code, room_id, version, command_id, payload_hash, kind,"
                                + " actor_user_id, committed_at_ms, command, events, result, owner_node_id, lease_token,"
                                + " lease_epoch) VALUES ('app', ?, ?, ?, '0123456789abcdef', 'K', 'u', ?, 'c', 'e', 'r', 'n',"
                                + " 't', 1)");
                PreparedStatement snapshot = tables.insert(
                        "INSERT INTO room_snapshots (app_code, room_id, version, taken_at_ms, state, checksum, last_seen)"
                                + " VALUES ('app', ?, ?, 1, 's', 1, '')");
                PreparedStatement intent = tables.insert(
                        "INSERT INTO gift_intents (app_code, command_id, room_id, payload_hash, actor_user_id, gift_id, pieces,"
                                + " unit_price, total_price, lucky, state, reward_state, reward, begun_at_ms, due_ms, tries)"
                                + " VALUES ('app', ?, 'r', '0123456789abcdef', 'u', 'g', 1, 1, 1, FALSE, ?, 'NONE', 0, ?, ?,"
                                + " 0)")) {
            for (int i = 0; i < ROOMS; i++) {
                String name = "room-" + (1000 + i);
                room.setString(1, name);
                room.addBatch();
                for (int version = 1; version <= VERSIONS; version++) {
                    row.setString(1, name);
                    row.setLong(2, version);
                    row.setString(3, "c-" + version);
                    row.setLong(4, version);
                    row.addBatch();
                }
                for (int version = VERSIONS - 2; version <= VERSIONS; version++) {
                    snapshot.setString(1, name);
                    snapshot.setLong(2, version);
                    snapshot.addBatch();
                }
            }
            for (int i = 0; i < INTENTS; i++) {
                boolean open = i % 2 == 0;
                intent.setString(1, "gift-" + i);
                intent.setString(2, open ? "INTENT" : "COMMITTED");
                intent.setLong(3, i % 8 < 2 ? i : nowMs);
                intent.setObject(4, open ? nowMs : null);
                intent.addBatch();
            }
            room.executeBatch();
            row.executeBatch();
            snapshot.executeBatch();
            intent.executeBatch();
        }
        tables.filled("rooms", "room_command_log", "room_snapshots", "gift_intents");
    }

    @AfterAll
    static void close() throws SQLException {
        tables.close();
    }

    private static void assertPlan(List<Step> plan, String key) {
        assertThat(plan)
                .allSatisfy(step -> assertThat(step.key()).as("%s", plan).isEqualTo(key));
    }

    /** LOG-1. */
    @ParameterizedTest(name = "after a key: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("LOG-1")
    void aPageOfRoomsCostsThreeDivesARoomHoweverLongTheirLogsAre(boolean afterKey) throws SQLException {
        Object[] values = afterKey ? new Object[] {1, APP, APP, ROOM, PAGE} : new Object[] {1, PAGE};
        String sql = MysqlPurgeStore.overdueSql(afterKey);
        assertPlan(tables.plan(sql, values), "PRIMARY");
        long before = tables.rowsRead();
        assertThat(tables.rows(sql, values)).isEqualTo(PAGE);
        assertThat(tables.rowsRead() - before).isLessThan(10 * PAGE);
    }

    /** LOG-1. */
    @Test
    @Tag("LOG-1")
    void aBatchOfTheLogCostsItsRows() throws SQLException {
        Object[] values = {1, APP, ROOM, VERSIONS, BATCH};
        assertPlan(tables.plan(MysqlPurgeStore.OLDEST_ROWS, values), "PRIMARY");
        long before = tables.rowsRead();
        assertThat(tables.rows(MysqlPurgeStore.OLDEST_ROWS, values)).isEqualTo(BATCH);
        assertThat(tables.rowsRead() - before).isLessThan(2 * BATCH);
    }

    /** LEASE-15: whatever a delete reads it locks. */
    @Test
    @Tag("LEASE-15")
    void aDeleteReadsNothingButTheRowsThatItDeletes() throws SQLException {
        assertPlan(tables.plan(MysqlPurgeStore.DELETE_ROWS, APP, ROOM, 1, BATCH), "PRIMARY");
        long before = tables.rowsRead();
        assertThat(tables.changes(MysqlPurgeStore.DELETE_ROWS, APP, ROOM, 1, BATCH))
                .isEqualTo(BATCH);
        assertThat(tables.rowsRead() - before).isLessThanOrEqualTo(BATCH + 2);
    }

    /** LOG-3: neither those that are open nor those that are young are read. */
    @Test
    @Tag("LOG-3")
    void aBatchOfIntentsCostsItsRows() throws SQLException {
        Object[] values = {86_400_000L, BATCH};
        assertPlan(tables.plan(MysqlPurgeStore.OLD_GIFTS, values), "gift_intents_due");
        long before = tables.rowsRead();
        assertThat(tables.rows(MysqlPurgeStore.OLD_GIFTS, values)).isEqualTo(BATCH);
        assertThat(tables.rowsRead() - before).isLessThan(2 * BATCH);
    }
}
