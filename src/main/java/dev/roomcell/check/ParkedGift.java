package dev.roomcell.check;

import dev.roomcell.check.TableCursor.Scope;
import dev.roomcell.domain.RoomKey;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A gift that has not come to an end, and waits for an operator: the wallet refuses its money. Nothing is wrong with what is
 * stored of it.
 *
 * @param room the room that it is for
 * @param commandId its SendGift
 * @param what is left to do
 * @param refusals how often the wallet has refused that
 * @param why what it said the last time
 */
record ParkedGift(RoomKey room, String commandId, String what, int refusals, String why) {
    /** When nobody sees to a gift any more ({@code due_ms}). */
    static final long NEVER = Long.MAX_VALUE;

    private static final String ALL =
            "SELECT app_code, room_id, command_id, state, total_price, reward, actor_user_id, refusals,"
                    + " refused_why FROM gift_intents WHERE due_ms = " + NEVER;

    /** Those of some rooms, by app and command id. */
    static List<ParkedGift> read(Connection connection, Scope scope) throws SQLException {
        List<byte[]> values = new ArrayList<>();
        StringBuilder sql = new StringBuilder(ALL);
        scope.appCode().ifPresent(app -> {
            sql.append(" AND app_code = ?");
            values.add(app);
        });
        scope.roomId().ifPresent(room -> {
            sql.append(" AND room_id = ?");
            values.add(room);
        });
        try (PreparedStatement query = connection.prepareStatement(
                sql.append(" ORDER BY app_code, command_id").toString())) {
            for (int i = 0; i < values.size(); i++) {
                query.setBytes(i + 1, values.get(i));
            }
            try (ResultSet rows = query.executeQuery()) {
                List<ParkedGift> parked = new ArrayList<>();
                while (rows.next()) {
                    parked.add(parked(rows));
                }
                return parked;
            }
        }
    }

    private static ParkedGift parked(ResultSet row) throws SQLException {
        String user = text(row, 7);
        return new ParkedGift(
                new RoomKey(text(row, 1), text(row, 2)),
                text(row, 3),
                row.getString(4).equals("VOIDING")
                        ? "what was taken of " + row.getLong(5) + " coins is to go back to " + user
                        : user + " is to be rewarded with " + row.getLong(6) + " coins",
                row.getInt(8),
                row.getString(9));
    }

    private static String text(ResultSet row, int column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "open: gift " + commandId + " in room " + room + " is parked: " + what
                + ", and the wallet has refused it " + refusals + " times: " + why;
    }
}
