package dev.roomcell;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.adapter.eventbus.Cluster;
import dev.roomcell.adapter.grpc.CallLimits;
import dev.roomcell.adapter.grpc.CallMeter;
import dev.roomcell.adapter.grpc.CommandApi;
import dev.roomcell.adapter.grpc.GuardCalls;
import dev.roomcell.adapter.grpc.NodeApi;
import dev.roomcell.adapter.grpc.QueryApi;
import dev.roomcell.adapter.grpc.RoomEntry;
import dev.roomcell.adapter.grpc.RtcReportApi;
import dev.roomcell.adapter.im.DisplayCounters;
import dev.roomcell.adapter.im.LaneCounters;
import dev.roomcell.adapter.mysql.DatabaseClock;
import dev.roomcell.adapter.mysql.Migrations;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.ops.CellCounters;
import dev.roomcell.adapter.redis.RedisSettings;
import dev.roomcell.adapter.tencent.WebhookMeter;
import dev.roomcell.cell.ClusterView;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.cell.NodeDrain;
import dev.roomcell.cell.OutboxSettings;
import dev.roomcell.config.NodeConfig;
import dev.roomcell.config.OutboxConfig;
import dev.roomcell.port.CellMeter;
import dev.roomcell.port.DisplayMeter;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.Members;
import dev.roomcell.port.Peer;
import dev.roomcell.port.TokenSource;
import dev.roomcell.verticle.AdoptionCounters;
import dev.roomcell.verticle.GiftCounters;
import dev.roomcell.verticle.GiftVerticle;
import dev.roomcell.verticle.GrpcVerticle;
import dev.roomcell.verticle.ImServices;
import dev.roomcell.verticle.LoopLag;
import dev.roomcell.verticle.NodeVerticle;
import dev.roomcell.verticle.OpsVerticle;
import dev.roomcell.verticle.OutboxMeter;
import dev.roomcell.verticle.OutboxWorkerVerticle;
import dev.roomcell.verticle.PeerVerticle;
import dev.roomcell.verticle.PurgeCounters;
import dev.roomcell.verticle.PurgeVerticle;
import dev.roomcell.verticle.QueryVerticle;
import dev.roomcell.verticle.Readiness;
import dev.roomcell.verticle.RoomVerticle;
import dev.roomcell.verticle.WebhookVerticle;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.grpc.server.Service;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running node: everything of it, wired and started in order. */
public final class RoomNode {
    private static final Logger log = LoggerFactory.getLogger(RoomNode.class);
    /** A node that restarts is another owner; so many random bytes keep the two apart (LEASE-16). */
    private static final int BOOT_NONCE_BYTES = 6;

    private static final SecureRandom random = new SecureRandom();
    private static final int LEASE_TOKEN_BYTES = 12;
    /** The gauge of loaded rooms is so old at most, ms. */
    private static final long GAUGE_EVERY_MS = 5_000;
    /** Calls that run when the ports close are waited for, ms. */
    private static final long LAST_CALLS_MS = 2_000;
    /** Of the rooms that a stop leaves, so many are named. */
    private static final int MOST_NAMED_ROOMS = 100;

    private final NodeConfig config;
    private final Vertx vertx;
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final DatabaseClock clock = new DatabaseClock(System::nanoTime);
    private final MysqlSettings mysql;
    private final RedisSettings redis;
    private final Members members;
    private final ClusterView view;
    private final Optional<PeerVerticle> peers;
    private final NodeVerticle node;
    private final QueryVerticle queries;
    private final NodeRtc rtc;
    private final List<GrpcVerticle> grpc = new ArrayList<>();
    private final List<OutboxWorkerVerticle> outbox = new ArrayList<>();
    private final ImServices.Settings im;
    private final GiftCounters gifts = new GiftCounters(metrics);
    private final AtomicInteger loadedRooms = new AtomicInteger();
    private @Nullable CommandRouter router;
    private @Nullable NodeDrain drain;
    private @Nullable OpsVerticle ops;
    private volatile boolean ready;

