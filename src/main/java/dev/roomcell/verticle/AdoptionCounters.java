package dev.roomcell.verticle;

import dev.roomcell.port.AdoptionMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts {@code room_adoptions_total} by result. */
public final class AdoptionCounters implements AdoptionMeter {
    private final Map<Result, Counter> tried = new EnumMap<>(Result.class);

    /** Counters in {@code registry}, at 0. */
    public AdoptionCounters(MeterRegistry registry) {
        for (Result result : Result.values()) {
            tried.put(
                    result,
                    Counter.builder("room.adoptions")
                            .description("tries to load a live room that no node seems to have, by what they came to")
                            .tag("result", result.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    @Override
    public void tried(Result result) {
        Counter counter = tried.get(result);
        if (counter != null) {
            counter.increment();
        }
    }
}
