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

    private static Connection connection;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Every other intent has something left to do, and of the others three quarters are from today. */
    @BeforeAll
    static void fillTheTables() throws SQLException {
        SharedServers.MysqlServer server = SharedServers.mysql();
        String schema = SharedServers.newSchema();
        Migrations.migrate(new MysqlSettings(
                "127.0.0.1", server.port(), server.user(), server.password(), schema, 1, 5_000, 60_000, 10_000));
        connection = DriverManager.getConnection(server.jdbcUrl(schema), server.user(), server.password());
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        long nowMs = System.currentTimeMillis();
        try (PreparedStatement room = connection.prepareStatement(
                        "INSERT INTO rooms (app_code, room_id, state, version, lease_epoch, owner_node_id, lease_token, live)"
                                + " VALUES ('app', ?, 'ACTIVE', 50, 1, 'n', 't', FALSE)");
                PreparedStatement row = connection.prepareStatement(
                        "INSERT INTO room_command_log (app_code, room_id, version, command_id, payload_hash, kind,"
                                + " actor_user_id, committed_at_ms, command, events, result, owner_node_id, lease_token,"
                                + " lease_epoch) VALUES ('app', ?, ?, ?, '0123456789abcdef', 'K', 'u', ?, 'c', 'e', 'r', 'n',"
                                + " 't', 1)");
                PreparedStatement snapshot = connection.prepareStatement(
                        "INSERT INTO room_snapshots (app_code, room_id, version, taken_at_ms, state, checksum, last_seen)"
                                + " VALUES ('app', ?, ?, 1, 's', 1, '')");
                PreparedStatement intent = connection.prepareStatement(
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
        connection.commit();
        try (Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE TABLE rooms, room_command_log, room_snapshots, gift_intents");
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

    private record Step(String table, String key, String extra) {}

    private static List<Step> plan(String sql, Object... values) throws SQLException {
        try (PreparedStatement explain = prepare("EXPLAIN " + sql, values);
                ResultSet plan = explain.executeQuery()) {
            List<Step> steps = new ArrayList<>();
            while (plan.next()) {
                steps.add(new Step(
                        plan.getString("table"),
                        plan.getString("key"),
                        plan.getString("Extra") == null ? "" : plan.getString("Extra")));
            }
            return steps;
        }
    }

    private static void assertPlan(List<Step> plan, String key) {
        assertThat(plan).isNotEmpty().allSatisfy(step -> {
            assertThat(step.key()).as("%s", plan).isEqualTo(key);
            assertThat(step.extra()).as("%s", plan).doesNotContain("filesort", "temporary");
        });
    }

    /** LOG-1. */
    @ParameterizedTest(name = "after a key: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("LOG-1")
    void aPageOfRoomsCostsThreeDivesARoomHoweverLongTheirLogsAre(boolean afterKey) throws SQLException {
        Object[] values = afterKey ? new Object[] {1, APP, APP, ROOM, PAGE} : new Object[] {1, PAGE};
        String sql = MysqlPurgeStore.overdueSql(afterKey);
        assertPlan(plan(sql, values), "PRIMARY");
        long before = rowsRead();
        assertThat(rows(sql, values)).isEqualTo(PAGE);
        assertThat(rowsRead() - before).isLessThan(10 * PAGE);
    }

    /** LOG-1. */
    @Test
    @Tag("LOG-1")
    void aBatchOfTheLogCostsItsRows() throws SQLException {
        Object[] values = {1, APP, ROOM, VERSIONS, BATCH};
        assertPlan(plan(MysqlPurgeStore.OLDEST_ROWS, values), "PRIMARY");
        long before = rowsRead();
        assertThat(rows(MysqlPurgeStore.OLDEST_ROWS, values)).isEqualTo(BATCH);
        assertThat(rowsRead() - before).isLessThan(2 * BATCH);
    }

    /** LEASE-15: whatever a delete reads it locks. */
    @Test
    @Tag("LEASE-15")
    void aDeleteReadsNothingButTheRowsThatItDeletes() throws SQLException {
        assertPlan(plan(MysqlPurgeStore.DELETE_ROWS, APP, ROOM, 1, BATCH), "PRIMARY");
        long before = rowsRead();
        try (PreparedStatement delete = prepare(MysqlPurgeStore.DELETE_ROWS, APP, ROOM, 1, BATCH)) {
            assertThat(delete.executeUpdate()).isEqualTo(BATCH);
        } finally {
            connection.rollback();
        }
        assertThat(rowsRead() - before).isLessThanOrEqualTo(BATCH + 2);
    }

    /** LOG-3: neither those that are open nor those that are young are read. */
    @Test
    @Tag("LOG-3")
    void aBatchOfIntentsCostsItsRows() throws SQLException {
        Object[] values = {86_400_000L, BATCH};
        assertPlan(plan(MysqlPurgeStore.OLD_GIFTS, values), "gift_intents_due");
        long before = rowsRead();
        assertThat(rows(MysqlPurgeStore.OLD_GIFTS, values)).isEqualTo(BATCH);
        assertThat(rowsRead() - before).isLessThan(2 * BATCH);
    }

    private static long rowsRead() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet counters = statement.executeQuery("SHOW SESSION STATUS WHERE Variable_name IN"
                        + " ('Handler_read_first', 'Handler_read_key', 'Handler_read_last', 'Handler_read_next',"
                        + " 'Handler_read_prev', 'Handler_read_rnd_next')")) {
            long sum = 0;
            while (counters.next()) {
                sum += counters.getLong(2);
            }
            return sum;
        }
    }
}
