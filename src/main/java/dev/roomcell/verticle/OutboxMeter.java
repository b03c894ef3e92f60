package dev.roomcell.verticle;

import dev.roomcell.cell.OutboxWorker.Figures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.ToLongFunction;

/** The figures of a node's outbox workers, for operators. A worker sees its own partitions, so nodes add up. */
public final class OutboxMeter {
    private OutboxMeter() {}

    /** Registers the sums over {@code workers}, which are deployed. */
    public static void register(MeterRegistry metrics, List<OutboxWorkerVerticle> workers) {
        // A meter holds what it looks at weakly, and its function strongly: a list that only the meters know would be
        // gone,
        // and the figures would stand still.
        List<OutboxWorkerVerticle> all = List.copyOf(workers);
        counter(metrics, all, "room.outbox.delivered", "facts delivered", Figures::delivered);
        counter(metrics, all, "room.outbox.refused", "refusals of facts by the queue", Figures::refused);
        counter(metrics, all, "room.outbox.parked", "facts given up, to be looked at", Figures::parked);
        Gauge.builder("room.outbox.backlog", metrics, kept -> sum(all, Figures::backlog))
                .description("facts that are not delivered yet")
                .register(metrics);
        Gauge.builder(
                        "room.outbox.overdue",
                        metrics,
                        kept -> all.stream()
                                .mapToLong(worker -> worker.figures().overdueMs())
                                .max()
                                .orElse(0))
                .description("for how long the oldest of them has been due")
                .baseUnit("milliseconds")
                .register(metrics);
    }

    private static void counter(
            MeterRegistry metrics,
            List<OutboxWorkerVerticle> workers,
            String name,
            String description,
            ToLongFunction<Figures> figure) {
        FunctionCounter.builder(name, metrics, kept -> sum(workers, figure))
                .description(description)
                .register(metrics);
    }

    private static long sum(List<OutboxWorkerVerticle> workers, ToLongFunction<Figures> figure) {
        return workers.stream()
                .mapToLong(worker -> figure.applyAsLong(worker.figures()))
                .sum();
    }
}
