package dev.roomcell.sim;

import dev.roomcell.sim.Fault.Strike;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Lets faults come and go, overlapping as they like. Of all kinds, a seed knows only some. */
final class Nemesis {
    private static final int PERCENT_OF_KINDS = 35;

    private final Cluster cluster;
    private final Dice dice;
    private final List<Fault> kinds = new ArrayList<>();
    private final List<Strike> strikes = new ArrayList<>();
    private final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
    private boolean raging;

    Nemesis(Cluster cluster) {
        this.cluster = cluster;
        this.dice = cluster.around.dice;
        for (Fault fault : Fault.values()) {
            if (dice.percent(PERCENT_OF_KINDS)) {
                kinds.add(fault);
            }
        }
    }

    /** From now on faults come, with pauses of up to {@code pauseMs}. */
    void rage(int pauseMs) {
        if (!raging && !kinds.isEmpty()) {
            raging = true;
            next(pauseMs);
        }
    }

    private void next(int pauseMs) {
        cluster.around.time.later(1 + dice.below(pauseMs), () -> {
            if (raging) {
                strike(dice.any(kinds));
                next(pauseMs);
            }
        });
    }

    private void strike(Fault fault) {
        struck.merge(fault, 1, Integer::sum);
        Strike strike = fault.strike(cluster);
        cluster.around.trace.note("== " + fault + " " + strike.told() + ", " + strike.lastsMs() + " ms");
        strikes.add(strike);
        if (strike.lastsMs() > 0) {
            cluster.around.time.later(strike.lastsMs(), () -> {
                cluster.around.trace.note("== " + fault + " is over");
                strike.end().run();
            });
        }
    }

    /** No more faults come, and those that last are over. To be said again after {@link #AFTERMATH_MS}. */
    void rest() {
        raging = false;
        cluster.around.trace.note("== rest");
        strikes.forEach(strike -> strike.end().run());
    }

    /** Parts of a fault may be under way for so long. */
    static final int AFTERMATH_MS = 20_000;

    /** How many faults of each kind came. */
    Map<Fault, Integer> struck() {
        return struck;
    }
}
