package dev.roomcell.sim;

import dev.roomcell.port.NodeDirectory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * One Redis in memory, shared by the nodes that are given it: keys that hold a value and expire. Not thread-safe.
 */
public final class MemoryRedis {
    private final LongSupplier clockMs;
    private final Map<String, Expiring> values = new HashMap<>();

    private record Expiring(Value value, long expiresAtMs) {}

    /** What a key may hold. */
    public sealed interface Value {
        /**
         * Who owns a room (LEASE-16).
         *
         * @param nodeId the owner
         * @param epoch its lease epoch; 0 until one is recorded
         * @param token its newest lease token
         */
        record Lease(String nodeId, long epoch, String token) implements Value {}

        /**
         * Where a live node can be reached (LEASE-3).
         *
         * @param announced what it has said of itself
         */
        record Node(NodeDirectory.Announced announced) implements Value {}
    }

    /**
     * An empty Redis.
     *
     * @param clockMs Redis's own clock, ms from any point, never going back
     */
    public MemoryRedis(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    /** What a key holds, if it has not expired. */
    public Optional<Value> get(String key) {
        return current(key).map(Expiring::value);
    }

    /** How long a key has to live, ms; empty if it is not there. */
    public OptionalLong remainingMs(String key) {
        return current(key).stream()
                .mapToLong(value -> value.expiresAtMs - clockMs.getAsLong())
                .findFirst();
    }

    /** Sets a key, which expires {@code ttlMs} from now; what it held before is gone. */
    public void set(String key, Value value, long ttlMs) {
        values.put(key, new Expiring(value, clockMs.getAsLong() + ttlMs));
    }

    /** Takes a key away, if it is there. */
    public void delete(String key) {
        values.remove(key);
    }

    /** What a replica knows that follows this Redis, at one moment. */
    public static final class Replica {
        private final Map<String, Expiring> values;

        private Replica(Map<String, Expiring> values) {
            this.values = new HashMap<>(values);
        }
    }

    /** A replica that has everything up to now, and nothing later. */
    public Replica replica() {
        return new Replica(values);
    }

    /** Goes on as {@code replica}, as after a failover: later writes are lost (LEASE-1). */
    public void failOverTo(Replica replica) {
        values.clear();
        values.putAll(replica.values);
    }

    /** Loses everything, as a Redis does that restarts without a disk (LEASE-1). */
    public void flush() {
        values.clear();
    }

    /** The keys that have not expired, in order. */
    public List<String> keys() {
        values.values().removeIf(this::expired);
        return List.copyOf(new TreeMap<>(values).keySet());
    }

    private Optional<Expiring> current(String key) {
        return Optional.ofNullable(values.get(key)).filter(value -> !expired(value));
    }

    private boolean expired(Expiring value) {
        return clockMs.getAsLong() >= value.expiresAtMs;
    }
}
