package dev.roomcell.verticle;

import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.DatabaseClock;
import dev.roomcell.adapter.mysql.MysqlLiveRoomStore;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.mysql.MysqlTimerStore;
import dev.roomcell.adapter.redis.RedisCalls;
import dev.roomcell.adapter.redis.RedisNodeDirectory;
import dev.roomcell.adapter.redis.RedisSettings;
import dev.roomcell.cell.Adoption;
import dev.roomcell.cell.ClusterView;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.cell.NodeAnnouncer;
import dev.roomcell.cell.TimeoutWorker;
import dev.roomcell.port.AdoptionMeter;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.NodeDirectory;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a node does once, whatever its loops: measure the clock, say that it lives, look for due timers and lost rooms. */
public final class NodeVerticle extends VerticleBase {
    private static final Logger log = LoggerFactory.getLogger(NodeVerticle.class);

    private final MysqlSettings mysql;
    private final RedisSettings redis;
    private final DatabaseClock clock;
    private final ClusterView cluster;
    private final AdoptionMeter adoptions;
    private @Nullable Connections connections;
    private @Nullable RedisCalls calls;
    private @Nullable TimeoutWorker timeouts;
    private @Nullable NodeAnnouncer announcer;
    private @Nullable Adoption adoption;
    private boolean draining;

    /** The verticle of the node that {@code redis} names; it measures {@code clock} when it starts. */
    public NodeVerticle(
            MysqlSettings mysql,
            RedisSettings redis,
            DatabaseClock clock,
            ClusterView cluster,
            AdoptionMeter adoptions) {
        this.mysql = mysql;
        this.redis = redis;
        this.clock = clock;
        this.cluster = cluster;
        this.adoptions = adoptions;
    }

    @Override
    public Future<?> start() {
        Connections opened = new Connections(vertx, mysql);
        connections = opened;
        calls = new RedisCalls(vertx, redis);
        vertx.setPeriodic(
                DatabaseClock.MEASURE_EVERY_MS,
                measure -> clock.measure(opened)
                        .onFailure(failure -> log.warn("database clock not measured: {}", failure.toString())));
        return clock.measure(opened);
    }

    /** From now on the node is found under {@code advertiseAddr}, and its due timers are looked for. */
    public Future<Void> announce(String advertiseAddr, CommandRouter router) {
        return Future.future(announcedOnce -> context.runOnContext(turn -> {
            CellLoop loop = new VertxCellLoop(vertx, context);
            NodeDirectory nodes = new RedisNodeDirectory(Objects.requireNonNull(calls), redis);
            announcer = new NodeAnnouncer(loop, nodes, cluster, advertiseAddr, redis.leaseTtlMs());
            timeouts = new TimeoutWorker(
                    loop,
                    new MysqlTimerStore(Objects.requireNonNull(connections)),
                    clock,
                    router,
                    redis.nodeId(),
                    redis.leaseTtlMs());
            announcer.announce().onSuccess(announced -> adopt(loop, router)).onComplete(announcedOnce);
        }));
    }

    private void adopt(CellLoop loop, CommandRouter router) {
        adoption = new Adoption(
                loop,
                new MysqlLiveRoomStore(Objects.requireNonNull(connections)),
                clock,
                router,
                cluster,
                redis.nodeId(),
                redis.leaseTtlMs(),
                adoptions);
        adoption.pause(draining);
    }

    /**
     * The others are told whether this node takes no room any more; then it neither adopts rooms nor heeds timers, which
     * are left to them (LEASE-10). Before {@link #announce} there is nobody to be told: they hear it with that.
     */
    public Future<Void> announceDraining(boolean draining) {
        return Future.future(announcedOnce -> context.runOnContext(turn -> {
            this.draining = draining;
            if (timeouts != null) {
                timeouts.pause(draining);
            }
            if (adoption != null) {
                adoption.pause(draining);
            }
            (announcer == null ? Future.<Void>succeededFuture() : announcer.announceDraining(draining))
                    .onComplete(announcedOnce);
        }));
    }

    /** The node is found no more, and looks for no timers. */
    public Future<Void> withdraw() {
        return Future.future(withdrawn -> context.runOnContext(turn -> {
            if (adoption != null) {
                adoption.stop();
            }
            if (timeouts != null) {
                timeouts.stop();
            }
            (announcer == null ? Future.<Void>succeededFuture() : announcer.withdraw()).onComplete(withdrawn);
        }));
    }

    /** Fails unless MySQL and Redis both answer. */
    public Future<Void> checkBackends() {
        return Future.future(checked -> context.runOnContext(turn -> Future.all(
                        clock.measure(Objects.requireNonNull(connections)),
                        Objects.requireNonNull(calls).ping())
                .<Void>mapEmpty()
                .onComplete(checked)));
    }

    @Override
    public Future<?> stop() {
        return Future.join(
                Objects.requireNonNull(connections).close(),
                Objects.requireNonNull(calls).close());
    }
}
