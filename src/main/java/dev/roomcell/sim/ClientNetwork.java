package dev.roomcell.sim;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Between clients and nodes: the question travels, and the answer, and either may be lost. */
final class ClientNetwork {
    private static final int TRAVEL_MS = 3;

    private final Surroundings around;

    ClientNetwork(Surroundings around) {
        this.around = around;
    }

    /**
     * Asks a node.
     *
     * @param withinMs a client that has no answer by then gets none, ms
     * @param nobody the answer when no process listens there
     * @param answered hears the answer once, or that there is none
     */
    <T> void ask(
            SimulatedNode node,
            int withinMs,
            Function<SimulatedEntry, Future<T>> question,
            Supplier<T> nobody,
            Consumer<Optional<T>> answered) {
        AtomicBoolean open = new AtomicBoolean(true);
        Consumer<Optional<T>> once = answer -> {
            if (open.getAndSet(false)) {
                answered.accept(answer);
            }
        };
        boolean lost = around.dice.percent(around.lostAnswerPercent);
        around.time.later(travelMs(), () -> {
            Optional<SimulatedEntry> entry = node.entry();
            if (entry.isEmpty()) {
                around.time.later(travelMs(), () -> once.accept(Optional.of(nobody.get())));
                return;
            }
            question.apply(entry.get()).onComplete(answer -> {
                if (!lost) {
                    around.time.later(travelMs(), () -> once.accept(Optional.of(answer.result())));
                }
            });
        });
        around.time.later(withinMs, () -> once.accept(Optional.empty()));
    }

    private int travelMs() {
        return 1 + around.dice.below(TRAVEL_MS);
    }
}
