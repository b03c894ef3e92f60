package dev.roomcell.adapter.mysql;

import dev.roomcell.port.RoomListStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.List;

/** The table {@code room_list_entries}. */
public final class MysqlRoomListStore implements RoomListStore {
    /** The assignments run from left to right, so the version, which they all compare, changes last. */
    static final Sql.MultiRow LINES = new Sql.MultiRow(
            "INSERT INTO room_list_entries (app_code, room_id, room_version, state, title, region, online_count) VALUES",
            7,
            "ON DUPLICATE KEY UPDATE"
                    + newest("state")
                    + "," + newest("title")
                    + "," + newest("region")
                    + "," + newest("online_count")
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
    }

    @Override
    public Future<Void> write(List<ListEntry> entries) {
        List<Object> values = new ArrayList<>(7 * entries.size());
        entries.forEach(entry -> addValues(values, entry));
        List<Future<RowSet<Row>>> sent = LINES.send(values, connections::read);
        return Future.all(sent).mapEmpty();
    }
}
