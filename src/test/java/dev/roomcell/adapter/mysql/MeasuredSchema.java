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

/** The tables, for a test that fills them and then asks what statements cost there. One connection, without auto-commit. */
final class MeasuredSchema implements AutoCloseable {
    private final Connection connection;

    private MeasuredSchema(Connection connection) {
        this.connection = connection;
    }

    /** Makes the tables in a schema that nobody else gets. */
    static MeasuredSchema make() throws SQLException {
        SharedServers.MysqlServer server = SharedServers.mysql();
        String schema = SharedServers.newSchema();
        Migrations.migrate(new MysqlSettings(
                "127.0.0.1", server.port(), server.user(), server.password(), schema, 1, 5_000, 60_000, 10_000));
        Connection connection = DriverManager.getConnection(server.jdbcUrl(schema), server.user(), server.password());
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return new MeasuredSchema(connection);
    }

    /** Text as the tables hold it. */
    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Many rows at once, to be closed when they are written. */
    PreparedStatement insert(String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    /** Commits what was written, and has the server look at how much it is. */
    void filled(String... tables) throws SQLException {
        connection.commit();
        try (Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE TABLE " + String.join(", ", tables));
        }
    }

    private PreparedStatement prepare(String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    /** How many rows a query finds. */
    int rows(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql, values);
                ResultSet rows = statement.executeQuery()) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    /** How many rows a statement changes; it is rolled back. */
    int changes(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql, values)) {
            return statement.executeUpdate();
        } finally {
            connection.rollback();
        }
    }

    /**
     * A line of a plan.
     *
     * @param table of which table
     * @param key which of its indexes is used; "null" without
     * @param type how, in EXPLAIN's words
     * @param extra what else EXPLAIN says; may be empty
     */
    record Step(String table, String key, String type, String extra) {}

    /** How the server would run a statement: at least one step, none of which sorts or makes a table. */
    List<Step> plan(String sql, Object... values) throws SQLException {
        List<Step> steps = new ArrayList<>();
        try (PreparedStatement explain = prepare("EXPLAIN " + sql, values);
                ResultSet plan = explain.executeQuery()) {
            while (plan.next()) {
                steps.add(new Step(
                        plan.getString("table"),
                        String.valueOf(plan.getString("key")),
                        String.valueOf(plan.getString("type")),
                        plan.getString("Extra") == null ? "" : plan.getString("Extra")));
            }
        }
        assertThat(steps)
                .isNotEmpty()
                .allSatisfy(step -> assertThat(step.extra()).as("%s", steps).doesNotContain("filesort", "temporary"));
        return steps;
    }

    /** How many rows this connection has read so far. */
    long rowsRead() throws SQLException {
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

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
