package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Six workers claim, finish and purge where the rooms commit. {@code -Doutbox.seconds=60} for more than a build has time
 * for.
 */
@Alone
final class OutboxLoadIT {
    private static final Logger log = LoggerFactory.getLogger(OutboxLoadIT.class);
    private static final int SECONDS = Integer.getInteger("outbox.seconds", 3);
    private static final int USERS = 4;
    private static final String APP = "load";
    private static final List<RoomKey> ROOMS =
            IntStream.range(0, 12).mapToObj(i -> new RoomKey(APP, "room" + i)).toList();

    /** What a command or a worker would say if a deadlock, or a wait for a lock, got the better of it. */
    private static final List<String> LOST = List.of("1213", "1205", "Deadlock", "Lock wait");

    @TempDir
    Path folder;

    private Vertx vertx;
    private Backends backends;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private NodeProcess node(String nodeId, Map<String, String> more) {
        return NodeProcess.start(folder, backends.environment(nodeId, more));
    }

    /** Runs commands against two nodes for a while; none may fail, or be tried twice for a lock. */
    private void underLoad(long keptMs) {
        Map<String, String> settings = Map.of(
                "ROOM_OUTBOX_WORKERS", "3",
                "ROOM_OUTBOX_POLL_MS", "10",
                "ROOM_OUTBOX_KEEP_DELIVERED_MS", Long.toString(keptMs));
        NodeProcess first = node("first", settings);
        NodeProcess second = node("second", settings);
        try {
            String target = "127.0.0.1:" + first.awaitReady().grpcPort() + ",127.0.0.1:"
                    + second.awaitReady().grpcPort();
            Load load = Load.start(vertx, target, ROOMS, USERS, 1);
            long untilNs = System.nanoTime() + SECONDS * 1_000_000_000L;
            Await.until("the load has lasted", () -> System.nanoTime() - untilNs > 0);
            load.stop();
            assertThat(load.failures()).isEmpty();
            try (OutboxRows rows = new OutboxRows(backends)) {
                Await.until("all is delivered", rows::allFinished);
                log.info("deadlocks in the server so far: {}", rows.rows("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'"));
                if (keptMs == 0) {
                    Await.until("all is purged", () -> rows.byStatus().isEmpty());
                }
            }
            Audit.of(load, backends, keptMs);
            for (NodeProcess node : List.of(first, second)) {
                assertThat(node.log()).doesNotContain(LOST);
            }
            log.info("{} commands", ROOMS.stream().mapToLong(load::acknowledged).sum());
        } finally {
            first.close();
            second.close();
        }
    }

    private void assertArrivedInOrder() {
        try (FactStream stream = new FactStream(vertx, backends, APP);
                RoomTables tables = backends.tables()) {
            List<FactStream.Entry> entries = stream.entries();
            for (RoomKey room : ROOMS) {
                List<Long> arrived = entries.stream()
                        .filter(entry -> entry.room().equals(room))
                        .map(FactStream.Entry::version)
                        .toList();
                // A version has one event here, and each of them is durable.
                assertThat(arrived)
                        .isEqualTo(
                                tables.log(room).stream().map(LogRow::version).toList());
            }
        }
    }

    /** B84. */
    @Test
    @Tag("OUT-2")
    @Tag("OUT-6")
    void claimsAreInNoCommandsWay() {
        underLoad(86_400_000);
        assertArrivedInOrder();
    }

    /** B83. */
    @Test
    @Tag("OUT-7")
    void purgingIsInNoCommandsWay() {
        underLoad(0);
        assertArrivedInOrder();
    }
}
