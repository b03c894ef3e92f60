package dev.roomcell.contract;

import dev.roomcell.sim.MemoryLeases;
import dev.roomcell.sim.MemoryRedis;
import java.util.List;
import java.util.OptionalLong;

/** Redis in memory, whose clock only {@link #letRemain} moves. */
final class MemoryLeaseBackend implements LeaseBackend {
    private long nowMs = 1_000;
    private final MemoryRedis redis = new MemoryRedis(() -> nowMs);
    private final MemoryLeases a = new MemoryLeases(redis, NODE_A, TTL_MS);
    private final MemoryLeases b = new MemoryLeases(redis, NODE_B, TTL_MS);

    @Override
    public Directories nodeA() {
        return new Directories(a, a);
    }

    @Override
    public Directories nodeB() {
        return new Directories(b, b);
    }

    @Override
    public List<String> keys() {
        return redis.keys();
    }

    @Override
    public OptionalLong remainingMs(String key) {
        return redis.remainingMs(key);
    }

    @Override
    public void letRemain(String key, long ms) {
        nowMs += redis.remainingMs(key).orElseThrow() - ms;
    }
}
