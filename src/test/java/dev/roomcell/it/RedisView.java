package dev.roomcell.it;

import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of one prefix in Redis, seen past every node. */
final class RedisView implements AutoCloseable {
    private final Redis redis;
    private final String prefix;

    RedisView(Vertx vertx, Backends backends) {
        this.redis = Redis.createClient(
                vertx, "redis://127.0.0.1:" + backends.servers().redisPort());
        this.prefix = backends.redisPrefix();
    }

    /** All keys, without the prefix. */
    List<String> keys() {
        Response found = send(Request.cmd(Command.KEYS).arg(prefix + "*"));
        List<String> keys = new ArrayList<>();
        if (found != null) {
            found.forEach(key -> keys.add(key.toString().substring(prefix.length())));
        }
        return keys;
    }

    /** The text under a key. */
    @Nullable
    String text(String key) {
        Response value = send(Request.cmd(Command.GET).arg(prefix + key));
        return value == null ? null : value.toString();
    }

    /** How long a key lives on, ms; negative: for ever, or it is not there. */
    long ttlMs(String key) {
        Response ttl = send(Request.cmd(Command.PTTL).arg(prefix + key));
        return ttl == null ? -2 : ttl.toLong();
    }

    /** What a flush does, to the keys of this prefix alone. */
    void flush() {
        keys().forEach(key -> send(Request.cmd(Command.DEL).arg(prefix + key)));
    }

    private @Nullable Response send(Request request) {
        return Await.result(redis.send(request));
    }

    @Override
    public void close() {
        Await.result(redis.close());
    }
}