    private RoomNode(NodeConfig config, String nodeId, Vertx vertx, Optional<Cluster> cluster) {
        this.config = config;
        this.vertx = vertx;
        this.peers = cluster.map(joined -> new PeerVerticle(joined::onChange, metrics, clock));
        this.members = cluster.<Members>map(joined -> joined).orElse(() -> Set.of(nodeId));
        this.view = new ClusterView(nodeId, members);
        this.mysql = NodeSettings.mysql(config);
        this.redis = NodeSettings.redis(config, nodeId);
        this.node = new NodeVerticle(mysql, redis, clock, view, new AdoptionCounters(metrics));
        this.queries = new QueryVerticle(mysql);
        this.rtc = new NodeRtc(config.rtc(), vertx, mysql, clock, metrics);
        this.im = NodeSettings.im(config, metrics, () -> members.now().size());
    }

    /**
     * Migrates the schema if the configuration says so (this blocks), then starts a node; the future completes when
     * every server listens. A node that can't start leaves nothing running.
     */
    public static Future<RoomNode> start(NodeConfig config) {
        if (config.mysql().migrateAtStart()) {
            int scripts = Migrations.migrate(NodeSettings.mysql(config));
            log.info("schema up to date, {} migrations run", scripts);
        }
        log.info("configuration {}", config.describe());
        if (config.gifts().voidAfterMs() <= 2 * config.request().maxDeadlineMs()) {
            log.warn(
                    "gifts.void_after_ms {} is not more than twice request.max_deadline_ms {}: gifts are given up while"
                            + " their callers still wait",
                    config.gifts().voidAfterMs(),
                    config.request().maxDeadlineMs());
        }
        String nodeId = config.node().id() + "." + randomHex(BOOT_NONCE_BYTES);
        VertxOptions options =
                new VertxOptions().setEventLoopPoolSize(config.node().eventLoops());
        if (!config.cluster().isOn()) {
            return start(new RoomNode(config, nodeId, Vertx.vertx(options), Optional.empty()));
        }
        return Cluster.join(NodeSettings.cluster(config.cluster(), nodeId), options)
                .compose(joined -> start(new RoomNode(config, nodeId, joined.vertx(), Optional.of(joined))));
    }

    private static Future<RoomNode> start(RoomNode started) {
        // Of no context: its own would be gone with the node that did not start.
        Promise<RoomNode> outcome = Promise.promise();
        started.deploy()
                .onSuccess(deployed -> outcome.complete(started))
                .onFailure(failure -> started.vertx.close().onComplete(closed -> outcome.fail(failure)));
        return outcome.future();
    }

    private Future<Void> deploy() {
        List<RoomVerticle> rooms = new ArrayList<>();
        TokenSource tokens = () -> randomHex(LEASE_TOKEN_BYTES);
        LaneMeter messages = new LaneCounters(metrics);
        DisplayMeter displays = new DisplayCounters(metrics);
        CellMeter cells = new CellCounters(metrics);
        LoopLag lag = new LoopLag(metrics, System::nanoTime);
        for (int i = 0; i < config.node().eventLoops(); i++) {
            rooms.add(new RoomVerticle(
                    mysql,
                    redis,
                    NodeSettings.cells(config),
                    view,
                    clock,
                    tokens,
                    NodeSettings.giftServices(config, metrics),
                    im,
                    rtc.control(),
                    messages,
                    displays,
                    cells,
                    lag));
        }
        return vertx.deployVerticle(node)
                .compose(measured -> vertx.deployVerticle(queries))
                .compose(asked ->
                        peers.<Future<String>>map(vertx::deployVerticle).orElseGet(Future::succeededFuture))
                .compose(linked ->
                        Future.all(rooms.stream().map(vertx::deployVerticle).toList()))
                .compose(deployed -> serve(new CommandRouter(
                        rooms.stream().map(RoomVerticle::shard).toList())));
    }

