package dev.roomcell.adapter.im;

import dev.roomcell.port.DisplayMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts {@code room_displays_total} by outcome, sent, failed, refused or dropped, the last two with a reason. */
public final class DisplayCounters implements DisplayMeter {
    private final Map<Fate, Counter> counters = new EnumMap<>(Fate.class);

    /** Counters in {@code registry}, at 0. */
    public DisplayCounters(MeterRegistry registry) {
        for (Fate fate : Fate.values()) {
            String reason = fate.name().toLowerCase(Locale.ROOT);
            counters.put(
                    fate,
                    switch (fate) {
                        case SENT, FAILED -> counter(registry, reason, "");
                        case TOO_MANY_IN_ROOM, QUEUE_FULL -> counter(registry, "refused", reason);
                        case NOT_CONNECTED, TOO_OLD, SHUTDOWN -> counter(registry, "dropped", reason);
                    });
        }
    }

    private static Counter counter(MeterRegistry registry, String outcome, String reason) {
        return Counter.builder("room.displays")
                .description("what robots show, by what became of it")
                .tag("outcome", outcome)
                .tag("reason", reason)
                .register(registry);
    }

    @Override
    public void ended(Fate fate) {
        Counter counter = counters.get(fate);
        if (counter != null) {
            counter.increment();
        }
    }
}
