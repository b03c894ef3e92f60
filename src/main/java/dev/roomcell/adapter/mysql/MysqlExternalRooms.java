package dev.roomcell.adapter.mysql;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.port.ExternalRooms;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;

/** The table {@code rooms}, by the ids that the vendors know. */
public final class MysqlExternalRooms implements ExternalRooms {
    static final String BY_EXTERNAL_ID =
            "SELECT app_code, room_id, state, live, owner_node_id FROM rooms WHERE external_id = ?";

    private final Connections connections;

    /** The rooms in the database of {@code connections}. */
    public MysqlExternalRooms(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Future<Optional<Found>> find(String externalId) {
        return ExternalIds.decode(externalId)
                .map(bytes -> connections
                        .read(BY_EXTERNAL_ID, Tuple.of(Values.bytes(bytes)))
                        .map(rows -> rows.size() == 0
                                ? Optional.<Found>empty()
                                : Optional.of(found(rows.iterator().next()))))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private static Found found(Row row) {
        return new Found(
                Values.key(row, 0),
                Lifecycle.Status.valueOf(row.getString(2)),
                row.getInteger(3) != 0,
                row.getString(4));
    }
}
