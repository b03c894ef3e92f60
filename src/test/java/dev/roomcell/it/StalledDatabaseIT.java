package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MySQL stands still, with its connections open, while commands go on coming. {@code -Dfault.stall.ms=20000} for longer. */
@Alone
final class StalledDatabaseIT {
    private static final Logger log = LoggerFactory.getLogger(StalledDatabaseIT.class);
    private static final long STALL_MS = Long.getLong("fault.stall.ms", 3_000);
    private static final int PER_SECOND = 500;
    private static final int TICK_MS = 100;
    private static final long DEADLINE_MS = 1_000;
    /** For a machine that has other things to do. */
    private static final long SLACK_MS = 2_000;

    private static final List<RoomKey> ROOMS = IntStream.range(0, 20)
            .mapToObj(i -> new RoomKey("stalled", "room" + i))
            .toList();

    private final Queue<Asked> answered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private Vertx vertx;
    private Backends backends;
    private FaultProxy toMysql;
    private RoomNode node;
    private RawConnection connection;

    private record Asked(long sentNs, long answeredNs, GrpcStatus status) {
        long tookMs() {
            return TimeUnit.NANOSECONDS.toMillis(answeredNs - sentNs);
        }
    }

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        toMysql = Await.result(FaultProxy.startMysql(vertx, backends.servers().mysqlPort()));
        node = backends.startNode(
                "stalled",
                Map.of("ROOM_MYSQL_PORT", Integer.toString(toMysql.port()), "ROOM_MYSQL_READ_CONNECTIONS", "2"));
        connection = RawConnection.open(vertx, node.grpcPort());
        for (RoomKey room : ROOMS) {
            connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create"));
        }
    }

    @AfterEach
    void stop() {
        Await.result(node.stop());
        Await.result(vertx.close());
    }

    private void sendWhatIsDue() {
        for (int i = 0; i < PER_SECOND * TICK_MS / 1_000; i++) {
            int number = sent.incrementAndGet();
            RoomKey room = ROOMS.get(number % ROOMS.size());
            String user = "user" + number;
            waiting.incrementAndGet();
            long sentNs = System.nanoTime();
            connection
                    .postGrpc(
                            RoomCalls.JOIN_ROOM,
                            Map.of("grpc-timeout", DEADLINE_MS + "m"),
                            RawConnection.framed(
                                    RoomCalls.join(room, user, "join" + number).toByteArray()))
                    .map(RawAnswer::status)
                    .otherwise(GrpcStatus.UNKNOWN)
                    .onSuccess(status -> {
                        answered.add(new Asked(sentNs, System.nanoTime(), status));
                        waiting.decrementAndGet();
                    });
        }
    }

    private List<Asked> sentBetween(long fromNs, long toNs) {
        return answered.stream()
                .filter(asked -> asked.sentNs - fromNs >= 0 && asked.sentNs - toNs < 0)
                .toList();
    }

    /** B90. */
    @Test
    void whileTheDatabaseStandsStillEveryCallerIsToldInTimeAndAfterwardsAllAreServed() {
        long ticking = vertx.setPeriodic(TICK_MS, tick -> sendWhatIsDue());
        Await.until("commands are taken", () -> answered.stream().anyMatch(asked -> asked.status == GrpcStatus.OK));
        toMysql.hold();
        long stalledNs = System.nanoTime();
        Await.result(vertx.timer(STALL_MS, TimeUnit.MILLISECONDS));
        long backNs = System.nanoTime();
        toMysql.release();
        // A whole second's commands in a row.
        Await.until("every command is taken", () -> {
            List<Asked> last = new ArrayList<>(sentBetween(backNs, System.nanoTime()));
            return last.size() > PER_SECOND
                    && last.subList(last.size() - PER_SECOND, last.size()).stream()
                            .allMatch(asked -> asked.status == GrpcStatus.OK);
        });
        vertx.cancelTimer(ticking);
        Await.until("all is answered", () -> waiting.get() == 0);

        List<Asked> during = sentBetween(stalledNs, backNs);
        List<Asked> after = sentBetween(backNs, System.nanoTime());
        long lastRefusedMs = after.stream()
                .filter(asked -> asked.status != GrpcStatus.OK)
                .mapToLong(asked -> TimeUnit.NANOSECONDS.toMillis(asked.sentNs - backNs))
                .max()
                .orElse(0);
        log.info(
                "{} commands sent while MySQL stood still, the last refused {} ms after it",
                during.size(),
                lastRefusedMs);
        assertThat(answered).allSatisfy(asked -> {
            assertThat(asked.status).isIn(GrpcStatus.OK, GrpcStatus.UNAVAILABLE);
            assertThat(asked.tookMs()).isLessThan(DEADLINE_MS + SLACK_MS);
        });
        assertThat(during).anyMatch(asked -> asked.status == GrpcStatus.UNAVAILABLE);
        Audit.assertStoredRoomsAreSound(backends);
    }
}
