package dev.roomcell.verticle;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.DatabaseClock;
import dev.roomcell.adapter.mysql.MysqlCommandStore;
import dev.roomcell.adapter.mysql.MysqlRoomListStore;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.mysql.MysqlSnapshotStore;
import dev.roomcell.adapter.mysql.MysqlTimerStore;
import dev.roomcell.adapter.redis.RedisCalls;
import dev.roomcell.adapter.redis.RedisLeaseDirectory;
import dev.roomcell.adapter.redis.RedisNodeDirectory;
import dev.roomcell.adapter.redis.RedisSettings;
import dev.roomcell.cell.CellPorts;
import dev.roomcell.cell.CellSettings;
import dev.roomcell.cell.CellShard;
import dev.roomcell.cell.ClusterView;
import dev.roomcell.cell.DisplayPorts;
import dev.roomcell.cell.SideTaskPorts;
import dev.roomcell.port.CellMeter;
import dev.roomcell.port.DisplayMeter;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.RtcControl;
import dev.roomcell.port.TokenSource;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One event loop's rooms, with a MySQL connection set and Redis connections of their own. */
public final class RoomVerticle extends VerticleBase {
    private final MysqlSettings mysql;
    private final RedisSettings redis;
    private final CellSettings settings;
    private final ClusterView cluster;
    private final DatabaseClock clock;
    private final TokenSource tokens;
    private final GiftServices.Settings gifts;
    private final ImServices.Settings im;
    private final Optional<RtcControl> rtc;
    private final LaneMeter laneMeter;
    private final DisplayMeter displayMeter;
    private final CellMeter cellMeter;
    private final LoopLag lag;
    private @Nullable ImServices imServices;
    private @Nullable GiftServices giftServices;
    private @Nullable Connections connections;
    private @Nullable RedisCalls calls;
    private @Nullable CellShard shard;

    /**
     * A verticle without a room yet; {@code clock} must have been measured.
     *
     * @param gifts where the wallet is
     * @param im where messages to rooms go, and what robots show
     * @param rtc who takes users out of RTC rooms, on every loop; empty: nobody
     * @param laneMeter hears what becomes of them, on every loop
     * @param displayMeter hears what becomes of what robots show, on every loop
     * @param cellMeter hears what the rooms do, on every loop
     * @param lag measures the loop
     */
    public RoomVerticle(
            MysqlSettings mysql,
            RedisSettings redis,
            CellSettings settings,
            ClusterView cluster,
            DatabaseClock clock,
            TokenSource tokens,
            GiftServices.Settings gifts,
            ImServices.Settings im,
            Optional<RtcControl> rtc,
            LaneMeter laneMeter,
            DisplayMeter displayMeter,
            CellMeter cellMeter,
            LoopLag lag) {
        this.mysql = mysql;
        this.redis = redis;
        this.settings = settings;
        this.cluster = cluster;
        this.clock = clock;
        this.tokens = tokens;
        this.gifts = gifts;
        this.im = im;
        this.rtc = rtc;
        this.laneMeter = laneMeter;
        this.displayMeter = displayMeter;
        this.cellMeter = cellMeter;
        this.lag = lag;
    }

    @Override
    public Future<?> start() {
        Connections opened = new Connections(vertx, mysql);
        RedisCalls redisCalls = new RedisCalls(vertx, redis);
        GiftServices services = gifts.open(vertx, clock);
        ImServices clients = im.open(vertx, clock);
        CellPorts ports = new CellPorts(
                redis.nodeId(),
                cluster,
                new RedisLeaseDirectory(redisCalls, redis),
                new RedisNodeDirectory(redisCalls, redis),
                new MysqlCommandStore(opened),
                services.ports(opened, clock),
                new DisplayPorts(clients.displays(), displayMeter),
                new SideTaskPorts(new MysqlTimerStore(opened), rtc, clients.control()),
                new MysqlSnapshotStore(opened),
                new MysqlRoomListStore(opened),
                clients.externals(),
                clients.messenger(),
                laneMeter,
                cellMeter,
                new StoredForm(),
                clock,
                tokens);
        connections = opened;
        imServices = clients;
        giftServices = services;
        calls = redisCalls;
        shard = new CellShard(new VertxCellLoop(vertx, context), ports, settings);
        lag.watch(vertx);
        return Future.succeededFuture();
    }

    /** The rooms, once the verticle is deployed. */
    public CellShard shard() {
        return Objects.requireNonNull(shard, "not deployed");
    }

    @Override
    public Future<?> stop() {
        return Future.join(
                Objects.requireNonNull(imServices).close(),
                Objects.requireNonNull(giftServices).close(),
                Objects.requireNonNull(connections).close(),
                Objects.requireNonNull(calls).close());
    }
}
