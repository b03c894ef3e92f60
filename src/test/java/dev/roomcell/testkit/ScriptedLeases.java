package dev.roomcell.testkit;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.NodeDirectory;
import dev.roomcell.sim.MemoryLeases;
import dev.roomcell.testkit.PortScript.Call;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** One node's way to a shared Redis, with a script on it. */
public final class ScriptedLeases implements LeaseDirectory, NodeDirectory {
    private final MemoryLeases leases;
    private final PortScript script;

    /** The way to {@code leases} that {@code script} watches. */
    public ScriptedLeases(MemoryLeases leases, PortScript script) {
        this.leases = leases;
        this.script = script;
    }

    @Override
    public Future<Acquisition> acquire(RoomKey key, String token) {
        return script.pass(Call.ACQUIRE, () -> leases.acquire(key, token));
    }

    @Override
    public Future<Boolean> recordEpoch(RoomKey key, String token, long epoch) {
        return script.pass(Call.RECORD_EPOCH, () -> leases.recordEpoch(key, token, epoch));
    }

    @Override
    public Future<List<Renewal>> renew(List<Renew> wishes) {
        return script.pass(Call.RENEW, () -> leases.renew(wishes));
    }

    @Override
    public Future<List<Boolean>> verify(List<Proof> proofs) {
        return script.pass(Call.VERIFY, () -> leases.verify(proofs));
    }

    @Override
    public Future<Void> release(RoomKey key, long epoch) {
        return script.pass(Call.RELEASE, () -> leases.release(key, epoch));
    }

    @Override
    public Future<Void> announce(String advertiseAddr) {
        return script.pass(Call.ANNOUNCE, () -> leases.announce(advertiseAddr));
    }

    @Override
    public Future<Optional<String>> addressOf(String nodeId) {
        return script.pass(Call.ADDRESS_OF, () -> leases.addressOf(nodeId));
    }

    @Override
    public Future<Void> withdraw() {
        return script.pass(Call.WITHDRAW, () -> leases.withdraw());
    }
}
