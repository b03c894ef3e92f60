package dev.roomcell.adapter.redis;

import dev.roomcell.port.NodeDirectory;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Optional;

/** The nodes' addresses in Redis, under {@code prefix + room:node:{node_id}} (LEASE-3). */
public final class RedisNodeDirectory implements NodeDirectory {
    private final RedisCalls redis;
    private final RedisSettings settings;

    /** This node's entry, and the others'. */
    public RedisNodeDirectory(RedisCalls redis, RedisSettings settings) {
        this.redis = redis;
        this.settings = settings;
    }

    private String key(String nodeId) {
        return settings.keyPrefix() + "room:node:" + nodeId;
    }

    @Override
    public Future<Void> announce(String advertiseAddr) {
        return redis.send(Request.cmd(Command.SET)
                        .arg(key(settings.nodeId()))
                        .arg(advertiseAddr)
                        .arg("PX")
                        .arg(settings.leaseTtlMs()))
                .mapEmpty();
    }

    @Override
    public Future<Optional<String>> addressOf(String nodeId) {
        return redis.send(Request.cmd(Command.GET).arg(key(nodeId)))
                .map(response -> Optional.ofNullable(response).map(Response::toString));
    }

    @Override
    public Future<Void> withdraw() {
        return redis.send(Request.cmd(Command.DEL).arg(key(settings.nodeId()))).mapEmpty();
    }
}
