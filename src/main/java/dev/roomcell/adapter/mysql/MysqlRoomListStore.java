package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomListStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table {@code room_list_entries}. */
public final class MysqlRoomListStore implements RoomListStore {
    /** The assignments run from left to right, so the version, which they all compare, changes last. */
    static final Sql.MultiRow LINES = new Sql.MultiRow(
            "INSERT INTO room_list_entries (app_code, room_id, room_version, state, title, region, online_count,"
                    + " heat) VALUES",
            8,
            "ON DUPLICATE KEY UPDATE"
                    + newest("state")
                    + "," + newest("title")
                    + "," + newest("region")
                    + "," + newest("online_count")
                    + "," + newest("heat")
                    + "," + newest("room_version"));

    private final Connections connections;

    /** The list in the database of {@code connections}. */
    public MysqlRoomListStore(Connections connections) {
        this.connections = connections;
    }

    private static String newest(String column) {
        return " " + column + " = IF(VALUES(room_version) >= room_version, VALUES(" + column + "), " + column + ")";
    }

    static void addValues(List<Object> values, ListEntry entry) {
        values.add(Values.bytes(entry.key().appCode()));
        values.add(Values.bytes(entry.key().roomId()));
        values.add(entry.version());
        values.add(entry.status().name());
        values.add(Values.bytes(entry.title()));
        values.add(Values.bytes(entry.region()));
        values.add(entry.onlineCount());
        values.add(entry.heat());
    }

    @Override
    public Future<Void> write(List<ListEntry> entries) {
        List<Object> values = new ArrayList<>(8 * entries.size());
        entries.forEach(entry -> addValues(values, entry));
        List<Future<RowSet<Row>>> sent = LINES.send(values, connections::read);
        return Future.all(sent).mapEmpty();
    }

    @Override
    public Future<List<ListEntry>> hottest(String appCode, Optional<String> region, Optional<Place> after, int most) {
        List<Object> values = new ArrayList<>(6);
        values.add(Values.bytes(appCode));
        region.map(Values::bytes).ifPresent(values::add);
        after.ifPresent(place -> {
            values.add(-place.heat());
            values.add(-place.heat());
            values.add(Values.bytes(place.roomId()));
        });
        values.add(most);
        return connections
                .read(hottestSql(region.isPresent(), after.isPresent()), Tuple.wrap(values))
                .map(rows -> {
                    List<ListEntry> page = new ArrayList<>(rows.size());
                    rows.forEach(row -> page.add(entry(appCode, row)));
                    return page;
                });
    }

    /** Reads one index in its order, from the place on: no sort, and none of the pages before. */
    static String hottestSql(boolean ofRegion, boolean afterPlace) {
        return "SELECT room_id, room_version, title, region, online_count, heat FROM room_list_entries FORCE INDEX ("
                + (ofRegion ? "room_list_hottest_of_region" : "room_list_hottest") + ") WHERE app_code = ?"
                + " AND state = 'ACTIVE'"
                + (ofRegion ? " AND region = ?" : "")
                // Not (coldness, room_id) > (?, ?): MySQL makes no range of that.
                + (afterPlace ? " AND (coldness > ? OR (coldness = ? AND room_id > ?))" : "")
                + " ORDER BY coldness, room_id LIMIT ?";
    }

    private static ListEntry entry(String appCode, Row row) {
        return new ListEntry(
                new RoomKey(appCode, Values.text(row, 0)),
                row.getLong(1),
                Lifecycle.Status.ACTIVE,
                Values.text(row, 2),
                Values.text(row, 3),
                row.getInteger(4),
                row.getLong(5));
    }
}
