package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.ListEntry;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.check.RoomHistory.OutboxRow;
import dev.roomcell.check.RoomHistory.RoomRow;
import dev.roomcell.check.TableCursor.Scope;
import dev.roomcell.check.TableCursor.Table;
import dev.roomcell.port.SnapshotStore.Snapshot;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads all rooms as they stood at one moment, one room after the other. A room that is in any of the tables is read,
 * and of a room's log and outbox no more is in memory than a page.
 */
final class StoredRooms {
    /** Rows of a page; a log row weighs some hundred bytes. */
    static final int PAGE_ROWS = 1_000;
    /** A snapshot may weigh megabytes, and a room has two of them. */
    private static final int SNAPSHOTS_A_PAGE = 2;

    private static final Table<RoomRow> ROOMS = new Table<>(
            "rooms",
            List.of(),
            "state, version, lease_epoch, owner_node_id, live",
            row -> new RoomRow(row.getString(3), row.getLong(4), row.getLong(5), row.getString(6), row.getBoolean(7)));

    private static final Table<LogRow> LOG = new Table<>(
            "room_command_log",
            List.of("version"),
            "command_id, payload_hash, kind, actor_user_id, committed_at_ms, command, events, result, owner_node_id,"
                    + " lease_token, lease_epoch",
            row -> new LogRow(
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
                    row.getLong(14)));

    private static final Table<OutboxRow> OUTBOX = new Table<>(
            "room_outbox",
            List.of("room_version", "event_index"),
            "type, envelope",
            row -> new OutboxRow(row.getLong(3), row.getInt(4), row.getString(5), row.getBytes(6)));

    private static final Table<Snapshot> SNAPSHOTS = new Table<>(
            "room_snapshots",
            List.of("version"),
            "taken_at_ms, state, checksum, last_seen",
            row -> new Snapshot(row.getLong(3), row.getLong(4), row.getBytes(5), row.getLong(6), row.getBytes(7)));

    private static final Table<ListEntry> LIST = new Table<>(
            "room_list_entries",
            List.of(),
            "room_version, state, title, region, online_count",
            row -> new ListEntry(row.getLong(3), row.getString(4), text(row, 5), text(row, 6), row.getInt(7)));

    private final TableCursor<RoomRow> rooms;
    private final TableCursor<LogRow> log;
    private final TableCursor<OutboxRow> outbox;
    private final TableCursor<Snapshot> snapshots;
    private final TableCursor<ListEntry> list;

    private StoredRooms(Connection connection, Scope scope, int pageRows) {
        rooms = new TableCursor<>(connection, ROOMS, scope, pageRows);
        log = new TableCursor<>(connection, LOG, scope, pageRows);
        outbox = new TableCursor<>(connection, OUTBOX, scope, pageRows);
        snapshots = new TableCursor<>(connection, SNAPSHOTS, scope, Math.min(pageRows, SNAPSHOTS_A_PAGE));
        list = new TableCursor<>(connection, LIST, scope, pageRows);
    }

    private static String text(ResultSet row, int column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }

    /**
     * What was read.
     *
     * @param rooms rooms
     * @param versions log rows
     */
    record Totals(long rooms, long versions) {}

    /** The database's time, epoch ms. */
    static long databaseMs(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet now = statement.executeQuery("SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)")) {
            now.next();
            return now.getLong(1);
        }
    }

    /**
     * Gives every room to {@code to}, in order. The connection is in no transaction, before and after.
     *
     * @param pageRows rows of a page, at least 1
     */
    static Totals read(Connection connection, Scope scope, int pageRows, Consumer<RoomHistory> to) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
            Totals totals = new StoredRooms(connection, scope, pageRows).readAll(to);
            statement.execute("ROLLBACK");
            return totals;
        } catch (UncheckedSqlException e) {
            throw e.failure;
        }
    }

    private Totals readAll(Consumer<RoomHistory> to) throws SQLException {
        long count = 0;
        for (StoredKey key = nextKey(); key != null; key = nextKey()) {
            to.accept(history(key));
            skip(log, key);
            skip(outbox, key);
            count++;
        }
        return new Totals(count, log.taken());
    }

    private @Nullable StoredKey nextKey() throws SQLException {
        return Stream.of(
                        Optional.ofNullable(rooms.nextKey()),
                        Optional.ofNullable(log.nextKey()),
                        Optional.ofNullable(outbox.nextKey()),
                        Optional.ofNullable(snapshots.nextKey()),
                        Optional.ofNullable(list.nextKey()))
                .flatMap(Optional::stream)
                .min(StoredKey::compareTo)
                .orElse(null);
    }

    private RoomHistory history(StoredKey key) throws SQLException {
        List<Snapshot> taken = new ArrayList<>();
        while (snapshots.isAt(key)) {
            taken.add(snapshots.take());
        }
        return new RoomHistory(
                key.decoded(),
                rooms.isAt(key) ? Optional.of(rooms.take()) : Optional.empty(),
                rowsOf(log, key),
                rowsOf(outbox, key),
                taken,
                list.isAt(key) ? Optional.of(list.take()) : Optional.empty());
    }

    private static void skip(TableCursor<?> cursor, StoredKey key) throws SQLException {
        while (cursor.isAt(key)) {
            cursor.take();
        }
    }

    /** The rows of one room, read on the way; to be walked once, before the next room. */
    private static <T> Iterable<T> rowsOf(TableCursor<T> cursor, StoredKey key) {
        return () -> new Iterator<>() {
            @Override
            public boolean hasNext() {
                try {
                    return cursor.isAt(key);
                } catch (SQLException e) {
                    throw new UncheckedSqlException(e);
                }
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("no more rows of the room");
                }
                try {
                    return cursor.take();
                } catch (SQLException e) {
                    throw new UncheckedSqlException(e);
                }
            }
        };
    }

    private static final class UncheckedSqlException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient SQLException failure;

        UncheckedSqlException(SQLException failure) {
            super(failure);
            this.failure = failure;
        }
    }
}
