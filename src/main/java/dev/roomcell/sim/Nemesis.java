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
    private final List<Trouble> troubles = new ArrayList<>();
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

    /** From a strike until the last of its consequences, simulated ms. */
    private record Trouble(long fromMs, long untilMs) {}

    private void strike(Fault fault) {
        struck.merge(fault, 1, Integer::sum);
        Strike strike = fault.strike(cluster);
        long nowMs = cluster.around.time.nowMs();
        troubles.add(new Trouble(nowMs, nowMs + strike.lastsMs() + AFTERMATH_MS));
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

    /** For how much of a time nothing was in the way, and had not been for {@link #AFTERMATH_MS}; all in simulated ms. */
    long healthyMs(long fromMs, long untilMs) {
        long healthyMs = 0;
        long atMs = fromMs;
        for (Trouble trouble : troubles) {
            healthyMs += Math.max(0, Math.min(trouble.fromMs, untilMs) - atMs);
            atMs = Math.max(atMs, trouble.untilMs);
        }
        return healthyMs + Math.max(0, untilMs - atMs);
    }

    /** How many faults of each kind came. */
    Map<Fault, Integer> struck() {
        return struck;
    }
}
