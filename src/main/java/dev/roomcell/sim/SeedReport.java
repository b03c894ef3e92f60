package dev.roomcell.sim;

import dev.roomcell.check.Violation;
import dev.roomcell.sim.Simulation.Outcome;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells failed seeds as they come, and in the end what all of them were. */
final class SeedReport {
    private static final int LINES_OF_A_FAILURE = 60;
    /** How callers' commands and reads are called. */
    private static final Pattern CALL = Pattern.compile("user-\\d+-\\d+|read#\\d+");

    private static final double NS_PER_S = 1e9;

    private final PrintWriter out;
    private final boolean traced;
    private final Map<String, Integer> told = new TreeMap<>();
    private final Map<String, Integer> faults = new TreeMap<>();
    private final Map<String, Integer> gifts = new TreeMap<>();
    private final Map<String, Integer> rockets = new TreeMap<>();
    private final Map<String, Integer> reports = new TreeMap<>();
    private long seeds;
    private long failed;
    private long simulatedMs;
    private long events;
    private long versions;
    /** Of all outcomes, in whichever order they came. */
    private long hash;

    SeedReport(PrintWriter out, boolean traced) {
        this.out = out;
        this.traced = traced;
    }

    void add(Outcome outcome) {
        seeds++;
        simulatedMs += outcome.simulatedMs();
        events += outcome.events();
        versions += outcome.versions();
        hash += outcome.hash();
        outcome.told().forEach((kind, count) -> told.merge(kind, count, Integer::sum));
        outcome.faults().forEach((kind, count) -> faults.merge(kind, count, Integer::sum));
        outcome.gifts().forEach((kind, count) -> gifts.merge(kind, count, Integer::sum));
        outcome.rockets().forEach((kind, count) -> rockets.merge(kind, count, Integer::sum));
        outcome.reports().forEach((kind, count) -> reports.merge(kind, count, Integer::sum));
        if (traced) {
            outcome.trace().forEach(out::println);
        }
        if (!outcome.violations().isEmpty()) {
            failed++;
            tell(outcome);
        }
        out.flush();
    }

    private void tell(Outcome outcome) {
        out.println("seed " + outcome.seed() + " failed:");
        outcome.violations().forEach(violation -> out.println("  " + violation));
        if (!traced) {
            shortTrace(outcome.trace(), outcome.violations().get(0)).forEach(out::println);
        }
        out.println("again: simulate --seed " + outcome.seed() + " --seeds 1 --trace");
    }

    /** What led to a violation: up to the last that is told of the call that it names, or up to the end. */
    private static List<String> shortTrace(List<String> trace, Violation violation) {
        List<String> lines =
                trace.stream().filter(line -> concerns(line, violation)).toList();
        Matcher call = CALL.matcher(violation.message());
        int end = lines.size();
        if (call.find()) {
            for (int i = 0; i < lines.size(); i++) {
                if ((lines.get(i) + " ").contains(call.group() + " ")) {
                    end = i + 1;
                }
            }
        }
        return lines.subList(Math.max(0, end - LINES_OF_A_FAILURE), end);
    }

    /** Of what happens everywhere, faults; of what happens in rooms, what happens in that one. */
    private static boolean concerns(String line, Violation violation) {
        String room = violation.room().toString();
        return !line.contains("VIOLATION")
                && (line.contains("== ") || room.equals("-/-") || (line + " ").matches(".*\\Q" + room + "\\E[ :,].*"));
    }

    /** How many seeds failed. */
    long failed() {
        return failed;
    }

    /** The result for people, and after it, if {@code json}, for scripts. */
    void end(long tookNs, boolean json) {
        double seconds = tookNs / NS_PER_S;
        double simulatedSeconds = simulatedMs / 1e3;
        out.printf(
                Locale.ROOT,
                "simulated %d seeds, %.1f hours, %d events, %d versions in %.1f s: %s%n",
                seeds,
                simulatedSeconds / 3_600,
                events,
                versions,
                seconds,
                failed == 0 ? "no violation" : failed + " seeds failed");
        out.printf(
                Locale.ROOT,
                "%.1f seeds/s, %.0f times as fast as the clock, hash %016x%n",
                seeds / seconds,
                simulatedSeconds / seconds,
                hash);
        out.println("answers: " + told);
        out.println("faults: " + faults);
        out.println("gifts: " + gifts);
        out.println("rockets: " + rockets);
        out.println("reports of RTC: " + reports);
        if (json) {
            out.printf(
                    Locale.ROOT,
                    "{\"seeds\":%d,\"failed\":%d,\"events\":%d,\"versions\":%d,\"simulated_seconds\":%.0f,"
                            + "\"seconds\":%.3f,\"hash\":\"%016x\"}%n",
                    seeds,
                    failed,
                    events,
                    versions,
                    simulatedSeconds,
                    seconds,
                    hash);
        }
    }
}
