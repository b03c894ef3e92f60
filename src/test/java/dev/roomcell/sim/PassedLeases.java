package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LeaseDirectory;
import io.vertx.core.Future;
import java.util.List;

/** Passes every call on; a flaw overrides what it does otherwise. */
class PassedLeases implements LeaseDirectory {
    final LeaseDirectory right;

    PassedLeases(LeaseDirectory right) {
        this.right = right;
    }

    @Override
    public Future<Acquisition> acquire(RoomKey key, String token) {
        return right.acquire(key, token);
    }

    @Override
    public Future<Boolean> recordEpoch(RoomKey key, String token, long epoch) {
        return right.recordEpoch(key, token, epoch);
    }

    @Override
    public Future<List<Renewal>> renew(List<Renew> leases) {
        return right.renew(leases);
    }

    @Override
    public Future<List<Boolean>> verify(List<Proof> proofs) {
        return right.verify(proofs);
    }

    @Override
    public Future<Void> release(RoomKey key, long epoch) {
        return right.release(key, epoch);
    }
}
