package dev.roomcell.verticle;

import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.DatabaseClock;
import dev.roomcell.adapter.mysql.MysqlOutboxStore;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.redis.RedisCalls;
import dev.roomcell.adapter.redis.RedisFactPublisher;
import dev.roomcell.adapter.redis.RedisSettings;
import dev.roomcell.cell.OutboxSettings;
import dev.roomcell.cell.OutboxWorker;
import dev.roomcell.port.TokenSource;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** One outbox worker, with connections of its own to MySQL and to the streams. */
public final class OutboxWorkerVerticle extends VerticleBase {
    private final String workerId;
    private final MysqlSettings mysql;
    private final RedisSettings streams;
    private final long streamMaxLength;
    private final OutboxSettings settings;
    private final DatabaseClock clock;
    private final TokenSource tokens;
    private final IntUnaryOperator below;
    private @Nullable Connections connections;
    private @Nullable RedisCalls calls;
    private volatile @Nullable OutboxWorker worker;

    /**
     * A worker that begins when it is deployed.
     *
     * @param workerId 1..64 ASCII characters, unlike any other start's of any worker
     * @param streams where the streams are, and how long they may take to answer
     * @param streamMaxLength about so many entries are kept in a stream
     * @param below of n: a random number from 0 to n - 1
     */
    public OutboxWorkerVerticle(
            String workerId,
            MysqlSettings mysql,
            RedisSettings streams,
            long streamMaxLength,
            OutboxSettings settings,
            DatabaseClock clock,
            TokenSource tokens,
            IntUnaryOperator below) {
        this.workerId = workerId;
        this.mysql = mysql;
        this.streams = streams;
        this.streamMaxLength = streamMaxLength;
        this.settings = settings;
        this.clock = clock;
        this.tokens = tokens;
        this.below = below;
    }

    @Override
    public Future<?> start() {
        Connections opened = new Connections(vertx, mysql);
        RedisCalls redis = new RedisCalls(vertx, streams);
        connections = opened;
        calls = redis;
        worker = new OutboxWorker(
                workerId,
                new VertxCellLoop(vertx, context),
                new MysqlOutboxStore(opened),
                new RedisFactPublisher(redis, streams, streamMaxLength),
                clock,
                tokens,
                below,
                settings);
        return Future.succeededFuture();
    }

    /** What the worker has done so far; any thread may ask, once the verticle is deployed. */
    public OutboxWorker.Figures figures() {
        return Objects.requireNonNull(worker, "not deployed").figures();
    }

    /** Finishes the batch that is under way and begins nothing more. */
    public Future<Void> finish() {
        OutboxWorker running = worker;
        return running == null
                ? Future.succeededFuture()
                : Future.future(
                        finished -> context.runOnContext(turn -> running.stop().onComplete(finished)));
    }

    @Override
    public Future<?> stop() {
        return Future.join(
                Objects.requireNonNull(connections).close(),
                Objects.requireNonNull(calls).close());
    }
}
