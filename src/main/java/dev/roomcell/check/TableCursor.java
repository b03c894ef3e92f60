package dev.roomcell.check;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table in the order of its primary key, a page at a time, so that several tables can be read side by side on
 * one connection, in one transaction, however large they are.
 */
final class TableCursor<T> {
    private final Connection connection;
    private final Table<T> table;
    private final Scope scope;
    private final int pageRows;
    private final Deque<Row<T>> page = new ArrayDeque<>();
    /** The primary key of the last row read. */
    private List<Object> position = List.of();

    private boolean exhausted;
    private long taken;

    /**
     * What to read.
     *
     * @param name the table
     * @param order the primary key behind app code and room id
     * @param columns further columns
     * @param reader makes a value of a row; its columns are the primary key, then {@code columns}
     */
    record Table<T>(String name, List<String> order, String columns, Reader<T> reader) {}

    /** Makes a value of the row that a result set stands at. */
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * Which rooms.
     *
     * @param appCode those of one app, if present
     * @param roomId that one room of it, if present
     */
    record Scope(Optional<byte[]> appCode, Optional<byte[]> roomId) {}

    private record Row<T>(StoredKey key, T value) {}

    TableCursor(Connection connection, Table<T> table, Scope scope, int pageRows) {
        this.connection = connection;
        this.table = table;
        this.scope = scope;
        this.pageRows = pageRows;
    }

    /** The room of the next row; null after the last. */
    @Nullable
    StoredKey nextKey() throws SQLException {
        if (page.isEmpty() && !exhausted) {
            readPage();
        }
        Row<T> next = page.peek();
        return next == null ? null : next.key;
    }

    /** Whether the next row is {@code room}'s. */
    boolean isAt(StoredKey room) throws SQLException {
        return room.equals(nextKey());
    }

    /** The next row. */
    T take() throws SQLException {
        if (nextKey() == null) {
            throw new NoSuchElementException(table.name);
        }
        taken++;
        return page.remove().value;
    }

    /** How many rows have been taken. */
    long taken() {
        return taken;
    }

    private void readPage() throws SQLException {
        List<String> primaryKey = new ArrayList<>(List.of("app_code", "room_id"));
        primaryKey.addAll(table.order);
        List<String> conditions = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        scope.appCode.ifPresent(app -> equal("app_code", app, conditions, values));
        scope.roomId.ifPresent(room -> equal("room_id", room, conditions, values));
        if (!position.isEmpty()) {
            conditions.add(behindPosition(primaryKey, values));
        }
        String sql = "SELECT " + String.join(", ", primaryKey) + (table.columns.isEmpty() ? "" : ", " + table.columns)
                + " FROM " + table.name
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
                + " ORDER BY " + String.join(", ", primaryKey) + " LIMIT " + pageRows;
        read(sql, values, primaryKey.size());
    }

    private static void equal(String column, byte[] value, List<String> conditions, List<Object> values) {
        conditions.add(column + " = ?");
        values.add(value);
    }

    /** One range of the primary key for each of its columns; comparing rows at once, MySQL would read from the start. */
    private String behindPosition(List<String> primaryKey, List<Object> values) {
        List<String> ranges = new ArrayList<>();
        for (int last = 0; last < primaryKey.size(); last++) {
            List<String> range = new ArrayList<>();
            for (int i = 0; i <= last; i++) {
                range.add(primaryKey.get(i) + (i < last ? " = ?" : " > ?"));
                values.add(position.get(i));
            }
            ranges.add("(" + String.join(" AND ", range) + ")");
        }
        return "(" + String.join(" OR ", ranges) + ")";
    }

    private void read(String sql, List<Object> values, int keyColumns) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    page.add(new Row<>(new StoredKey(rows.getBytes(1), rows.getBytes(2)), table.reader.read(rows)));
                    position = key(rows, keyColumns);
                }
            }
        }
        exhausted = page.size() < pageRows;
    }

    private static List<Object> key(ResultSet row, int keyColumns) throws SQLException {
        List<Object> key = new ArrayList<>(List.of(row.getBytes(1), row.getBytes(2)));
        for (int column = 3; column <= keyColumns; column++) {
            key.add(row.getLong(column));
        }
        return key;
    }
}
