package dev.roomcell.adapter.im;

import dev.roomcell.port.LaneMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts {@code room_messages_total} by outcome: sent, failed, or dropped for a reason. */
public final class LaneCounters implements LaneMeter {
    private final Counter sent;
    private final Counter failed;
    private final Map<Drop, Counter> dropped = new EnumMap<>(Drop.class);

    /** Counters in {@code registry}, at 0. */
    public LaneCounters(MeterRegistry registry) {
        this.sent = counter(registry, "sent", "");
        this.failed = counter(registry, "failed", "");
        for (Drop reason : Drop.values()) {
            dropped.put(reason, counter(registry, "dropped", reason.name().toLowerCase(Locale.ROOT)));
        }
    }

    private static Counter counter(MeterRegistry registry, String outcome, String reason) {
        return Counter.builder("room.messages")
                .description("messages of the direct lane, by what became of them")
                .tag("outcome", outcome)
                .tag("reason", reason)
                .register(registry);
    }

    @Override
    public void sent() {
        sent.increment();
    }

    @Override
    public void failed() {
        failed.increment();
    }

    @Override
    public void dropped(Drop reason, int messages) {
        Counter counter = dropped.get(reason);
        if (counter != null) {
            counter.increment(messages);
        }
    }
}
