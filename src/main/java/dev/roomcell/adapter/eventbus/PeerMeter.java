package dev.roomcell.adapter.eventbus;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what goes from node to node. */
final class PeerMeter {
    private final Counter sent;
    private final Counter served;
    private final Counter unanswered;
    private final Counter late;
    private final Counter refusedFrames;

    PeerMeter(MeterRegistry metrics) {
        sent = Counter.builder("room.forwards.sent")
                .description("calls sent to the node that owns their room")
                .register(metrics);
        served = Counter.builder("room.forwards.served")
                .description("calls run here for other nodes")
                .register(metrics);
        unanswered = Counter.builder("room.forwards.unanswered")
                .description("calls sent to a node and given up without its answer")
                .register(metrics);
        late = Counter.builder("room.forwards.late")
                .description("answers to calls that were given up before")
                .register(metrics);
        refusedFrames = Counter.builder("room.forwards.refused")
                .description("messages of the bus that are not understood: damaged, foreign, or of another version")
                .register(metrics);
    }

    void sent(int calls) {
        sent.increment(calls);
    }

    void served() {
        served.increment();
    }

    void unanswered() {
        unanswered.increment();
    }

    void late() {
        late.increment();
    }

    void refusedFrame() {
        refusedFrames.increment();
    }
}
