package dev.roomcell.verticle;

import dev.roomcell.adapter.grpc.AddressCheck;
import dev.roomcell.adapter.grpc.AddressCheck.StrangerException;
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
import dev.roomcell.port.Peer;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a node does once, whatever its loops: measure the clock, say that it lives, look for due timers and lost rooms. */
public final class NodeVerticle extends VerticleBase {
    private static final Logger log = LoggerFactory.getLogger(NodeVerticle.class);
    /** A load balancer over two nodes passes so many with a chance of one in sixteen. */
    private static final int FIRST_MEETINGS = 4;

    private final MysqlSettings mysql;
    private final RedisSettings redis;
    private final DatabaseClock clock;
    /** Why others may not reach this node; empty if they do. */
    private volatile String addressTrouble = "";

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

    /**
     * From now on the node is found under {@code advertiseAddr}, and its due timers are looked for. Fails if it does not
     * meet itself there (LEASE-5); that it still does is looked at again and again.
     */
    public Future<Void> announce(String advertiseAddr, CommandRouter router) {
        AddressCheck check = new AddressCheck(vertx, new Peer(redis.nodeId(), advertiseAddr));
        return check.meetSelf(FIRST_MEETINGS)
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        failure instanceof StrangerException
                                ? failure.getMessage()
                                : "node.advertise_addr " + advertiseAddr + ": this node does not reach itself there: "
                                        + failure.getMessage(),
                        failure)))
                .compose(met -> announceChecked(advertiseAddr, router))
                .onSuccess(announced ->
                        vertx.setPeriodic(redis.leaseTtlMs() / 3, again -> meetAgain(check, advertiseAddr)));
    }

    /** Silence proves nothing: only another node's answer does. */
    private void meetAgain(AddressCheck check, String advertiseAddr) {
        Optional<String> holder = cluster.holderOf(advertiseAddr);
        Future<Void> met = holder.isEmpty()
                ? check.meetSelf()
                : Future.failedFuture(holder.get() + " has announced " + advertiseAddr + " as its address, too");
        met.onSuccess(meeting -> addressTrouble = "").onFailure(failure -> {
            if (failure instanceof StrangerException || holder.isPresent()) {
                log.error("{}", failure.getMessage());
                addressTrouble = String.valueOf(failure.getMessage());
            }
        });
    }

    private Future<Void> announceChecked(String advertiseAddr, CommandRouter router) {
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

    /** Whether MySQL and Redis answer, in bounded time, and the node is met where others look for it; never fails. */
    public Future<List<Readiness.Part>> checkBackends() {
        String trouble = addressTrouble;
        Future<Void> address = trouble.isEmpty() ? Future.succeededFuture() : Future.failedFuture(trouble);
        return Future.future(checked -> context.runOnContext(turn -> Future.all(
                        Readiness.Part.checked("mysql", clock.measure(Objects.requireNonNull(connections))),
                        Readiness.Part.checked(
                                "redis", Objects.requireNonNull(calls).ping()),
                        Readiness.Part.checked("address", address))
                .map(CompositeFuture::<Readiness.Part>list)
                .onComplete(checked)));
    }

    @Override
    public Future<?> stop() {
        return Future.join(
                Objects.requireNonNull(connections).close(),
                Objects.requireNonNull(calls).close());
    }
}
