package dev.roomcell.it;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.it.Nemesis.Struck;
import dev.roomcell.it.PartyRecord.Ending;
import dev.roomcell.it.PartyRecord.Tried;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A table of what went wrong, and what guests had of it. */
final class FaultReport {
    /** What a fault leaves behind is taken for its doing for so long, ms. */
    private static final long AFTERMATH_MS = Backends.LEASE_TTL_MS + 1_000;

    private final PartyLoad load;
    private final List<Struck> struck;
    private final List<Tried> tried = new ArrayList<>();
    private final Collection<Long> retriesNs;

    FaultReport(PartyLoad load, List<Struck> struck) {
        this.load = load;
        this.struck = struck;
        this.retriesNs = load.record().retriesNs();
        load.rooms().all().forEach(room -> tried.addAll(load.record().tried(room)));
    }

    /** The counts of one kind of fault; the faults of a step count the same calls. */
    private record Row(int faults, long acknowledged, long retries, long refused, long unknown, Silence silence) {}

    /** How long a room was silent for, from so long after a fault had begun (before it, if negative). */
    private record Silence(long ms, long afterMs, String room) {}

    private Row row(FaultKind kind) {
        int faults = 0;
        long acknowledged = 0;
        long retries = 0;
        long refused = 0;
        long unknown = 0;
        Silence silence = new Silence(0, 0, "");
        for (Struck one : struck) {
            if (one.strike().kind() == kind) {
                faults++;
                acknowledged += ended(one, Ending.Done.class);
                refused += ended(one, Ending.Refused.class);
                unknown += ended(one, Ending.Unknown.class);
                retries += retriesNs.stream().filter(ns -> within(one, ns)).count();
                Silence longest = longestSilence(one);
                silence = longest.ms > silence.ms ? longest : silence;
            }
        }
        return new Row(faults, acknowledged, retries, refused, unknown, silence);
    }

    private static boolean within(Struck one, long ns) {
        return ns - one.beganNs() >= 0 && ns - one.endedNs() < TimeUnit.MILLISECONDS.toNanos(AFTERMATH_MS);
    }

    private long ended(Struck one, Class<? extends Ending> ending) {
        return tried.stream()
                .filter(command -> within(one, command.returnNs()) && ending.isInstance(command.ending()))
                .count();
    }

    /** The longest time that a room was silent for that had to do with the fault; its guests have pauses too. */
    private Silence longestSilence(Struck one) {
        Silence longest = new Silence(0, 0, "");
        for (RoomKey room : load.rooms().all()) {
            long endNs = load.rooms().endedNs(room).orElse(Long.MAX_VALUE);
            long[] heardNs = load.record().answeredNs(room);
            for (int i = 1; i < heardNs.length && heardNs[i] <= endNs; i++) {
                long ms = TimeUnit.NANOSECONDS.toMillis(heardNs[i] - heardNs[i - 1]);
                if (heardNs[i] > one.beganNs() && heardNs[i - 1] < one.endedNs() && ms > longest.ms) {
                    long afterMs = TimeUnit.NANOSECONDS.toMillis(heardNs[i - 1] - one.beganNs());
                    longest = new Silence(ms, afterMs, room.toString());
                }
            }
        }
        return longest;
    }

    /** Calls that were made while a kind of fault lasted, and that ended without an answer. */
    List<Tried> lostDuring(FaultKind kind) {
        return tried.stream()
                .filter(command ->
                        command.ending() instanceof Ending.Refused || command.ending() instanceof Ending.Unknown)
                .filter(command -> struck.stream()
                        .anyMatch(one -> one.strike().kind() == kind
                                && command.invokeNs() - one.beganNs() >= 0
                                && command.invokeNs() - one.endedNs() < 0))
                .toList();
    }

    /** The table, and a line of sums. */
    String text(PartyAudit audit, QuietTime quiet, long lastedMs) {
        StringBuilder text = new StringBuilder("\n");
        line(text, "fault", "plan", "times", "answered", "retries", "refused", "unknown", "silence ms", "of");
        for (FaultKind kind : FaultKind.values()) {
            Row row = row(kind);
            if (row.faults > 0) {
                line(
                        text,
                        kind,
                        kind.plan(),
                        row.faults,
                        row.acknowledged,
                        row.retries,
                        row.refused,
                        row.unknown,
                        row.silence.ms,
                        row.silence.room + " from " + row.silence.afterMs + " ms on");
            }
        }
        long refused = tried.stream()
                .filter(command -> command.ending() instanceof Ending.Refused)
                .count();
        long unknown = tried.stream()
                .filter(command -> command.ending() instanceof Ending.Unknown)
                .count();
        text.append(String.format(
                Locale.ROOT,
                "%d faults in %d s; %d commands sent, %d acknowledged with a version of %d (%d/s), %d looks held against"
                        + " the log; %d retries, %d refused, %d unknown, %s; quiet: slowest answer %d ms, commands/s %s;"
                        + " %d violations",
                struck.size(),
                lastedMs / 1_000,
                tried.size(),
                audit.acknowledged(),
                audit.versions(),
                audit.acknowledged() * 1_000 / Math.max(1, lastedMs),
                audit.looks(),
                retriesNs.size(),
                refused,
                unknown,
                new TreeMap<>(load.record().failures()),
                quiet.slowestMs(),
                quiet.ratesPerSecond(),
                audit.violations().size()));
        return text.toString();
    }

    private static void line(StringBuilder text, Object... cells) {
        text.append(String.format(Locale.ROOT, "%-20s %-4s %6s %9s %8s %8s %8s %10s %s%n", cells));
    }
}
