package dev.roomcell.verticle;

import dev.roomcell.port.GiftMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Shows {@code room_gifts_open}, and counts {@code room_gift_notices_total} by outcome, those dropped with a reason. */
public final class GiftCounters implements GiftMeter {
    private final AtomicLong open = new AtomicLong();
    private final Map<NoticeFate, Counter> notices = new EnumMap<>(NoticeFate.class);

    /** Meters in {@code registry}, at 0. */
    public GiftCounters(MeterRegistry registry) {
        Gauge.builder("room.gifts.open", open, AtomicLong::get)
                .description(
                        "gifts of all nodes that are not settled: under way, to be paid back, or with a reward owed")
                .register(registry);
        for (NoticeFate fate : NoticeFate.values()) {
            String word = fate.name().toLowerCase(Locale.ROOT);
            notices.put(
                    fate,
                    switch (fate) {
                        case SENT, FAILED -> counter(registry, word, "");
                        case QUEUE_FULL, NOT_CONNECTED, SHUTDOWN -> counter(registry, "dropped", word);
                    });
        }
    }

    private static Counter counter(MeterRegistry registry, String outcome, String reason) {
        return Counter.builder("room.gift.notices")
                .description("what givers alone are told of rewards that came late, by what became of it")
                .tag("outcome", outcome)
                .tag("reason", reason)
                .register(registry);
    }

    @Override
    public void open(long gifts) {
        open.set(gifts);
    }

    @Override
    public void noticeEnded(NoticeFate fate) {
        Counter counter = notices.get(fate);
        if (counter != null) {
            counter.increment();
        }
    }
}
