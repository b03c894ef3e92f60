package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LiveRoomStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The live rows of the table {@code rooms}. */
public final class MysqlLiveRoomStore implements LiveRoomStore {
    private static final String LIVE = " FROM rooms r FORCE INDEX (rooms_live) WHERE r.live = TRUE AND r.owner_node_id";

    /** One dive into the index for each owner, however many rooms it has: without {@code live} in the group it reads them all. */
    static final String OWNERS = "SELECT r.owner_node_id" + LIVE
            + " > '' GROUP BY r.live, r.owner_node_id ORDER BY r.live, r.owner_node_id LIMIT ?";

    private final Connections connections;

    /** The live rooms in the database of {@code connections}. */
    public MysqlLiveRoomStore(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Future<List<String>> owners(int most) {
        return connections.read(OWNERS, Tuple.of(most)).map(rows -> {
            List<String> owners = new ArrayList<>(rows.size());
            rows.forEach(row -> owners.add(row.getString(0)));
            return owners;
        });
    }

    @Override
    public Future<List<LiveRoom>> roomsOf(String nodeId, Optional<RoomKey> after, int most) {
        List<Object> values = new ArrayList<>(5);
        values.add(nodeId);
        after.ifPresent(key -> {
            values.add(Values.bytes(key.appCode()));
            values.add(Values.bytes(key.appCode()));
            values.add(Values.bytes(key.roomId()));
        });
        values.add(most);
        return connections.read(roomsSql(after.isPresent()), Tuple.wrap(values)).map(rows -> {
            List<LiveRoom> page = new ArrayList<>(rows.size());
            rows.forEach(row -> page.add(new LiveRoom(Values.key(row, 0), dueMs(row))));
            return page;
        });
    }

    /** Reads one index in its order, from the key on, and the room's few timers by their own key. */
    static String roomsSql(boolean afterKey) {
        return "SELECT r.app_code, r.room_id, (SELECT MIN(t.due_ms) FROM room_timers t WHERE t.app_code = r.app_code"
                + " AND t.room_id = r.room_id)" + LIVE + " = ?"
                // Not (app_code, room_id) > (?, ?): MySQL makes no range of that.
                + (afterKey ? " AND (r.app_code > ? OR (r.app_code = ? AND r.room_id > ?))" : "")
                + " ORDER BY r.app_code, r.room_id LIMIT ?";
    }

    private static OptionalLong dueMs(Row row) {
        Long dueMs = row.getLong(2);
        return dueMs == null ? OptionalLong.empty() : OptionalLong.of(dueMs);
    }
}
