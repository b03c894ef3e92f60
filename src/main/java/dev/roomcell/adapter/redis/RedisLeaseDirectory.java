package dev.roomcell.adapter.redis;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LeaseDirectory;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The room routes in Redis, under {@code prefix + app_code + NUL + room_id} (LEASE-2). */
public final class RedisLeaseDirectory implements LeaseDirectory {
    private final RedisCalls redis;
    private final RedisSettings settings;

    /** This node's view of the routes. */
    public RedisLeaseDirectory(RedisCalls redis, RedisSettings settings) {
        this.redis = redis;
        this.settings = settings;
    }

    private String route(RoomKey key) {
        return settings.keyPrefix() + key.routeKey();
    }

    private String ttl() {
        return Long.toString(settings.leaseTtlMs());
    }

    @Override
    public Future<Acquisition> acquire(RoomKey key, String token) {
        return redis.run(LeaseScripts.ACQUIRE, List.of(route(key)), List.of(settings.nodeId(), token, ttl()))
                .map(response -> {
                    String owner = Objects.requireNonNull(response).toString();
                    return owner.equals(settings.nodeId())
                            ? new Acquisition.Acquired()
                            : new Acquisition.OwnedBy(owner);
                });
    }

    @Override
    public Future<Boolean> recordEpoch(RoomKey key, String token, long epoch) {
        List<String> arguments = List.of(settings.nodeId(), token, Long.toString(epoch), ttl());
        return redis.run(LeaseScripts.RECORD_EPOCH, List.of(route(key)), arguments)
                .map(response -> Objects.requireNonNull(response).toLong() == 1);
    }

    @Override
    public Future<List<Renewal>> renew(List<Renew> leases) {
        List<String> keys = new ArrayList<>(leases.size());
        List<String> arguments = new ArrayList<>(2 + 2 * leases.size());
        arguments.add(settings.nodeId());
        arguments.add(ttl());
        for (Renew lease : leases) {
            keys.add(route(lease.key()));
            arguments.add(Long.toString(lease.epoch()));
            arguments.add(lease.newToken());
        }
        return redis.run(LeaseScripts.RENEW, keys, arguments)
                .map(response -> each(response, answer -> {
                    if (answer == 0) {
                        return Renewal.ABSENT;
                    }
                    return answer > 0 ? Renewal.KEPT : Renewal.LOST;
                }));
    }

    @Override
    public Future<List<Boolean>> verify(List<Proof> proofs) {
        List<String> keys = new ArrayList<>(proofs.size());
        List<String> arguments = new ArrayList<>(1 + 2 * proofs.size());
        arguments.add(settings.nodeId());
        for (Proof proof : proofs) {
            keys.add(route(proof.key()));
            arguments.add(Long.toString(proof.epoch()));
            arguments.add(" " + String.join(" ", proof.tokens()) + " ");
        }
        return redis.run(LeaseScripts.VERIFY, keys, arguments).map(response -> each(response, answer -> answer == 1));
    }

    private static <T> List<T> each(@Nullable Response response, LongFunction<T> read) {
        List<T> answers = new ArrayList<>();
        for (Response answer : Objects.requireNonNull(response)) {
            answers.add(read.apply(answer.toLong()));
        }
        return answers;
    }

    @Override
    public Future<Void> release(RoomKey key, long epoch) {
        return redis.run(LeaseScripts.RELEASE, List.of(route(key)), List.of(settings.nodeId(), Long.toString(epoch)))
                .mapEmpty();
    }
}
