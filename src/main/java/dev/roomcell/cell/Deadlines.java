package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomClock;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells callers whose deadline is over, in steps of {@link #STEP_MS}: one timer for all of them. */
final class Deadlines {
    /** A caller is told at most so late, ms. */
    static final long STEP_MS = 100;

    private final CellLoop loop;
    private final RoomClock clock;
    /** Each step's in the order of coming: they are told in that order. */
    private final Map<Long, Set<PendingCommand>> byStep = new HashMap<>();

    private long nextStep;
    private boolean ticking;

    Deadlines(CellLoop loop, RoomClock clock) {
        this.loop = loop;
        this.clock = clock;
    }

    void watch(PendingCommand command) {
        if (!ticking) {
            ticking = true;
            nextStep = clock.monotonicMs() / STEP_MS;
            loop.schedule(STEP_MS, this::tick);
        }
        long step = Math.max(nextStep, command.request().deadlineMs() / STEP_MS + 1);
        Set<PendingCommand> ofStep = byStep.computeIfAbsent(step, none -> new LinkedHashSet<>());
        ofStep.add(command);
        // Answered commands go at once: a busy loop would else keep seconds of them in memory.
        command.answered().onComplete(answered -> ofStep.remove(command));
    }

    private void tick() {
        long nowStep = clock.monotonicMs() / STEP_MS;
        while (nextStep <= nowStep) {
            // The step is over before anybody is told: a command sent in answer belongs to a later one.
            Set<PendingCommand> over = byStep.remove(nextStep++);
            if (over != null) {
                List.copyOf(over).forEach(PendingCommand::expire);
            }
        }
        ticking = !byStep.isEmpty();
        if (ticking) {
            loop.schedule(STEP_MS, this::tick);
        }
    }
}
