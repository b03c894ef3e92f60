package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three nodes, a MariaDB and a Redis as processes, guests in forty rooms, and faults of all kinds from one seed. A build
 * has time for a few; {@code -Dfaults.count=60 -Dfaults.minutes=8} for all kinds, {@code -Dfaults.seed=N} for others.
 */
@Alone
final class FaultSuiteIT {
    private static final Logger log = LoggerFactory.getLogger(FaultSuiteIT.class);
    private static final long SEED = Long.getLong("faults.seed", 344);
    private static final int FAULTS = Integer.getInteger("faults.count", 8);
    private static final double MINUTES = Double.parseDouble(System.getProperty("faults.minutes", "0.5"));
    /** The rest is for the end of the last fault. */
    private static final int SPREAD_MS_A_MINUTE = 52_000;

    /** Of these kinds only: to look at one of them. */
    private static final List<FaultKind> KINDS = Stream.of(
                    System.getProperty("faults.kinds", "").split(","))
            .filter(name -> !name.isEmpty())
            .map(FaultKind::valueOf)
            .toList();

    private static final int PAUSE_MS = Integer.getInteger("faults.pause.ms", 400);

    /** A run whose load did less than this in a quiet time, commands/s, shows nothing. */
    private static final long LEAST_RATE = Long.getLong("faults.least.rate", 100);

    /**
     * What a node must not say, whatever goes wrong around it: an error of its own, or an exception that nobody caught.
     * Libraries call it an error, too, when a connection is reset under them or a member is told that it was dropped.
     */
    private static final Pattern BUG =
            Pattern.compile("(?m)^.*( ERROR (?:d\\.r|dev\\.r)|Unhandled exception).*(\\R\\S.*)?");

    /**
     * But not this: Vert.x 5.0.7 completes a write twice when the connection to a node that was killed ends in the middle of it;
     * the write has failed by then, and its callers know. A promise of ours that is completed twice has another stack.
     */
    private static final Pattern BUS_WRITES_TWICE =
            Pattern.compile("(?m)^.*Unhandled exception.*\\R.*IllegalStateException: Promise already completed.*\\R"
                    + "(?:\\s+at io\\.vertx\\.core\\..*\\R){1,9}?"
                    + "\\s+at io\\.vertx\\.core\\.eventbus\\.impl\\.clustered\\.OutboundConnection\\.writeMessage.*");

    /** Where the nodes' logs stay; empty for nowhere. */
    private static final String LOGS = System.getProperty("faults.logs", "");

    @TempDir
    Path folder;

    private Vertx vertx;
    private FaultStage stage;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        stage = FaultStage.start(vertx, LOGS.isEmpty() ? folder : Path.of(LOGS));
    }

    @AfterEach
    void stop() {
        stage.close();
        Await.result(vertx.close());
    }

    @Test
    void whateverFailsWhatWasAcknowledgedIsTrueAndEveryRoomComesBack() {
        FaultSchedule schedule = FaultSchedule.draw(SEED, FAULTS, KINDS);
        log.info("seed {}:\n{}", SEED, schedule);
        try {
            run(schedule);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + SEED + ":\n" + schedule + e.getMessage(), e);
        }
    }

    private void run(FaultSchedule schedule) {
        long beganNs = System.nanoTime();
        PartyLoad load = PartyLoad.start(vertx, stage.addresses(), SEED, PAUSE_MS);
        load.awaitRooms();
        Nemesis nemesis = new Nemesis(stage, load.record());
        QuietTime quiet = new QuietTime(load);
        nemesis.rage(schedule, (long) (MINUTES * SPREAD_MS_A_MINUTE), quiet::pass);
        long lastedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
        load.stop();
        PartyAudit audit = PartyAudit.of(load, stage.backends());
        FaultReport report = new FaultReport(load, nemesis.struck());
        log.info("seed {}{}", SEED, report.text(audit, quiet, lastedMs));

        assertThat(audit.violations()).isEmpty();
        assertThat(load.record().unacceptable()).isEmpty();
        assertThat(quiet.silent()).isEmpty();
        assertThat(report.lostDuring(FaultKind.ROLLING_RESTART)).isEmpty();
        assertThat(quiet.ratesPerSecond()).isNotEmpty().allMatch(rate -> rate >= LEAST_RATE);
        Audit.assertStoredRoomsAreSound(stage.backends());
        assertAllFactsAreDelivered();
        assertThat(stage.logs()).flatMap(FaultSuiteIT::bugs).isEmpty();
        if (KINDS.isEmpty() && FAULTS >= FaultKind.values().length) {
            Set<FaultKind> came = EnumSet.noneOf(FaultKind.class);
            nemesis.struck().forEach(one -> came.add(one.strike().kind()));
            assertThat(came).containsExactly(FaultKind.values());
        }
    }

    private static List<String> bugs(String said) {
        return BUG.matcher(BUS_WRITES_TWICE.matcher(said).replaceAll(""))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private void assertAllFactsAreDelivered() {
        try (OutboxRows rows = new OutboxRows(stage.backends())) {
            Await.until("all facts are delivered", rows::allFinished);
        }
    }
}
