package dev.roomcell.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.cell.CellSettings;
import dev.roomcell.cell.GiftSettings;
import dev.roomcell.cell.OutboxSettings;
import dev.roomcell.cell.PurgeSettings;
import dev.roomcell.check.Invariant;
import dev.roomcell.check.Violation;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomPolicy;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.port.RoomCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One simulated life of a cluster: three nodes of the real core, users who do what they like, and a nemesis, for about a
 * quarter of an hour of simulated time. Everything that is left to chance follows from the seed, so that the same seed is
 * the same life, event by event.
 */
public final class Simulation {
    private static final int CALLERS = 4;
    private static final int BOOT_MS = 1_500;
    private static final int ROUNDS = 3;
    /** Longer than a caller is patient and waits for the last answer. */
    private static final int LAST_ANSWERS_MS = 40_000;

    /** The one error of the core that is not its own fault. */
    private static final String BAD_STATEMENT = "refused by the database";
    /** And the other, which tells operators of a wallet's. */
    private static final String PARKED = "is parked";

    /** Every live room has an owner so long after the lease, and one more for what a node itself has lost, ms. */
    private static final int ADOPTION_SLACK_MS = 3_000;

    private static final int LINES_WRITTEN_MS = 2_500;
    /** Every fact has arrived so long after the last fault. */
    private static final int ALL_DELIVERED_MS = 30_000;
    /** So long after the last fault all money is where it belongs, and no call is on its way to the wallet. */
    private static final int GIFTS_SETTLED_MS = LoopWire.LATEST_AT_WALLET_MS;

    /** Some of the calls that come twice come within that time, the others not at all. */
    private static final long SHORT_KEPT_MS = 150_000;

    private final long seed;
    private final Surroundings around;
    private final RoomCodec codec = new StoredForm();
    private final Dice dice;
    private final Cluster cluster;
    private final Nemesis nemesis;
    private final Rooms rooms;
    private final GiftMarket market;
    private final Examination examination;
    private final List<Caller> callers = new ArrayList<>();
    private long restedMs;

    /**
     * What came of a simulation.
     *
     * @param seed the seed
     * @param hash of all its events
     * @param events how many there were
     * @param simulatedMs how long it took, in simulated ms
     * @param violations what was wrong; empty if nothing was
     * @param versions room versions that were committed
     * @param told how calls ended, by the names of {@link Recorder.Told}, counted
     * @param faults what struck, by the names of {@link Fault}, counted
     * @param gifts what came of gifts, by the names of {@link GiftWatch.Fate}, counted
     * @param rockets what came of rockets, by the names of {@link RocketWatch.Fate}, counted
     * @param reports what became of RTC's reports, by the names of {@link RtcReports.Outcome}, counted
     * @param purged versions whose log row was purged
     * @param trace what happened, if that was wanted
     */
    public record Outcome(
            long seed,
            long hash,
            long events,
            long simulatedMs,
            List<Violation> violations,
            long versions,
            Map<String, Integer> told,
            Map<String, Integer> faults,
            Map<String, Integer> gifts,
            Map<String, Integer> rockets,
            Map<String, Integer> reports,
            long purged,
            List<String> trace) {

        /** The same, with one thing more that was wrong. */
        Outcome with(Violation violation) {
            List<Violation> all = new ArrayList<>(violations);
            all.add(violation);
            return new Outcome(
                    seed,
                    hash,
                    events,
                    simulatedMs,
                    all,
                    versions,
                    told,
                    faults,
                    gifts,
                    rockets,
                    reports,
                    purged,
                    trace);
        }
    }

