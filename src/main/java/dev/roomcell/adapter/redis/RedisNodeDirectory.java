package dev.roomcell.adapter.redis;

import dev.roomcell.port.NodeDirectory;
import dev.roomcell.port.Peer;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The nodes' addresses in Redis, under {@code prefix + room:node:{node_id}} (LEASE-3). */
public final class RedisNodeDirectory implements NodeDirectory {
    /** Behind the address of a node that takes no room any more. */
    private static final String DRAINING = " draining";

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
    public Future<Void> announce(String advertiseAddr, boolean draining) {
        return redis.send(Request.cmd(Command.SET)
                        .arg(key(settings.nodeId()))
                        .arg(draining ? advertiseAddr + DRAINING : advertiseAddr)
                        .arg("PX")
                        .arg(settings.leaseTtlMs()))
                .mapEmpty();
    }

    @Override
    public Future<List<Announced>> find(Collection<String> nodeIds) {
        if (nodeIds.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        List<String> asked = List.copyOf(nodeIds);
        Request get = Request.cmd(Command.MGET);
        asked.forEach(nodeId -> get.arg(key(nodeId)));
        return redis.send(get).map(values -> {
            List<Announced> found = new ArrayList<>();
            for (int i = 0; i < asked.size(); i++) {
                Response value = values.get(i);
                if (value != null) {
                    found.add(announced(asked.get(i), value.toString()));
                }
            }
            return found;
        });
    }

    private static Announced announced(String nodeId, String value) {
        boolean draining = value.endsWith(DRAINING);
        String address = draining ? value.substring(0, value.length() - DRAINING.length()) : value;
        return new Announced(new Peer(nodeId, address), draining);
    }

    @Override
    public Future<Void> withdraw() {
        return redis.send(Request.cmd(Command.DEL).arg(key(settings.nodeId()))).mapEmpty();
    }
}
