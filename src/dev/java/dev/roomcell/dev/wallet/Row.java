package dev.roomcell.dev.wallet;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Statements whose texts are bytes in the tables, so that no two ids are equal that differ. */
final class Row {
    private Row() {}

    /** Makes something of a row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Runs a statement that changes rows; returns how many. */
    static int change(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    static <T> Optional<T> one(Connection connection, String sql, Reader<T> reader, Object... parameters)
            throws SQLException {
        return all(connection, sql, reader, parameters).stream().findFirst();
    }

    static <T> List<T> all(Connection connection, String sql, Reader<T> reader, Object... parameters)
            throws SQLException {
        List<T> rows = new ArrayList<>();
        try (PreparedStatement statement = prepared(connection, sql, parameters);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                rows.add(reader.read(found));
            }
        }
        return rows;
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i] instanceof String text) {
                statement.setBytes(i + 1, text.getBytes(StandardCharsets.UTF_8));
            } else {
                statement.setObject(i + 1, parameters[i]);
            }
        }
        return statement;
    }

    /** So many times the same, with commas: places for as many parameters. */
    static String repeat(String places, int times) {
        return String.join(", ", Collections.nCopies(times, places));
    }

    /** A text; empty for NULL. */
    static String text(ResultSet row, String column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }
}
