package dev.roomcell.check;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.Reward;
import dev.roomcell.port.GiftStore.State;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Reads all gifts, all intents and the embedded wallet's ledger as they stood at one moment, and holds them against each
 * other (I7). All of them are in memory meanwhile.
 */
final class StoredMoney {
    private static final String GIFTS =
            "SELECT app_code, room_id, version, command_id, payload_hash, kind, actor_user_id,"
                    + " committed_at_ms, command, events, result, owner_node_id, lease_token, lease_epoch FROM room_command_log"
                    + " WHERE kind = 'SEND_GIFT'";

    private static final String INTENTS = "SELECT app_code, command_id, room_id, actor_user_id, payload_hash, gift_id,"
            + " unit_price, lucky, pieces, total_price, state, reward_state, reward, fuel_per_piece, reward_late FROM gift_intents";

    /** Those whose log row may be gone: the beginning of their room's log is, and they are old enough. */
    private static final String UNLOGGED =
            "SELECT g.app_code, g.command_id FROM gift_intents g WHERE g.begun_at_ms < %d"
                    + " AND (SELECT l.version FROM room_command_log l WHERE l.app_code = g.app_code AND l.room_id = g.room_id"
                    + " ORDER BY l.version LIMIT 1) > 1";

    private static final String PARKED =
            "SELECT app_code, command_id FROM gift_intents WHERE due_ms = " + ParkedGift.NEVER;

    private static final String MOVEMENTS =
            "SELECT movement_key, kind, app_code, user_id, coins, balance_after, debit_key"
                    + " FROM %s.wallet_ledger ORDER BY seq";

    private StoredMoney() {}

    private interface Reader<T> {
        Optional<T> read(ResultSet row) throws SQLException;
    }

    /**
     * What is wrong.
     *
     * @param ledger a schema's name, and checked to be one
     * @param logBeforeMs log rows from before then may have been purged (LOG-1), epoch ms
     */
    static List<Violation> check(Connection connection, String ledger, long logBeforeMs) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
            List<GivenGift> gifts = all(statement, GIFTS, StoredMoney::gift);
            List<Intent> intents = all(statement, INTENTS, StoredMoney::intent);
            List<WalletMovement> movements = all(statement, MOVEMENTS.formatted(ledger), StoredMoney::movement);
            List<GiftKey> unlogged = all(statement, UNLOGGED.formatted(logBeforeMs), StoredMoney::key);
            List<GiftKey> parked = all(statement, PARKED, StoredMoney::key);
            statement.execute("ROLLBACK");
            return GiftLedger.check(
                    gifts, intents, movements, new GiftLedger.Excused(new HashSet<>(unlogged), new HashSet<>(parked)));
        }
    }

    private static <T> List<T> all(Statement statement, String sql, Reader<T> reader) throws SQLException {
        List<T> read = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                reader.read(rows).ifPresent(read::add);
            }
        }
        return read;
    }

    private static Optional<GivenGift> gift(ResultSet row) throws SQLException {
        LogRow logged = new LogRow(
                row.getLong(3),
                text(row, 4),
                row.getBytes(5),
                row.getString(6),
                text(row, 7),
                row.getLong(8),
                row.getBytes(9),
                row.getBytes(10),
                row.getBytes(11),
                row.getString(12),
                row.getString(13),
                row.getLong(14));
        return GivenGift.in(new RoomKey(text(row, 1), text(row, 2)), logged, new StoredForm());
    }

    private static Optional<Intent> intent(ResultSet row) throws SQLException {
        return Optional.of(new Intent(
                new GiftKey(text(row, 1), text(row, 2)),
                text(row, 3),
                text(row, 4),
                row.getBytes(5),
                new Gift(text(row, 6), row.getLong(7), row.getBoolean(8), row.getLong(14)),
                row.getLong(9),
                row.getLong(10),
                State.valueOf(row.getString(11)),
                Reward.valueOf(row.getString(12)),
                row.getLong(13),
                row.getBoolean(15)));
    }

    private static Optional<GiftKey> key(ResultSet row) throws SQLException {
        return Optional.of(new GiftKey(text(row, 1), text(row, 2)));
    }

    private static Optional<WalletMovement> movement(ResultSet row) throws SQLException {
        byte[] debitKey = row.getBytes(7);
        return Optional.of(new WalletMovement(
                text(row, 1),
                WalletMovement.Kind.valueOf(row.getString(2)),
                text(row, 3),
                text(row, 4),
                row.getLong(5),
                row.getLong(6),
                debitKey == null ? "" : new String(debitKey, StandardCharsets.UTF_8)));
    }

    private static String text(ResultSet row, int column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }
}
