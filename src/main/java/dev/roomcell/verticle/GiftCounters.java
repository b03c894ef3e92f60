package dev.roomcell.verticle;

import dev.roomcell.port.GiftMeter;
import dev.roomcell.port.GiftStore.Unsettled;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Shows {@code room_gifts_open} and {@code room_gifts_parked}, and counts {@code room_gift_notices_total} by outcome, those dropped with a reason. */
public final class GiftCounters implements GiftMeter {
    private final AtomicLong open = new AtomicLong();
    private final AtomicLong parked = new AtomicLong();
    private final Map<NoticeFate, Counter> notices = new EnumMap<>(NoticeFate.class);

    /** Meters in {@code registry}, at 0. */
    public GiftCounters(MeterRegistry registry) {
        Gauge.builder("room.gifts.open", open, AtomicLong::get)
                .description(
                        "gifts of all nodes that are not settled: under way, to be paid back, or with a reward owed")
                .register(registry);
        Gauge.builder("room.gifts.parked", parked, AtomicLong::get)
                .description("gifts of all nodes whose money the wallet refuses to move, to be looked at")
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
    public void unsettled(Unsettled gifts) {
        open.set(gifts.open());
        parked.set(gifts.parked());
    }

    /** What an operator is to know, in one line; empty if there is nothing. Callable from any thread. */
    public Optional<String> trouble() {
        long now = parked.get();
        return now == 0
                ? Optional.empty()
                : Optional.of(now + " parked, as the wallet refuses their money: see \"Parked gifts\" in the README");
    }

    @Override
    public void noticeEnded(NoticeFate fate) {
        Counter counter = notices.get(fate);
        if (counter != null) {
            counter.increment();
        }
    }
}
