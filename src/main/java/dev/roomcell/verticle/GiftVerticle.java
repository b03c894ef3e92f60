package dev.roomcell.verticle;

import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.cell.GiftReconciler;
import dev.roomcell.cell.GiftSettings;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Sees to the gifts that nobody else sees to, of all rooms, with connections of its own. */
public final class GiftVerticle extends VerticleBase {
    private final MysqlSettings mysql;
    private final GiftServices.Settings services;
    private final GiftSettings settings;
    private final RoomClock clock;
    private final AtomicLong openGifts = new AtomicLong();
    private @Nullable Connections connections;
    private @Nullable GiftServices opened;
    private @Nullable GiftReconciler reconciler;

    /** A verticle that has not begun. */
    public GiftVerticle(MysqlSettings mysql, GiftServices.Settings services, GiftSettings settings, RoomClock clock) {
        this.mysql = mysql;
        this.services = services;
        this.settings = settings;
        this.clock = clock;
    }

    /** For how many gifts of all nodes something is left to do, as it was a few rounds ago. */
    public AtomicLong openGifts() {
        return openGifts;
    }

    @Override
    public Future<?> start() {
        Connections own = new Connections(vertx, mysql);
        GiftServices calls = services.open(vertx, clock);
        connections = own;
        opened = calls;
        reconciler = new GiftReconciler(
                new VertxCellLoop(vertx, context), calls.ports(own, clock), settings, openGifts::set);
        reconciler.start();
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(reconciler)
                .stop()
                .compose(stopped -> Future.join(
                        Objects.requireNonNull(opened).close(),
                        Objects.requireNonNull(connections).close()));
    }
}
