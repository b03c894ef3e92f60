package dev.roomcell.verticle;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.MysqlCommandStore;
import dev.roomcell.adapter.mysql.MysqlRoomListStore;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.cell.RoomQueries;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the node answers from the database, over connections that nothing else uses: whoever reads pages of lists and
 * logs keeps no room from loading.
 */
public final class QueryVerticle extends VerticleBase {
    private final MysqlSettings mysql;
    private @Nullable Connections connections;
    private @Nullable RoomQueries queries;

    /** A verticle that connects when it is first asked. */
    public QueryVerticle(MysqlSettings mysql) {
        this.mysql = mysql;
    }

    @Override
    public Future<?> start() {
        Connections opened = new Connections(vertx, mysql);
        connections = opened;
        queries = new RoomQueries(
                new VertxCellLoop(vertx, context),
                new MysqlRoomListStore(opened),
                new MysqlCommandStore(opened),
                new StoredForm());
        return Future.succeededFuture();
    }

    /** The queries, once the verticle is deployed. */
    public RoomQueries queries() {
        return Objects.requireNonNull(queries, "not deployed");
    }

    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(connections).close();
    }
}
