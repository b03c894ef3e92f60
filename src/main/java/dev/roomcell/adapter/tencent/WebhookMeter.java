package dev.roomcell.adapter.tencent;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Counts and times the callbacks of Tencent IM: {@code room_im_callbacks_seconds} by outcome. For one node; belongs to one
 * event loop.
 */
public final class WebhookMeter {
    private static final List<String> REFUSALS =
            List.of("unknown_path", "not_a_post", "not_signed", "too_long", "malformed", "fault", "other");

    private final MeterRegistry registry;

    /** Timers in {@code registry}, at 0. */
    public WebhookMeter(MeterRegistry registry) {
        this.registry = registry;
        List<String> outcomes = new ArrayList<>(REFUSALS);
        Stream.of(ChatGate.Outcome.values())
                .map(outcome -> outcome.name().toLowerCase(Locale.ROOT))
                .forEach(outcomes::add);
        outcomes.forEach(this::timer);
    }

    private Timer timer(String outcome) {
        return Timer.builder("room.im.callbacks")
                .description("callbacks of Tencent IM, by what they were answered")
                .tag("outcome", outcome)
                .register(registry);
    }

    /** A callback has come in. */
    Call begun() {
        return new Call(Timer.start(registry));
    }

    /** A callback on its way. */
    final class Call {
        private final Timer.Sample since;

        private Call(Timer.Sample since) {
            this.since = since;
        }

        void ended(String outcome) {
            since.stop(timer(outcome));
        }
    }
}