    private Simulation(long seed, boolean traced, Flaw flaw) {
        this.seed = seed;
        this.around = new Surroundings(seed, traced, flaw);
        this.dice = around.dice;
        this.cluster = new Cluster(around, flaw, codec, settings(), outboxSettings(), purgeSettings());
        this.nemesis = new Nemesis(cluster);
        this.rooms = new Rooms(dice);
        this.market = new GiftMarket(around);
        this.examination = new Examination(cluster, nemesis, rooms, codec);
        List<String> users =
                IntStream.range(0, CALLERS).mapToObj(i -> "user-" + i).toList();
        market.open(Rooms.APP, users);
        users.forEach(user -> callers.add(new Caller(cluster, rooms, codec, user, users)));
    }

    /** Small limits as well as the usual ones: what is rare with the one is common with the other. */
    private CellSettings settings() {
        return new CellSettings(
                dice.any(List.of(2_000L, 6_000L, 6_000L)),
                dice.any(List.of(4, 32, 1_024)),
                dice.any(List.of(1, 3, 256)),
                dice.any(List.of(1, 64)),
                dice.any(List.of(100, 1 << 20)),
                dice.any(List.of(1, 2, 256)),
                4 << 20,
                dice.any(List.of(1, 2, 32)),
                dice.percent(10) ? 2 : 100_000,
                dice.any(List.of(3_000L, 30_000L, 300_000L)),
                dice.any(List.of(5_000L, 60_000L)),
                dice.any(List.of(6_000L, 60_000L)),
                dice.any(List.of(3_000L, 15_000L)),
                new RoomPolicy(dice.any(List.of(2_000L, 15_000L)), dice.any(List.of(15_000L, 35_000L))),
                new CellSettings.SnapshotPolicy(
                        dice.any(List.of(1_024, 262_144)),
                        dice.any(List.of(0L, 5_000L)),
                        dice.any(List.of(2, 8, 20_000))),
                // Longer than twice the longest deadline of a caller, and far too short.
                new GiftSettings(
                        dice.any(List.of(300L, 2_000L)),
                        dice.any(List.of(100L, 500L)),
                        dice.any(List.of(1_000L, 5_000L, 31_000L)),
                        dice.any(List.of(1_000L, 4_000L)),
                        dice.any(List.of(1, 3)),
                        1_000),
                // No caller here shows anything.
                1);
    }

    /** Claims and leases that run out while something stands in the way, and within {@link #ALL_DELIVERED_MS} after it. */
    private OutboxSettings outboxSettings() {
        return new OutboxSettings(
                dice.any(List.of(1, 3, 128)),
                dice.any(List.of(2_000L, 8_000L)),
                dice.any(List.of(2_000L, 6_000L)),
                dice.any(List.of(2, 20)),
                dice.any(List.of(100L, 1_000L)),
                4_000,
                1_000,
                dice.any(List.of(30_000L, 86_400_000L)));
    }

    /** Rows that go a few minutes after they were written, or never; intents no sooner than the log. */
    private PurgeSettings purgeSettings() {
        long keptMs = dice.any(List.of(SHORT_KEPT_MS, SHORT_KEPT_MS, 86_400_000L));
        return new PurgeSettings(
                keptMs,
                Math.max(keptMs, dice.any(List.of(SHORT_KEPT_MS, 86_400_000L))),
                dice.any(List.of(2_000L, 20_000L)),
                dice.any(List.of(1L, 200L)),
                dice.any(List.of(1, 200)),
                dice.any(List.of(1, 7, 1_000)));
    }

    /** Lives through a seed's life. */
    public static Outcome run(long seed, boolean traced) {
        return run(seed, traced, Flaw.NONE);
    }

    static Outcome run(long seed, boolean traced, Flaw flaw) {
        Simulation simulation = new Simulation(seed, traced, flaw);
        CoreLog.listen(simulation::logged);
        try {
            simulation.live();
        } catch (RuntimeException | AssertionError fault) {
            simulation.violated(Invariant.I14, "nothing may throw here: " + fault);
        } finally {
            CoreLog.listen(null);
        }
        return simulation.outcome();
    }

