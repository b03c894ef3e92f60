package dev.roomcell.sim;

import dev.roomcell.port.OutboxStore;
import io.vertx.core.Future;
import java.util.List;

/** One node's way to a shared outbox, with a tap on it. */
public final class WiredOutbox implements OutboxStore {
    private final OutboxStore outbox;
    private final PortTap tap;

    /** The way to {@code outbox} that {@code tap} is on. */
    public WiredOutbox(OutboxStore outbox, PortTap tap) {
        this.outbox = outbox;
        this.tap = tap;
    }

    @Override
    public Future<List<Integer>> lease(String workerId, long leaseMs) {
        return tap.pass(Call.LEASE_PARTITIONS, workerId, () -> outbox.lease(workerId, leaseMs));
    }

    @Override
    public Future<Void> release(String workerId) {
        return tap.pass(Call.RELEASE_PARTITIONS, workerId, () -> outbox.release(workerId));
    }

    @Override
    public Future<Claim> claim(ClaimRequest request) {
        return tap.pass(Call.CLAIM_FACTS, request.workerId(), () -> outbox.claim(request));
    }

    @Override
    public Future<Integer> finish(String claimToken, List<Finish> finishes) {
        return tap.pass(Call.FINISH_FACTS, finishes.size() + " facts", () -> outbox.finish(claimToken, finishes));
    }

    @Override
    public Future<Integer> purge(long keptMs, int limit) {
        return tap.pass(Call.PURGE_FACTS, "", () -> outbox.purge(keptMs, limit));
    }

    @Override
    public Future<Backlog> backlog(List<Integer> partitions) {
        return tap.pass(Call.BACKLOG, "", () -> outbox.backlog(partitions));
    }
}
