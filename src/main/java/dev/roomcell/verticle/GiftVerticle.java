package dev.roomcell.verticle;

import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.cell.GiftReconciler;
import dev.roomcell.cell.GiftSettings;
import dev.roomcell.port.GiftMeter;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sees to the gifts that nobody else sees to, of all rooms, with connections of its own. */
public final class GiftVerticle extends VerticleBase {
    private final MysqlSettings mysql;
    private final GiftServices.Settings services;
    private final GiftSettings settings;
    private final ImServices.Settings im;
    private final RoomClock clock;
    private final GiftMeter meter;
    private @Nullable Connections connections;
    private @Nullable ImServices clients;
    private @Nullable GiftServices opened;
    private @Nullable GiftReconciler reconciler;

    /**
     * A verticle that has not begun.
     *
     * @param services where the wallet and the lottery are
     * @param im how givers are told of rewards that come late
     * @param meter hears how gifts stand, and what becomes of what givers are told
     */
    public GiftVerticle(
            MysqlSettings mysql,
            GiftServices.Settings services,
            GiftSettings settings,
            ImServices.Settings im,
            RoomClock clock,
            GiftMeter meter) {
        this.mysql = mysql;
        this.services = services;
        this.settings = settings;
        this.im = im;
        this.clock = clock;
        this.meter = meter;
    }

    @Override
    public Future<?> start() {
        Connections own = new Connections(vertx, mysql);
        GiftServices calls = services.open(vertx, clock);
        ImServices users = im.open(vertx, clock);
        connections = own;
        opened = calls;
        clients = users;
        reconciler = new GiftReconciler(
                new VertxCellLoop(vertx, context), calls.ports(own, clock), settings, users.notices(), clock, meter);
        reconciler.start();
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(reconciler)
                .stop()
                .compose(stopped -> Future.join(
                        Objects.requireNonNull(opened).close(),
                        Objects.requireNonNull(clients).close(),
                        Objects.requireNonNull(connections).close()));
    }
}
