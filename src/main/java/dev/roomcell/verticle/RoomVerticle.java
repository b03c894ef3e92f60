package dev.roomcell.verticle;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.DatabaseClock;
import dev.roomcell.adapter.mysql.MysqlCommandStore;
import dev.roomcell.adapter.mysql.MysqlRoomListStore;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.mysql.MysqlSnapshotStore;
import dev.roomcell.adapter.redis.RedisCalls;
import dev.roomcell.adapter.redis.RedisLeaseDirectory;
import dev.roomcell.adapter.redis.RedisNodeDirectory;
import dev.roomcell.adapter.redis.RedisSettings;
import dev.roomcell.cell.CellPorts;
import dev.roomcell.cell.CellSettings;
import dev.roomcell.cell.CellShard;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.RoomExternals;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.TokenSource;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One event loop's rooms, with a MySQL connection set and Redis connections of their own. */
public final class RoomVerticle extends VerticleBase {
    private final MysqlSettings mysql;
    private final RedisSettings redis;
    private final CellSettings settings;
    private final DatabaseClock clock;
    private final TokenSource tokens;
    private @Nullable Connections connections;
    private @Nullable RedisCalls calls;
    private @Nullable CellShard shard;

    /** A verticle without a room yet; {@code clock} must have been measured. */
    public RoomVerticle(
            MysqlSettings mysql, RedisSettings redis, CellSettings settings, DatabaseClock clock, TokenSource tokens) {
        this.mysql = mysql;
        this.redis = redis;
        this.settings = settings;
        this.clock = clock;
        this.tokens = tokens;
    }

    @Override
    public Future<?> start() {
        Connections opened = new Connections(vertx, mysql);
        RedisCalls redisCalls = new RedisCalls(vertx, redis);
        CellPorts ports = new CellPorts(
                redis.nodeId(),
                new RedisLeaseDirectory(redisCalls, redis),
                new RedisNodeDirectory(redisCalls, redis),
                new MysqlCommandStore(opened),
                new MysqlSnapshotStore(opened),
                new MysqlRoomListStore(opened),
                RoomExternals.none(),
                RoomMessenger.none(),
                LaneMeter.none(),
                new StoredForm(),
                clock,
                tokens);
        connections = opened;
        calls = redisCalls;
        shard = new CellShard(new VertxCellLoop(vertx, context), ports, settings);
        return Future.succeededFuture();
    }

    /** The rooms, once the verticle is deployed. */
    public CellShard shard() {
        return Objects.requireNonNull(shard, "not deployed");
    }

    @Override
    public Future<?> stop() {
        return Future.join(
                Objects.requireNonNull(connections).close(),
                Objects.requireNonNull(calls).close());
    }
}
