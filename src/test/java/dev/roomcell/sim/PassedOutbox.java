package dev.roomcell.sim;

import dev.roomcell.port.OutboxStore;
import io.vertx.core.Future;
import java.util.List;

/** An outbox that passes everything on; to be told what it does otherwise. */
class PassedOutbox implements OutboxStore {
    private final OutboxStore right;

    PassedOutbox(OutboxStore right) {
        this.right = right;
    }

    @Override
    public Future<List<Integer>> lease(String workerId, long leaseMs) {
        return right.lease(workerId, leaseMs);
    }

    @Override
    public Future<Void> release(String workerId) {
        return right.release(workerId);
    }

    @Override
    public Future<Claim> claim(ClaimRequest request) {
        return right.claim(request);
    }

    @Override
    public Future<Integer> finish(String claimToken, List<Finish> finishes) {
        return right.finish(claimToken, finishes);
    }

    @Override
    public Future<Integer> purge(long keptMs, int limit) {
        return right.purge(keptMs, limit);
    }

    @Override
    public Future<Backlog> backlog(List<Integer> partitions) {
        return right.backlog(partitions);
    }
}
