package dev.roomcell.adapter.im;

import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.port.LaneMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts {@code room_messages_total} by outcome: sent, failed, or dropped for a reason, each priority by itself. */
public final class LaneCounters implements LaneMeter {
    private final Counter sent;
    private final Counter failed;
    private final Map<Drop, Map<Priority, Counter>> dropped = new EnumMap<>(Drop.class);

    /** Counters in {@code registry}, at 0. */
    public LaneCounters(MeterRegistry registry) {
        this.sent = counter(registry, "sent", "", "");
        this.failed = counter(registry, "failed", "", "");
        for (Drop reason : Drop.values()) {
            Map<Priority, Counter> ofReason = new EnumMap<>(Priority.class);
            for (Priority priority : Priority.values()) {
                ofReason.put(priority, counter(registry, "dropped", word(reason), word(priority)));
            }
            dropped.put(reason, ofReason);
        }
    }

    private static String word(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    private static Counter counter(MeterRegistry registry, String outcome, String reason, String priority) {
        return Counter.builder("room.messages")
                .description("messages of the direct lane, by what became of them")
                .tag("outcome", outcome)
                .tag("reason", reason)
                .tag("priority", priority)
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
    public void dropped(Drop reason, Priority priority) {
        Counter counter = dropped.getOrDefault(reason, Map.of()).get(priority);
        if (counter != null) {
            counter.increment();
        }
    }
}
