package dev.roomcell.verticle;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.MysqlPurgeStore;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.cell.ClusterView;
import dev.roomcell.cell.PurgeSettings;
import dev.roomcell.cell.PurgeWorker;
import dev.roomcell.port.PurgeMeter;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Deletes old rows of all rooms, with connections of its own. */
public final class PurgeVerticle extends VerticleBase {
    private final String nodeId;
    private final MysqlSettings mysql;
    private final ClusterView cluster;
    private final PurgeSettings settings;
    private final PurgeMeter meter;
    private final IntUnaryOperator below;
    private @Nullable Connections connections;
    private @Nullable PurgeWorker worker;

    /**
     * A verticle that has not begun.
     *
     * @param below of n: a random number from 0 to n - 1
     */
    public PurgeVerticle(
            String nodeId,
            MysqlSettings mysql,
            ClusterView cluster,
            PurgeSettings settings,
            PurgeMeter meter,
            IntUnaryOperator below) {
        this.nodeId = nodeId;
        this.mysql = mysql;
        this.cluster = cluster;
        this.settings = settings;
        this.meter = meter;
        this.below = below;
    }

    @Override
    public Future<?> start() {
        Connections own = new Connections(vertx, mysql);
        PurgeWorker begun = new PurgeWorker(
                nodeId,
                new VertxCellLoop(vertx, context),
                new MysqlPurgeStore(own),
                new StoredForm(),
                cluster,
                below,
                settings,
                meter);
        connections = own;
        worker = begun;
        begun.start();
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(worker)
                .stop()
                .compose(stopped -> Objects.requireNonNull(connections).close());
    }
}
