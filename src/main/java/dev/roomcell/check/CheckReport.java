package dev.roomcell.check;

import dev.roomcell.check.StoredRooms.Totals;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Locale;

/** Prints violations as they are found, the first {@link #PRINTED} of them, and the result. */
final class CheckReport {
    /** One cause makes many violations; the first ones tell. */
    private static final int PRINTED = 100;

    private static final double NS_PER_S = 1e9;

    private final PrintWriter out;
    private long violations;
    private long parked;

    CheckReport(PrintWriter out) {
        this.out = out;
    }

    void add(Collection<Violation> found) {
        for (Violation violation : found) {
            violations++;
            if (violations <= PRINTED) {
                out.println(line(violation.toString()));
            }
        }
    }

    /** Says what is left to do; that is no violation. */
    void addParked(Collection<ParkedGift> gifts) {
        for (ParkedGift gift : gifts) {
            parked++;
            if (parked <= PRINTED) {
                out.println(line(gift.toString()));
            }
        }
    }

    /** How many violations were found. */
    long violations() {
        return violations;
    }

    /** The result for people, and after it, if {@code json}, for scripts. */
    void end(Totals totals, long acks, long tookNs, boolean json) {
        if (violations > PRINTED) {
            out.println("… and " + (violations - PRINTED) + " more");
        }
        if (parked > 0) {
            out.println(
                    parked + " gifts are parked until an operator puts them back: see \"Parked gifts\" in the README");
        }
        double seconds = tookNs / NS_PER_S;
        out.printf(
                Locale.ROOT,
                "checked %d rooms, %d versions, %d acks in %.1f s: %s%n",
                totals.rooms(),
                totals.versions(),
                acks,
                seconds,
                violations == 0 ? "no violation" : violations + " violations");
        if (json) {
            out.printf(
                    Locale.ROOT,
                    "{\"rooms\":%d,\"versions\":%d,\"acks\":%d,\"violations\":%d,\"parked_gifts\":%d,\"seconds\":%.3f}%n",
                    totals.rooms(),
                    totals.versions(),
                    acks,
                    violations,
                    parked,
                    seconds);
        }
    }

    /** {@code text} as one line, whatever the ids in it hold. */
    static String line(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c)) {
                line.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                line.appendCodePoint(c);
            }
        });
        return line.toString();
    }
}
