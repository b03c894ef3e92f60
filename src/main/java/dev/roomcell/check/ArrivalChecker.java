package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.OutboxRow;
import dev.roomcell.domain.RoomKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds what has arrived at the queue against what a room has put into its outbox (I8, OUT-3, OUT-6): each event is there
 * at least once, unchanged, and comes for the first time after all those before it; nothing else is there, and nothing is
 * still to be sent (I9).
 */
public final class ArrivalChecker {
    private ArrivalChecker() {}

    /**
     * Names an event of a room.
     *
     * @param version the room version that made it
     * @param index its place in that version
     */
    public record Event(long version, int index) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byVersion = Long.compare(version, other.version);
            return byVersion != 0 ? byVersion : Integer.compare(index, other.index);
        }

        @Override
        public String toString() {
            return "version " + version + " event " + index;
        }
    }

    /**
     * What consumers got.
     *
     * @param version the room version that it says
     * @param index the place in that version that it says
     * @param type the event's type
     * @param envelope as it came
     */
    public record Arrival(long version, int index, String type, byte[] envelope) {
        private Event event() {
            return new Event(version, index);
        }
    }

    /**
     * How far a room's facts are.
     *
     * @param arrivals at the queue, in order
     * @param parked events that were given up for a reason: they need not have arrived
     * @param unfinished events that somebody means to send still
     */
    public record Delivery(List<Arrival> arrivals, Set<Event> parked, Set<Event> unfinished) {}

    /** What is wrong, long after the last fault; at most the first 100 violations. */
    public static List<Violation> check(RoomKey room, Iterable<OutboxRow> outbox, Delivery delivery) {
        Findings findings = new Findings(room);
        Map<Event, OutboxRow> sent = new HashMap<>();
        for (OutboxRow row : outbox) {
            sent.put(new Event(row.version(), row.index()), row);
        }
        TreeSet<Event> seen = new TreeSet<>();
        for (Arrival arrival : delivery.arrivals) {
            Event event = arrival.event();
            OutboxRow row = sent.get(event);
            if (row == null) {
                findings.add(Invariant.I8, event + " has arrived, and is not in the outbox");
                continue;
            }
            findings.require(
                    row.type().equals(arrival.type) && Arrays.equals(row.envelope(), arrival.envelope),
                    Invariant.I8,
                    () -> event + " has arrived as something else");
            // A copy of one that was given up meanwhile may come as late as it likes.
            if (delivery.parked.contains(event)) {
                continue;
            }
            if (!seen.contains(event) && !seen.isEmpty() && seen.last().compareTo(event) > 0) {
                findings.add(Invariant.I8, event + " has arrived after " + seen.last());
            }
            seen.add(event);
        }
        for (OutboxRow row : outbox) {
            Event event = new Event(row.version(), row.index());
            findings.require(
                    seen.contains(event) || delivery.parked.contains(event),
                    Invariant.I8,
                    () -> event + " has not arrived");
        }
        delivery.unfinished.forEach(event -> findings.add(Invariant.I9, event + " is still to be delivered"));
        return findings.violations();
    }
}
