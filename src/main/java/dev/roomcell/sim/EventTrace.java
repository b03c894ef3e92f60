package dev.roomcell.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** What happens in a simulation, in order: its hash always, its lines if they are wanted. Not thread-safe. */
final class EventTrace {
    private static final long PRIME = 1_099_511_628_211L;

    private final LongSupplier nowMs;
    private final boolean kept;
    private final List<String> lines = new ArrayList<>();
    private long hash = 0xcbf29ce484222325L;
    private long events;

    EventTrace(LongSupplier nowMs, boolean kept) {
        this.nowMs = nowMs;
        this.kept = kept;
    }

    /** Whether lines are wanted. */
    boolean isKept() {
        return kept;
    }

    /** Something happens now. */
    void note(String event) {
        events++;
        mix(nowMs.getAsLong());
        mix(event.hashCode());
        say(event);
    }

    /** The same as {@code note(event + end)}, for less. */
    void note(String event, String end) {
        int hashCode = event.hashCode();
        for (int i = 0; i < end.length(); i++) {
            hashCode = 31 * hashCode + end.charAt(i);
        }
        events++;
        mix(nowMs.getAsLong());
        mix(hashCode);
        if (kept) {
            say(event + end);
        }
    }

    private void mix(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 32;
    }

    /** A line for people, which is no event of its own. */
    void say(String line) {
        if (kept) {
            lines.add(String.format("%10.3f s  %s", nowMs.getAsLong() / 1e3, line));
        }
    }

    /** Differs, in all likelihood, between two runs that differ in anything that was noted. */
    long hash() {
        return hash;
    }

    /** How many events were noted. */
    long events() {
        return events;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