    private Future<Void> serve(CommandRouter rooms) {
        router = rooms;
        meter(rooms);
        NodeDrain leaving = new NodeDrain(rooms, clock, node::announceDraining);
        CallLimits limits = new CallLimits(
                config.grpc().maxMessageBytes(),
                config.request().defaultDeadlineMs(),
                config.request().maxDeadlineMs());
        CallMeter meter = new CallMeter(metrics, System::nanoTime);
        RoomEntry entry =
                peers.map(link -> RoomEntry.among(nodeId(), link, clock)).orElseGet(RoomEntry::alone);
        List<Service> services =
                new ArrayList<>(QueryApi.services(rooms, entry, queries.queries(), clock, limits, meter));
        services.add(CommandApi.service(
                rooms, entry, new StoredForm(), clock, config.presence().heartbeatEveryMs(), limits, meter));
        services.add(NodeApi.service(() -> new Peer(nodeId(), advertiseAddr()), members, leaving, limits, meter));
        GrpcVerticle.Settings listen = new GrpcVerticle.Settings(
                config.grpc().host(),
                config.grpc().port(),
                config.grpc().maxMessageBytes(),
                config.grpc().maxStreamsPerConnection());
        for (int i = 0; i < config.node().eventLoops(); i++) {
            grpc.add(new GrpcVerticle(listen, services, () -> isReady(leaving)));
        }
        OpsVerticle operators = new OpsVerticle(
                config.ops().host(), config.ops().port(), metrics, () -> checkReady(leaving), rooms::release);
        ops = operators;
        return Future.all(grpc.stream().map(vertx::deployVerticle).toList())
                .compose(listening -> rtc.listen(RtcReportApi.over(rooms, entry, new StoredForm(), clock)))
                .compose(listening -> vertx.deployVerticle(operators))
                .compose(listening -> peers.map(link -> link.listen(new Peer(nodeId(), advertiseAddr()), entry::serve))
                        .orElseGet(Future::succeededFuture))
                .compose(listening -> node.announce(advertiseAddr(), rooms))
                .compose(announced -> deployWebhook(entry))
                .compose(listening -> deployOutbox())
                .compose(delivering -> deployGifts())
                .compose(seen -> vertx.deployVerticle(new PurgeVerticle(
                        nodeId(),
                        mysql,
                        view,
                        NodeSettings.purge(config),
                        new PurgeCounters(metrics),
                        random::nextInt)))
                .<Void>mapEmpty()
                .onSuccess(delivering -> {
                    drain = leaving;
                    ready = true;
                });
    }

    private boolean isReady(NodeDrain leaving) {
        return ready && leaving.state() == NodeDrain.State.SERVING;
    }

    private Future<Void> deployWebhook(RoomEntry entry) {
        WebhookMeter meter = new WebhookMeter(metrics);
        if (!config.webhook().isOn()) {
            return Future.succeededFuture();
        }
        return vertx.deployVerticle(
                        new WebhookVerticle(NodeSettings.webhook(config), mysql, new GuardCalls(entry), clock, meter))
                .mapEmpty();
    }

    private Future<Void> deployOutbox() {
        OutboxConfig wanted = config.outbox();
        RedisSettings streams = NodeSettings.streams(wanted, redis);
        OutboxSettings settings = NodeSettings.outbox(wanted);
        for (int i = 0; i < wanted.workers(); i++) {
            outbox.add(new OutboxWorkerVerticle(
                    redis.nodeId() + ".w" + i,
                    mysql,
                    streams,
                    wanted.streamMaxLength(),
                    settings,
                    clock,
                    () -> randomHex(LEASE_TOKEN_BYTES),
                    random::nextInt));
        }
        return Future.all(outbox.stream().map(vertx::deployVerticle).toList())
                .onSuccess(deployed -> OutboxMeter.register(metrics, outbox))
                .mapEmpty();
    }

    private Future<Void> deployGifts() {
        // Without a wallet too: what is open then must be seen all the more.
        GiftVerticle reconciler = new GiftVerticle(
                mysql, NodeSettings.giftServices(config, metrics), NodeSettings.gifts(config), im, clock, gifts);
        return vertx.deployVerticle(reconciler).mapEmpty();
    }

