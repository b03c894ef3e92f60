package dev.roomcell.it;

import dev.roomcell.client.RoomClient;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A time without faults: every room must answer within the lease and a second, and the load must go on (I14). */
final class QuietTime {
    private static final Logger log = LoggerFactory.getLogger(QuietTime.class);
    private static final long ANSWER_WITHIN_MS = Backends.LEASE_TTL_MS + 1_000;
    private static final long RATE_OVER_MS = 2 * Backends.LEASE_TTL_MS;

    private final PartyLoad load;
    private final List<String> silent = new ArrayList<>();
    private final List<Long> ratesPerSecond = new ArrayList<>();
    private long slowestMs;

    QuietTime(PartyLoad load) {
        this.load = load;
    }

    /** Looks at every room at once, and then at the load. */
    void pass() {
        RoomClient client = load.impatientClient(ANSWER_WITHIN_MS);
        long beganNs = System.nanoTime();
        List<Future<Long>> answers = new ArrayList<>();
        for (RoomKey room : load.rooms().open()) {
            answers.add(client.getRoom(RoomCalls.get(room))
                    .map(found -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs))
                    .recover(failure -> {
                        // A room that nobody has made yet, or that was closed, has answered.
                        if (PartyRecord.isRejection(failure)) {
                            return Future.succeededFuture(0L);
                        }
                        silent.add(room + ": " + failure.getMessage());
                        return Future.succeededFuture(ANSWER_WITHIN_MS);
                    }));
        }
        Await.result(Future.join(answers));
        Await.result(client.close());
        long slowest = answers.stream().mapToLong(Future::result).max().orElse(0);
        slowestMs = Math.max(slowestMs, slowest);
        long fromNs = System.nanoTime();
        long acknowledged = load.record().acknowledged();
        Nemesis.until("the quiet time is over", fromNs + TimeUnit.MILLISECONDS.toNanos(RATE_OVER_MS));
        long rate = (load.record().acknowledged() - acknowledged)
                * 1_000
                / TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fromNs);
        ratesPerSecond.add(rate);
        log.info("quiet: every room has answered after {} ms, {} commands/s", slowest, rate);
    }

    /** Rooms that did not answer in time. */
    List<String> silent() {
        return silent;
    }

    /** The commands a second of each quiet time. */
    List<Long> ratesPerSecond() {
        return ratesPerSecond;
    }

    /** The longest that a room took to answer, ms. */
    long slowestMs() {
        return slowestMs;
    }
}
