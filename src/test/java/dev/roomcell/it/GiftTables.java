package dev.roomcell.it;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The tables of gifts, past every node. */
final class GiftTables implements AutoCloseable {
    private final Connection connection;

    GiftTables(Backends backends) {
        try {
            connection = DriverManager.getConnection(
                    backends.servers().jdbcUrl(backends.schema()),
                    backends.servers().mysqlUser(),
                    "");
        } catch (SQLException e) {
            throw new IllegalStateException("no connection", e);
        }
    }

    /** A line of {@code gift_intents}. */
    record Row(
            String commandId,
            String roomId,
            String actorUserId,
            long totalPrice,
            String state,
            String reward,
            long rewardCoins,
            boolean due) {}

    /** A gift in a room's log. */
    record Given(String roomId, String commandId, String actorUserId) {}

    /** Puts a gift on sale, or changes it. */
    void offer(String appCode, String giftId, long unitPrice, boolean lucky) {
        offer(appCode, giftId, unitPrice, lucky, 0);
    }

    /** The same, with what one piece is worth to a rocket. */
    void offer(String appCode, String giftId, long unitPrice, boolean lucky, long fuel) {
        change(
                "REPLACE INTO gift_catalog (app_code, gift_id, unit_price, lucky, on_sale, fuel_per_piece)"
                        + " VALUES (?, ?, ?, ?, TRUE, ?)",
                appCode,
                giftId,
                unitPrice,
                lucky,
                fuel);
    }

    /** How the app's rockets are from now on, each level full with the same fuel. */
    void rockets(String appCode, String resetAt, String zone, int levels, long fuelCapacity, long launchDelayMs) {
        change("REPLACE INTO rocket_config (app_code, reset_at, zone) VALUES (?, ?, ?)", appCode, resetAt, zone);
        for (int level = 1; level <= levels; level++) {
            change(
                    "REPLACE INTO rocket_levels (app_code, level, fuel_capacity, launch_delay_ms) VALUES (?, ?, ?, ?)",
                    appCode,
                    level,
                    fuelCapacity,
                    launchDelayMs);
        }
    }

    /** Takes a level out of the app's rockets. */
    void withoutLevel(String appCode, int level) {
        change("DELETE FROM rocket_levels WHERE app_code = ? AND level = ?", appCode, level);
    }

    /** Takes a gift off sale. */
    void withdraw(String appCode, String giftId) {
        change("UPDATE gift_catalog SET on_sale = FALSE WHERE app_code = ? AND gift_id = ?", appCode, giftId);
    }

    /** What nobody may do: says of a committed gift that it has won so much. */
    void forgeReward(String commandId, long coins) {
        change("UPDATE gift_intents SET reward = ? WHERE command_id = ?", coins, commandId);
    }

    /** Somebody is to see to the gift now, and not in its turn. */
    void makeDue(String commandId) {
        change("UPDATE gift_intents SET due_ms = 0 WHERE command_id = ? AND due_ms IS NOT NULL", commandId);
    }

    /** No gift that the wallet has refused waits longer than it must, unless it is parked. */
    void makeDueSoon() {
        change("UPDATE gift_intents SET due_ms = 0 WHERE refusals > 0 AND due_ms < 9223372036854775807");
    }

    /** Runs a statement as it stands; how many rows it has changed. */
    int run(String sql) {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The rows that a question finds, each as its columns in one line. */
    List<String> list(String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> lines = new ArrayList<>();
            while (rows.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    columns.add(text(rows, i));
                }
                lines.add(String.join(" ", columns));
            }
            return lines;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private void change(String sql, Object... parameters) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, parameters);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static void set(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }

    List<Row> intents(String appCode) {
        String sql = "SELECT command_id, room_id, actor_user_id, total_price, state, reward_state, reward,"
                + " due_ms IS NOT NULL FROM gift_intents WHERE app_code = ? ORDER BY command_id";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, appCode);
            try (ResultSet rows = statement.executeQuery()) {
                List<Row> read = new ArrayList<>();
                while (rows.next()) {
                    read.add(new Row(
                            text(rows, 1),
                            text(rows, 2),
                            text(rows, 3),
                            rows.getLong(4),
                            rows.getString(5),
                            rows.getString(6),
                            rows.getLong(7),
                            rows.getBoolean(8)));
                }
                return read;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The gifts in the logs of an app's rooms. */
    List<Given> given(String appCode) {
        String sql = "SELECT room_id, command_id, actor_user_id FROM room_command_log"
                + " WHERE app_code = ? AND kind = 'SEND_GIFT' ORDER BY command_id";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, appCode);
            try (ResultSet rows = statement.executeQuery()) {
                List<Given> read = new ArrayList<>();
                while (rows.next()) {
                    read.add(new Given(text(rows, 1), text(rows, 2), text(rows, 3)));
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

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("not closed", e);
        }
    }
}
