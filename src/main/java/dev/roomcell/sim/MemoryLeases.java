package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.NodeDirectory;
import dev.roomcell.port.Peer;
import dev.roomcell.sim.MemoryRedis.Value.Lease;
import dev.roomcell.sim.MemoryRedis.Value.Node;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One node's view of a shared {@link MemoryRedis}: the leases and the live nodes. Every call takes effect at once and
 * returns a completed future; what takes time or fails on the way is for whoever stands between. Not thread-safe.
 */
public final class MemoryLeases implements LeaseDirectory, NodeDirectory {
    private final MemoryRedis redis;
    private final String nodeId;
    private final long ttlMs;

    /**
     * The view of one node.
     *
     * @param redis shared with the other nodes
     * @param nodeId this node's id, with its boot nonce (LEASE-16)
     * @param ttlMs how long a lease and the node's own entry live without renewal, ms
     */
    public MemoryLeases(MemoryRedis redis, String nodeId, long ttlMs) {
        this.redis = redis;
        this.nodeId = nodeId;
        this.ttlMs = ttlMs;
    }

    private Optional<Lease> lease(RoomKey key) {
        return redis.get(key.routeKey()).filter(Lease.class::isInstance).map(Lease.class::cast);
    }

    private Optional<Lease> ownLease(RoomKey key) {
        return lease(key).filter(lease -> lease.nodeId().equals(nodeId));
    }

    private void put(RoomKey key, long epoch, String token) {
        redis.set(key.routeKey(), new Lease(nodeId, epoch, token), ttlMs);
    }

    @Override
    public Future<Acquisition> acquire(RoomKey key, String token) {
        Optional<Lease> there = lease(key);
        if (there.isPresent() && ownLease(key).isEmpty()) {
            return Future.succeededFuture(new Acquisition.OwnedBy(there.get().nodeId()));
        }
        put(key, there.map(Lease::epoch).orElse(0L), token);
        return Future.succeededFuture(new Acquisition.Acquired());
    }

    @Override
    public Future<Boolean> recordEpoch(RoomKey key, String token, long epoch) {
        boolean ours = ownLease(key).filter(lease -> lease.epoch() < epoch).isPresent();
        if (ours) {
            put(key, epoch, token);
        }
        return Future.succeededFuture(ours);
    }

    @Override
    public Future<List<Renewal>> renew(List<Renew> leases) {
        return Future.succeededFuture(leases.stream().map(this::renewal).toList());
    }

    private Renewal renewal(Renew wish) {
        if (lease(wish.key()).isEmpty()) {
            return Renewal.ABSENT;
        }
        if (ownLease(wish.key()).filter(lease -> lease.epoch() == wish.epoch()).isEmpty()) {
            return Renewal.LOST;
        }
        put(wish.key(), wish.epoch(), wish.newToken());
        return Renewal.KEPT;
    }

    @Override
    public Future<List<Boolean>> verify(List<Proof> proofs) {
        return Future.succeededFuture(proofs.stream().map(this::holds).toList());
    }

    private boolean holds(Proof proof) {
        return ownLease(proof.key())
                .filter(lease -> lease.epoch() == proof.epoch())
                .filter(lease -> proof.tokens().contains(lease.token()))
                .isPresent();
    }

    @Override
    public Future<Void> release(RoomKey key, long epoch) {
        ownLease(key).filter(lease -> lease.epoch() == epoch).ifPresent(lease -> redis.delete(key.routeKey()));
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> announce(String advertiseAddr, boolean draining) {
        redis.set(nodeKey(nodeId), new Node(new Announced(new Peer(nodeId, advertiseAddr), draining)), ttlMs);
        return Future.succeededFuture();
    }

    @Override
    public Future<List<Announced>> find(Collection<String> nodeIds) {
        return Future.succeededFuture(nodeIds.stream()
                .flatMap(id -> redis.get(nodeKey(id)).stream())
                .filter(Node.class::isInstance)
                .map(value -> ((Node) value).announced())
                .toList());
    }

    @Override
    public Future<Void> withdraw() {
        redis.delete(nodeKey(nodeId));
        return Future.succeededFuture();
    }

    private static String nodeKey(String nodeId) {
        return "room:node:" + nodeId;
    }
}
