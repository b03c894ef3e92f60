package dev.roomcell.contract;

import dev.roomcell.adapter.redis.RedisCalls;
import dev.roomcell.adapter.redis.RedisFactPublisher;
import dev.roomcell.adapter.redis.RedisLeaseDirectory;
import dev.roomcell.adapter.redis.RedisNodeDirectory;
import dev.roomcell.adapter.redis.RedisSettings;
import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.NodeDirectory;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Redis, under a key prefix of its own for a test class, emptied before each test. */
final class RedisBackend implements LeaseBackend, BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    private static final long CALL_TIMEOUT_MS = 10_000;

    private final List<Runnable> closers = new ArrayList<>();
    private @Nullable Opened opened;

    private record Opened(Vertx vertx, String prefix, Redis raw, Directories a, Directories b) {}

    @Override
    public void beforeAll(ExtensionContext context) {
        Vertx vertx = Vertx.vertx();
        closers.add(() -> Await.result(vertx.close()));
        String prefix = SharedServers.newRedisPrefix();
        int port = SharedServers.get().redisPort();
        Redis raw = Redis.createClient(vertx, "redis://127.0.0.1:" + port);
        closers.add(0, () -> Await.result(raw.close()));
        opened = new Opened(
                vertx,
                prefix,
                raw,
                connect(vertx, settings(prefix, port, CALL_TIMEOUT_MS, TTL_MS, NODE_A)),
                connect(vertx, settings(prefix, port, CALL_TIMEOUT_MS, TTL_MS, NODE_B)));
    }

    private static RedisSettings settings(String prefix, int port, long callTimeoutMs, long ttlMs, String nodeId) {
        return new RedisSettings("127.0.0.1", port, "", 0, prefix, callTimeoutMs, ttlMs, nodeId);
    }

    private Directories connect(Vertx vertx, RedisSettings settings) {
        EventLoop loop = EventLoop.of(vertx);
        RedisCalls calls = loop.call(() -> new RedisCalls(vertx, settings));
        closers.add(0, () -> Await.result(loop.call(calls::close)));
        return new Directories(
                loop.port(LeaseDirectory.class, new RedisLeaseDirectory(calls, settings)),
                loop.port(NodeDirectory.class, new RedisNodeDirectory(calls, settings)));
    }

    private Opened opened() {
        Opened now = opened;
        if (now == null) {
            throw new IllegalStateException("register this as a static extension");
        }
        return now;
    }

    Vertx vertx() {
        return opened().vertx;
    }

    String prefix() {
        return opened().prefix;
    }

    /** A further node {@link #NODE_A}, whose connections go through {@code port}; closed with the rest. */
    Directories nodeThrough(int port, long callTimeoutMs, long ttlMs) {
        return connect(vertx(), settings(prefix(), port, callTimeoutMs, ttlMs, NODE_A));
    }

    /** A node's way to the streams, through {@code port}; closed with the rest. */
    FactPublisher publisherThrough(int port, long callTimeoutMs, long streamMaxLength) {
        RedisSettings settings = settings(prefix(), port, callTimeoutMs, TTL_MS, NODE_A);
        EventLoop loop = EventLoop.of(vertx());
        RedisCalls calls = loop.call(() -> new RedisCalls(vertx(), settings));
        closers.add(0, () -> Await.result(loop.call(calls::close)));
        return loop.port(FactPublisher.class, new RedisFactPublisher(calls, settings, streamMaxLength));
    }

    /** What Redis answers to a command given past the adapter. */
    @Nullable
    Response ask(Command command, String... arguments) {
        Request request = Request.cmd(command);
        List.of(arguments).forEach(request::arg);
        return Await.result(opened().raw.send(request));
    }

    private Response answer(Command command, String... arguments) {
        Response response = ask(command, arguments);
        if (response == null) {
            throw new IllegalStateException(command + " has no answer");
        }
        return response;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        keys().forEach(key -> answer(Command.DEL, prefix() + key));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        closers.forEach(Runnable::run);
    }

    @Override
    public Directories nodeA() {
        return opened().a;
    }

    @Override
    public Directories nodeB() {
        return opened().b;
    }

    @Override
    public List<String> keys() {
        List<String> keys = new ArrayList<>();
        answer(Command.KEYS, prefix() + "*")
                .forEach(key -> keys.add(key.toString().substring(prefix().length())));
        return keys.stream().sorted().toList();
    }

    @Override
    public OptionalLong remainingMs(String key) {
        long remaining = answer(Command.PTTL, prefix() + key).toLong();
        // -2: no such key; -1: it never expires, which is no answer that a test may take for one.
        return switch ((int) remaining) {
            case -2 -> OptionalLong.empty();
            case -1 -> OptionalLong.of(Long.MAX_VALUE);
            default -> OptionalLong.of(remaining);
        };
    }

    @Override
    public void letRemain(String key, long ms) {
        answer(Command.PEXPIRE, prefix() + key, Long.toString(ms));
    }
}
