package dev.roomcell.sim;

import dev.roomcell.check.Invariant;
import dev.roomcell.check.RocketAccount.End;
import dev.roomcell.check.RocketAccount.Flight;
import dev.roomcell.check.Violation;
import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.RocketPlan;
import dev.roomcell.domain.RoomKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Whether rockets launched when they should (I13): for that it must be known what was in their way. */
final class RocketWatch {
    /** A rocket launches within the lease and so long of healthy time, ms. */
    private static final long SLACK_MS = 2_000;
    /** Who launches so late was kept from it, ms. */
    private static final long LATE_MS = 1_000;
    /** For so long a node whose clock was ahead may have claimed a timer (TIMER-1), ms. */
    private static final long CLAIMED_AHEAD_MS = Fault.CLOCK_WRONG_MS + 10_000;

    private final Cluster cluster;
    private final Nemesis nemesis;
    private final Map<Fate, Integer> fates = new EnumMap<>(Fate.class);

    /** What can come of rockets. */
    enum Fate {
        /** It was full. */
        IGNITED,
        /** It launched. */
        LAUNCHED,
        /** It launched, and something had been in its way. */
        LAUNCHED_LATE,
        /** It launched, and its day had ended since it should have. */
        LAUNCHED_NEXT_DAY,
        /** Its day ended before its launch. */
        DAY_OVER,
        /** Its room ended before its launch. */
        ROOM_CLOSED,
        /** The simulation ended before its launch. */
        WAITS
    }

    RocketWatch(Cluster cluster, Nemesis nemesis) {
        this.cluster = cluster;
        this.nemesis = nemesis;
    }

    /** What is wrong with the rockets of a room; also counts what came of them. */
    List<Violation> check(RoomKey room, List<Flight> flights) {
        List<Violation> found = new ArrayList<>();
        for (Flight flight : flights) {
            Rocket rocket = flight.rocket();
            long readyMs = Math.max(rocket.launchAtMs(), writtenAtMs(room, flight.ignitedVersion()));
            long overMs =
                    flight.end() == End.WAITS ? cluster.around.databaseNowMs() : writtenAtMs(room, flight.endVersion());
            long healthyMs = nemesis.healthyMs(readyMs - Surroundings.BEGIN_MS, overMs - Surroundings.BEGIN_MS);
            count(flight, overMs - readyMs, overMs);
            if (flight.end() != End.DAY_OVER && healthyMs > longestMs()) {
                found.add(violation(room, flight, "had " + healthyMs + " ms to launch in until " + overMs));
            }
            if (flight.end() == End.LAUNCHED && overMs < rocket.launchAtMs() - clockWrongMs(Fault.CLOCK_WRONG_MS)) {
                found.add(violation(room, flight, "is launched before its time, at " + overMs));
            }
            if (!isAsOffered(flight)) {
                found.add(violation(room, flight, "is as no plan has ever had it"));
            }
        }
        return found;
    }

    private long writtenAtMs(RoomKey room, long version) {
        return cluster.around.database.chronicle().writtenAtMs(room, version);
    }

    /** So much if a node's clock was ever wrong. */
    private long clockWrongMs(long ms) {
        return nemesis.struck().containsKey(Fault.CLOCK_STEP) ? ms : 0;
    }

    private long longestMs() {
        return cluster.settings.leaseTtlMs() + SLACK_MS + clockWrongMs(CLAIMED_AHEAD_MS);
    }

    private void count(Flight flight, long lateMs, long overMs) {
        count(Fate.IGNITED);
        switch (flight.end()) {
            case LAUNCHED -> {
                count(Fate.LAUNCHED);
                if (lateMs > LATE_MS) {
                    count(Fate.LAUNCHED_LATE);
                }
                if (overMs >= flight.rocket().resetAtMs()) {
                    count(Fate.LAUNCHED_NEXT_DAY);
                }
            }
            case DAY_OVER -> count(Fate.DAY_OVER);
            case ROOM_CLOSED -> count(Fate.ROOM_CLOSED);
            case WAITS -> count(Fate.WAITS);
        }
    }

    private void count(Fate fate) {
        fates.merge(fate, 1, Integer::sum);
    }

    /** Whether its day and its delay are some plan's, which may be two. */
    private boolean isAsOffered(Flight flight) {
        Rocket rocket = flight.rocket();
        long delayMs = rocket.launchAtMs() - flight.ignitedAtMs();
        List<RocketPlan> offered = cluster.around.rockets.offered();
        return offered.stream().anyMatch(plan -> plan.nextResetMs(rocket.resetAtMs() - 1) == rocket.resetAtMs())
                && offered.stream()
                        .anyMatch(plan -> plan.levels().stream().anyMatch(level -> level.launchDelayMs() == delayMs));
    }

    private static Violation violation(RoomKey room, Flight flight, String what) {
        return new Violation(
                Invariant.I13,
                room,
                "version " + flight.ignitedVersion() + ": the rocket that ignites " + what + ": " + flight.rocket());
    }

    /** What came of the rockets that were looked at; only what came. */
    Map<Fate, Integer> fates() {
        return fates;
    }
}