    private void logged(ILoggingEvent line) {
        boolean error = line.getLevel().isGreaterOrEqual(Level.ERROR);
        if (around.trace.isKept() || error) {
            around.trace.say("    " + line.getLevel() + " " + line.getFormattedMessage());
        }
        boolean ours =
                !line.getMessage().contains(BAD_STATEMENT) && !line.getMessage().contains(PARKED);
        if (error && ours) {
            violated(Invariant.I14, "the core found a fault of its own: " + line.getFormattedMessage());
        }
    }

    private void violated(Invariant invariant, String message) {
        around.found(new Violation(invariant, new RoomKey("-", "-"), message));
    }

    private void live() {
        around.time.advance(BOOT_MS);
        for (int round = 0; round < ROUNDS; round++) {
            around.walletTroublePercent = dice.any(List.of(0, 0, 10, 40));
            around.refusedGiftPercent = dice.any(List.of(0, 0, 0, 30));
            market.turn();
            around.time.later(dice.below(60_000), market::turn);
            pace(dice.any(List.of(500, 2_500)));
            nemesis.rage(dice.any(List.of(1_000, 5_000, 20_000)));
            around.time.advance(20_000 + dice.below(50_000));
            rest();
            pace(dice.any(List.of(20_000, 60_000)));
            if (dice.coin()) {
                nemesis.rage(60_000);
            }
            around.time.advance(60_000 + dice.below(160_000));
        }
        pace(0);
        around.time.advance(LAST_ANSWERS_MS);
        rest();
        examination.lookEverywhere().forEach(around::found);
        around.time.advance(LINES_WRITTEN_MS);
        around.time.advance(Math.max(0, restedMs + ALL_DELIVERED_MS - around.time.nowMs()));
        around.time.advance(Math.max(0, restedMs + GIFTS_SETTLED_MS - around.time.nowMs()));
        examination.check().forEach(around::found);
    }

    private void pace(int pauseMs) {
        callers.forEach(caller -> caller.pace(pauseMs));
    }

    /** Nothing stands in the way any more: then every room must answer, and what is overdue be done. */
    private void rest() {
        // Clients that ask for all rooms would hide it when nobody looks for those without an owner.
        boolean alone =
                dice.coin() && cluster.settings.loadedRooms() > rooms.all().size();
        if (alone) {
            pace(0);
        }
        around.walletTroublePercent = 0;
        // Somebody repairs the wallet, and puts back what it would not do.
        around.refusedGiftPercent = 0;
        around.database.gifts().putAllBack();
        nemesis.rest();
        long sinceMs = around.databaseNowMs();
        around.time.advance(Nemesis.AFTERMATH_MS);
        nemesis.rest();
        // A refusal may have been on its way.
        around.database.gifts().putAllBack();
        restedMs = around.time.nowMs();
        if (alone) {
            around.time.advance(2 * cluster.settings.leaseTtlMs() + ADOPTION_SLACK_MS);
            examination.withoutOwner().forEach(around::found);
        }
        Probe probe = new Probe(cluster, rooms);
        around.time.advance(probe.limitMs());
        probe.end().forEach(around::found);
        examination.overdue(sinceMs).forEach(around::found);
    }

    private Outcome outcome() {
        return new Outcome(
                seed,
                around.trace.hash(),
                around.trace.events(),
                around.time.nowMs(),
                around.violations(),
                around.database.rooms().stream()
                        .mapToLong(
                                room -> around.database.room(room).orElseThrow().version())
                        .sum(),
                names(cluster.recorder.told()),
                names(nemesis.struck()),
                names(examination.fates()),
                names(examination.flights()),
                names(around.rtc.reports()),
                around.database.rooms().stream()
                        .mapToLong(room -> around.database.firstLogged(room) - 1)
                        .sum(),
                around.trace.lines());
    }

    private static <E extends Enum<E>> Map<String, Integer> names(Map<E, Integer> counts) {
        Map<String, Integer> named = new TreeMap<>();
        counts.forEach((kind, count) -> named.put(kind.name(), count));
        return named;
    }
}
