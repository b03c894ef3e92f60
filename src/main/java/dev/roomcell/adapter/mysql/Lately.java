package dev.roomcell.adapter.mysql;

import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What was read lately, and is taken for the present for a while. Bounded: the one longest in memory goes. Who asks for what
 * is being read waits for it. Belongs to one event loop.
 */
final class Lately<K, V> {
    private static final int MOST = 10_000;

    private final RoomClock clock;
    private final long forMs;
    private final Map<K, Read<V>> read = new LinkedHashMap<>();
    private final Map<K, Future<V>> reading = new HashMap<>();

    private record Read<V>(V value, long sinceMs) {}

    /** Nothing was read yet; {@code forMs} is for how long something is taken for the present. */
    Lately(RoomClock clock, long forMs) {
        this.clock = clock;
        this.forMs = forMs;
    }

    /** What {@code key} stands for, by {@code source} if it was not read lately; a failure is not remembered. */
    Future<V> get(K key, Supplier<Future<V>> source) {
        Read<V> lately = read.get(key);
        if (lately != null && clock.monotonicMs() - lately.sinceMs < forMs) {
            return Future.succeededFuture(lately.value);
        }
        Future<V> underWay = reading.get(key);
        if (underWay != null) {
            return underWay;
        }
        Future<V> asked = source.get();
        reading.put(key, asked);
        asked.onComplete(over -> {
            reading.remove(key);
            if (over.succeeded()) {
                remember(key, over.result());
            }
        });
        return asked;
    }

    private void remember(K key, V value) {
        read.remove(key);
        if (read.size() >= MOST) {
            read.remove(read.keySet().iterator().next());
        }
        read.put(key, new Read<>(value, clock.monotonicMs()));
    }
}
