package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy.Direction;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers that are killed or stopped in the middle, a queue that is out, and a room that can't be delivered. {@code
 * -Doutbox.kills=20} and {@code -Doutbox.outage.ms=60000} for more than a build has time for.
 */
@Alone
final class OutboxFaultsIT {
    private static final Logger log = LoggerFactory.getLogger(OutboxFaultsIT.class);
    private static final int KILLS = Integer.getInteger("outbox.kills", 1);
    private static final long OUTAGE_MS = Long.getLong("outbox.outage.ms", 2_000);
    private static final long GRACE_MS = 5_000;
    private static final String APP = "facts";
    private static final List<RoomKey> ROOMS = rooms(APP, 25);

    @TempDir
    Path folder;

    private Vertx vertx;
    private Backends backends;
    private OutboxRows rows;
    private FactStream stream;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        // The schema is migrated by whoever comes first.
        Await.result(backends.startNode("migrates", Map.of()).stop());
        rows = new OutboxRows(backends);
        stream = new FactStream(vertx, backends, APP);
    }

    @AfterEach
    void stop() {
        rows.close();
        stream.close();
        Await.result(vertx.close());
    }

    private static List<RoomKey> rooms(String app, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new RoomKey(app, "room-" + i))
                .toList();
    }

    private OutboxNode node(String nodeId, Map<String, String> more) {
        return OutboxNode.start(vertx, folder, backends, nodeId, more);
    }

    /** Every fact is there, those of a room in their order; returns how many are there twice. */
    private int assertAllArrived(int versions) {
        List<FactStream.Entry> entries = stream.entries();
        Set<FactStream.Entry> seen = new HashSet<>();
        for (RoomKey room : ROOMS) {
            List<Long> first = new ArrayList<>();
            for (FactStream.Entry entry : entries) {
                if (entry.room().equals(room) && seen.add(entry)) {
                    assertThat(entry.envelope()).isEqualTo(OutboxRows.envelope(room, entry.version()));
                    first.add(entry.version());
                }
            }
            assertThat(first)
                    .as(room.toString())
                    .isEqualTo(IntStream.rangeClosed(1, versions)
                            .mapToObj(i -> (long) i)
                            .toList());
        }
        assertThat(seen).hasSize(versions * ROOMS.size());
        return entries.size() - seen.size();
    }

    /** B79, B81: killed when the queue has taken what it sent, and its answer is still on the way. */
    @Test
    @Tag("OUT-2")
    @Tag("OUT-4")
    @Tag("OUT-6")
    void whatAKilledWorkerHadIsDeliveredByAnotherInTime() {
        int versions = 0;
        OutboxNode survivor = node("survivor", Map.of());
        try {
            for (int kill = 1; kill <= KILLS; kill++) {
                OutboxNode victim = node("victim", Map.of());
                try {
                    survivor.process.awaitReady();
                    victim.process.awaitReady();
                    Await.until("the two share", () -> workersWithPartitions() == 2);
                    // Now the victim has a connection to the queue, too.
                    rows.insert(ROOMS, ++versions, 1);
                    Await.until("all is delivered", rows::allFinished);
                    victim.sink.blackHole(Direction.TO_CLIENT);
                    rows.insert(ROOMS, versions + 1, 10);
                    versions += 10;
                    Await.until("the victim has claimed some, and the queue has taken them", this::victimIsStuck);
                    victim.process.kill();
                    long killedNs = System.nanoTime();
                    Await.until("all is delivered", rows::allFinished);
                    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs);
                    log.info("kill {}: all is delivered {} ms later", kill, tookMs);
                    assertThat(tookMs).isLessThan(OutboxNode.CLAIM_MS + OutboxNode.LEASE_MS + GRACE_MS);
                } finally {
                    victim.close();
                }
            }
            int twice = assertAllArrived(versions);
            log.info("{} facts came twice", twice);
            assertThat(twice).isBetween(1, KILLS * OutboxNode.BATCH);
        } finally {
            survivor.close();
        }
    }

    private int workersWithPartitions() {
        return rows.rows("SELECT DISTINCT worker_id FROM room_outbox_partitions WHERE worker_id <> ''")
                .size();
    }

    private boolean victimIsStuck() {
        List<List<String>> claimed = rows.rows("SELECT app_code, room_id, room_version FROM room_outbox"
                + " WHERE status = 'delivering' AND worker_id LIKE 'victim%'");
        Set<String> there = new HashSet<>();
        if (!claimed.isEmpty()) {
            stream.entries().forEach(entry -> there.add(entry.eventId()));
        }
        return !claimed.isEmpty()
                && claimed.stream().allMatch(row -> there.contains(row.get(1) + ":" + row.get(2) + ":0"));
    }

    /** B77. */
    @Test
    @Tag("OUT-2")
    void whoSleepsThroughItsClaimChangesNothingWhenItWakes() {
        OutboxNode slow = node("slow", Map.of());
        try {
            slow.process.awaitReady();
            slow.sink.delay(Direction.TO_CLIENT, 400);
            rows.insert(ROOMS, 1, 2);
            Await.until("it has claimed some", () -> rows.count("delivering") > 0);
            slow.process.signal("STOP");
            OutboxNode other = node("other", Map.of());
            try {
                other.process.awaitReady();
                Await.until("all is delivered", rows::allFinished);
                String delivered = "SELECT room_id, room_version, worker_id, due_ms FROM room_outbox"
                        + " ORDER BY room_id, room_version";
                List<List<String>> before = rows.rows(delivered);
                slow.process.signal("CONT");
                Await.until(
                        "it finds that it was late", () -> slow.process.log().contains("was late with"));
                assertThat(rows.rows(delivered)).isEqualTo(before);
                assertThat(assertAllArrived(2)).isLessThanOrEqualTo(OutboxNode.BATCH);
            } finally {
                other.close();
            }
        } finally {
            slow.close();
        }
    }

    /** B75. */
    @Test
    @Tag("OUT-4")
    void anOutageOfTheQueueParksNothingAndIsMadeUpForAtOnce() {
        OutboxNode node = node("node", Map.of("ROOM_OUTBOX_MAX_TRIES", "2"));
        try {
            node.process.awaitReady();
            node.sink.refuse();
            node.sink.reset();
            rows.insert(ROOMS, 1, 20);
            long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(OUTAGE_MS);
            Await.until("it has tried", () -> rows.count("retryable") > 0);
            Await.until("the outage has lasted", () -> System.nanoTime() - deadlineNs > 0);
            assertThat(rows.rows("SELECT MAX(attempts) FROM room_outbox")).isEqualTo(List.of(List.of("0")));
            assertThat(rows.count("delivered")).isZero();
            node.sink.pass();
            long backNs = System.nanoTime();
            Await.until("all is delivered", rows::allFinished);
            log.info(
                    "all is delivered {} ms after the queue is back",
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - backNs));
            assertThat(rows.byStatus()).isEqualTo(Map.of("delivered", 20L * ROOMS.size()));
            assertAllArrived(20);
        } finally {
            node.close();
        }
    }

    /** B74: 50 facts that nobody takes, in one room, and 200 rooms beside it in its partition and in others. */
    @Test
    @Tag("OUT-6")
    void oneRoomThatCantBeDeliveredHoldsUpNobody() {
        RoomKey poisoned = new RoomKey("poison", "room");
        List<RoomKey> others = new ArrayList<>();
        for (int i = 0; others.size() < 200; i++) {
            RoomKey room = new RoomKey(APP, "other-" + i);
            boolean neighbour = OutboxStore.partitionOf(room) == OutboxStore.partitionOf(poisoned);
            if (neighbour || i < 150) {
                others.add(room);
            }
        }
        OutboxNode node = node(
                "node",
                Map.of("ROOM_OUTBOX_MAX_TRIES", "3", "ROOM_OUTBOX_RETRY_MAX_MS", "100", "ROOM_OUTBOX_BATCH", "20"));
        try (FactStream poison = new FactStream(vertx, backends, "poison")) {
            poison.occupy();
            node.process.awaitReady();
            rows.insert(List.of(poisoned), 1, 50);
            Await.until("it was refused", () -> rows.count("retryable") > 0);
            rows.insert(others, 1, 5);
            Await.until("all others are delivered", () -> rows.count("delivered") == 5L * others.size());
            assertThat(rows.count("failed"))
                    .as("while the poison is still tried")
                    .isLessThan(50);
            Await.until("the poison is parked", rows::allFinished);
            assertThat(rows.byStatus()).isEqualTo(Map.of("delivered", 5L * others.size(), "failed", 50L));
            assertThat(rows.rows("SELECT DISTINCT attempts, last_error LIKE 'WRONGTYPE%', LENGTH(envelope) > 0"
                            + " FROM room_outbox WHERE status = 'failed'"))
                    .isEqualTo(List.of(List.of("3", "1", "1")));
        } finally {
            node.close();
        }
    }
}
