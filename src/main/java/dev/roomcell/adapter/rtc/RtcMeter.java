package dev.roomcell.adapter.rtc;

import dev.roomcell.domain.RtcReports.Fact;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counts and times what TRTC tells us and what we ask of it. Callable from any thread. */
public final class RtcMeter {
    /** The event of a callback that was not read, or says nothing that matters. */
    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final Timer answers;
    private final Map<String, Counter> callbacks = new ConcurrentHashMap<>();
    private final Map<String, Timer> calls = new ConcurrentHashMap<>();

    /** Meters in {@code registry}; the commonest are there at 0. */
    public RtcMeter(MeterRegistry registry, ClockOffset offset) {
        this.registry = registry;
        this.answers = Timer.builder("room.rtc.callback")
                .description("from the arrival of a callback of TRTC to its answer")
                .register(registry);
        Gauge.builder("room.rtc.clock.offset", offset, ClockOffset::ms)
                .baseUnit("ms")
                .description("how far our clock is ahead of TRTC's, at most, as the callbacks of the last minutes show")
                .register(registry);
        for (Fact fact : Fact.values()) {
            callback(tag(fact), CallbackOutcome.APPLIED.tag());
        }
        for (ControlCall.Action action : ControlCall.Action.values()) {
            call(action.tag(), ControlOutcome.DONE.tag());
        }
    }

    private static String tag(Fact fact) {
        return fact.name().toLowerCase(Locale.ROOT);
    }

    /** A callback was answered, so long after it came. */
    public void answered(Optional<Fact> fact, CallbackOutcome outcome, long tookNs) {
        callback(fact.map(RtcMeter::tag).orElse(OTHER), outcome.tag()).increment();
        answers.record(tookNs, TimeUnit.NANOSECONDS);
    }

    private Counter callback(String event, String outcome) {
        return callbacks.computeIfAbsent(
                event + ' ' + outcome,
                first -> Counter.builder("room.rtc.callbacks")
                        .description("callbacks of TRTC, by event and by what became of them")
                        .tag("event", event)
                        .tag("outcome", outcome)
                        .register(registry));
    }

    /** A call of TRTC is over, so long after it was asked for. */
    void called(ControlCall.Action action, ControlOutcome outcome, long tookNs) {
        call(action.tag(), outcome.tag()).record(tookNs, TimeUnit.NANOSECONDS);
    }

    private Timer call(String action, String outcome) {
        return calls.computeIfAbsent(
                action + ' ' + outcome,
                first -> Timer.builder("room.rtc.calls")
                        .description(
                                "calls that take users out of RTC rooms, by action and outcome, the wait for their turn included")
                        .tag("action", action)
                        .tag("outcome", outcome)
                        .register(registry));
    }
}
