package dev.roomcell.it;

import dev.roomcell.it.FaultKind.Strike;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What will go wrong in a run, from one seed.
 *
 * @param steps one after the other
 */
record FaultSchedule(List<Step> steps) {
    private static final int TOGETHER_PERCENT = 30;
    /** Of every so many faults the last is followed by a quiet time. */
    private static final int QUIET_EVERY = 10;

    /**
     * One or two faults that come at once.
     *
     * @param first the number of its first fault, from 1
     * @param strikes one or two
     * @param thenQuiet whether there is a quiet time after it
     */
    record Step(int first, List<Strike> strikes, boolean thenQuiet) {
        int last() {
            return first + strikes.size() - 1;
        }
    }

    /**
     * Draws so many faults: each kind once if there is room for all, the rest by their shares.
     *
     * @param only the kinds; empty for all
     */
    static FaultSchedule draw(long seed, int faults, List<FaultKind> only) {
        Random dice = new Random(seed);
        List<FaultKind> kinds = kinds(only.isEmpty() ? List.of(FaultKind.values()) : only, faults, dice);
        List<Step> steps = new ArrayList<>();
        int next = 0;
        while (next < kinds.size()) {
            int first = next + 1;
            List<Strike> strikes = new ArrayList<>();
            int node = dice.nextInt(FaultStage.NODES);
            strikes.add(strike(kinds.get(next), node, dice));
            next++;
            boolean together = dice.nextInt(100) < TOGETHER_PERCENT;
            if (together && next < kinds.size() && kinds.get(next - 1).goesWith(kinds.get(next))) {
                int other = (node + 1 + dice.nextInt(FaultStage.NODES - 1)) % FaultStage.NODES;
                strikes.add(strike(kinds.get(next), other, dice));
                next++;
            }
            boolean quiet = next == kinds.size() || (first - 1) / QUIET_EVERY < next / QUIET_EVERY;
            steps.add(new Step(first, strikes, quiet));
        }
        return new FaultSchedule(steps);
    }

    private static List<FaultKind> kinds(List<FaultKind> known, int faults, Random dice) {
        List<FaultKind> each = new ArrayList<>(known);
        Collections.shuffle(each, dice);
        List<FaultKind> more = new ArrayList<>();
        for (FaultKind kind : known) {
            more.addAll(Collections.nCopies(kind.share() - 1, kind));
        }
        if (more.isEmpty()) {
            more.addAll(known);
        }
        List<FaultKind> drawn = new ArrayList<>(each.subList(0, Math.min(faults, each.size())));
        while (drawn.size() < faults) {
            Collections.shuffle(more, dice);
            drawn.addAll(more.subList(0, Math.min(faults - drawn.size(), more.size())));
        }
        Collections.shuffle(drawn, dice);
        return drawn;
    }

    private static Strike strike(FaultKind kind, int node, Random dice) {
        int lastsMs = kind.leastMs() + dice.nextInt(kind.mostMs() - kind.leastMs() + 1);
        return new Strike(kind, node, lastsMs, dice.nextInt(6));
    }

    int faults() {
        return steps.isEmpty() ? 0 : steps.get(steps.size() - 1).last();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Step step : steps) {
            text.append(step.first()).append(": ").append(step.strikes());
            text.append(step.thenQuiet() ? ", then quiet\n" : "\n");
        }
        return text.toString();
    }
}