    private void meter(CommandRouter rooms) {
        Gauge.builder("room.loaded", loadedRooms, AtomicInteger::get)
                .description("rooms loaded on this node")
                .register(metrics);
        vertx.setPeriodic(0, GAUGE_EVERY_MS, look -> rooms.loadedRooms().onSuccess(loadedRooms::set));
        new JvmMemoryMetrics().bindTo(metrics);
        new ProcessorMetrics().bindTo(metrics);
        // Its listeners end with the JVM, as the node does.
        new JvmGcMetrics().bindTo(metrics);
    }

    private static String randomHex(int bytes) {
        byte[] drawn = new byte[bytes];
        random.nextBytes(drawn);
        return HexFormat.of().formatHex(drawn);
    }

    private Future<Readiness> checkReady(NodeDrain leaving) {
        return node.checkBackends().map(backends -> {
            Optional<String> trouble = isReady(leaving)
                    ? Optional.empty()
                    : Optional.of(leaving.state() == NodeDrain.State.SERVING ? "starting" : "draining");
            return Readiness.of(
                    new Readiness.Part("node", trouble),
                    backends,
                    List.of(
                            new Readiness.Part("im", im.share().health().trouble()),
                            new Readiness.Part("gifts", gifts.trouble())));
        });
    }

    /** Where others reach the node, {@code host:port}. */
    public String advertiseAddr() {
        return config.node().advertiseAddr().isEmpty()
                ? config.grpc().host() + ":" + grpcPort()
                : config.node().advertiseAddr();
    }

    /** The gRPC port it listens on. */
    public int grpcPort() {
        return grpc.get(0).port();
    }

    /** The operators' port it listens on. */
    public int opsPort() {
        return Objects.requireNonNull(ops).port();
    }

    /** The port that it takes callbacks of RTC on; empty if it takes none. */
    public Optional<Integer> rtcPort() {
        return rtc.port();
    }

    /** The node's id, with its boot nonce. */
    public String nodeId() {
        return redis.nodeId();
    }

    /**
     * Ends in order: the others are told, every room is let go and every fact, calls that came here all the same are sent
     * on and answered, then the ports close (LEASE-10). Ends all the same when the configured deadline is over.
     *
     * @return whether nothing was left behind
     */
    public Future<Boolean> stop() {
        ready = false;
        NodeDrain leaving = drain;
        Future<Void> left = leaving == null ? Future.succeededFuture() : inOrder(leaving);
        return left.map(true)
                .recover(failure -> {
                    log.warn("not everything was left in order: {}", failure.toString());
                    return Future.succeededFuture(false);
                })
                .compose(ordered -> vertx.close().map(ordered));
    }

    private Future<Void> inOrder(NodeDrain leaving) {
        Future<Void> gone = leaving.beginForGood()
                .compose(drained -> linger())
                .compose(over -> Objects.requireNonNull(router).shutDown())
                .timeout(config.drain().deadlineMs(), TimeUnit.MILLISECONDS)
                .recover(late -> nameRoomsLeft().transform(named -> Future.failedFuture(late)));
        return gone.eventually(() -> Future.join(
                        outbox.stream().map(OutboxWorkerVerticle::finish).toList()))
                .eventually(() -> rtc.finish(LAST_CALLS_MS))
                .eventually(() -> Future.join(
                        grpc.stream().map(port -> port.finish(LAST_CALLS_MS)).toList()))
                .eventually(node::withdraw);
    }

    /** For whoever looks for them: others take them when their leases have run out. */
    private Future<Void> nameRoomsLeft() {
        return Objects.requireNonNull(router)
                .rooms()
                .timeout(LAST_CALLS_MS, TimeUnit.MILLISECONDS)
                .onSuccess(left -> log.warn(
                        "not let go by the deadline, {} rooms: {}",
                        left.size(),
                        left.subList(0, Math.min(left.size(), MOST_NAMED_ROOMS))))
                .onFailure(stuck -> log.warn("not let go by the deadline, unknown rooms: {}", stuck.toString()))
                .mapEmpty();
    }

    private Future<Void> linger() {
        long ms = config.drain().lingerMs();
        return ms == 0
                ? Future.succeededFuture()
                : vertx.timer(ms, TimeUnit.MILLISECONDS).mapEmpty();
    }
}
