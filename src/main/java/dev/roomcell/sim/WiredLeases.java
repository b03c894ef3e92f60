package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.NodeDirectory;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;

/** One node's way to a shared Redis, with a tap on it. */
public final class WiredLeases implements LeaseDirectory, NodeDirectory {
    private final MemoryLeases leases;
    private final PortTap tap;

    /** The way to {@code leases} that {@code tap} is on. */
    public WiredLeases(MemoryLeases leases, PortTap tap) {
        this.leases = leases;
        this.tap = tap;
    }

    @Override
    public Future<Acquisition> acquire(RoomKey key, String token) {
        return tap.pass(Call.ACQUIRE, key.toString(), () -> leases.acquire(key, token));
    }

    @Override
    public Future<Boolean> recordEpoch(RoomKey key, String token, long epoch) {
        return tap.pass(Call.RECORD_EPOCH, key.toString(), () -> leases.recordEpoch(key, token, epoch));
    }

    @Override
    public Future<List<Renewal>> renew(List<Renew> wishes) {
        return tap.pass(Call.RENEW, wishes.size() + " leases", () -> leases.renew(wishes));
    }

    @Override
    public Future<List<Boolean>> verify(List<Proof> proofs) {
        return tap.verify(leases, proofs);
    }

    @Override
    public Future<Void> release(RoomKey key, long epoch) {
        return tap.pass(Call.RELEASE, key.toString(), () -> leases.release(key, epoch));
    }

    @Override
    public Future<Void> announce(String advertiseAddr, boolean draining) {
        return tap.pass(Call.ANNOUNCE, advertiseAddr, () -> leases.announce(advertiseAddr, draining));
    }

    @Override
    public Future<List<Announced>> find(Collection<String> nodeIds) {
        return tap.pass(Call.FIND_NODES, String.join(" ", nodeIds), () -> leases.find(nodeIds));
    }

    @Override
    public Future<Void> withdraw() {
        return tap.pass(Call.WITHDRAW, "", () -> leases.withdraw());
    }
}
