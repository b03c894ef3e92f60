package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node that ends while clients work, and comes back. {@code -Dfault.kills=10} for more than the two of a build. */
@Alone
final class KillNodeIT {
    private static final Logger log = LoggerFactory.getLogger(KillNodeIT.class);
    private static final int KILLS = Integer.getInteger("fault.kills", 2);
    private static final int USERS = 8;
    private static final long PAUSE_MS = 10;
    private static final List<RoomKey> ROOMS =
            IntStream.range(0, 4).mapToObj(i -> new RoomKey("kill", "room" + i)).toList();

    /** Commands acknowledged in every room between two faults. */
    private static final int COMMANDS_BETWEEN = 50;

    /** What the old node has answered is with the clients by then, ms after its end. */
    private static final long LAST_WORDS_MS = 500;

    /** A room answers again within the lease and so much more, ms. */
    private static final long GRACE_MS = 2_000;

    /** Longer than what a hand-over in good order takes, so that the two differ, ms. */
    private static final long LONG_LEASE_MS = 6_000;

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

    /** LEASE-1, CMD-2. */
    @Test
    void whatWasAcknowledgedSurvivesEveryKill() {
        int port = NodeProcess.freePort();
        NodeProcess node = startNode("kill", port, Backends.LEASE_TTL_MS);
        try {
            node.awaitReady();
            Load load = Load.start(vertx, "127.0.0.1:" + port, ROOMS, USERS, PAUSE_MS);
            for (int kill = 1; kill <= KILLS; kill++) {
                load.awaitMore(COMMANDS_BETWEEN);
                node.kill();
                long deadNs = System.nanoTime();
                node = startNode("kill", port, Backends.LEASE_TTL_MS);
                node.awaitReady();
                assertRoomsAnswer("kill " + kill, load, deadNs, System.nanoTime());
            }
            load.awaitMore(COMMANDS_BETWEEN);
            load.stop();
            Audit.of(load, backends);
            assertThat(load.retries()).as("calls that a kill has hit").isPositive();
        } finally {
            node.close();
        }
    }

    private NodeProcess startNode(String nodeId, int port, long leaseTtlMs) {
        return NodeProcess.start(
                folder,
                backends.environment(
                        nodeId,
                        Map.of(
                                "ROOM_GRPC_PORT",
                                Integer.toString(port),
                                "ROOM_LEASE_TTL_MS",
                                Long.toString(leaseTtlMs))));
    }

    private static void assertRoomsAnswer(String what, Load load, long deadNs, long readyNs) {
        long fromNs = deadNs + TimeUnit.MILLISECONDS.toNanos(LAST_WORDS_MS);
        for (RoomKey room : ROOMS) {
            long answeredNs = Await.value("an answer of " + room, () -> load.firstAcknowledgedAfter(room, fromNs));
            long afterReadyMs = TimeUnit.NANOSECONDS.toMillis(answeredNs - readyNs);
            log.info(
                    "{}: {} answers {} ms after the end, {} ms after READY",
                    what,
                    room,
                    TimeUnit.NANOSECONDS.toMillis(answeredNs - deadNs),
                    afterReadyMs);
            assertThat(afterReadyMs).isLessThanOrEqualTo(Backends.LEASE_TTL_MS + GRACE_MS);
        }
    }

    /** LEASE-10: what is left in order is the other's without a wait; after a kill the lease has to run out. */
    @Test
    void theOtherNodeTakesOver() {
        int firstPort = NodeProcess.freePort();
        int secondPort = NodeProcess.freePort();
        NodeProcess first = startNode("first", firstPort, LONG_LEASE_MS);
        NodeProcess second = startNode("second", secondPort, LONG_LEASE_MS);
        try {
            first.awaitReady();
            second.awaitReady();
            String target = "127.0.0.1:" + firstPort + ",127.0.0.1:" + secondPort;
            Load load = Load.start(vertx, target, ROOMS, USERS, PAUSE_MS);
            load.awaitMore(COMMANDS_BETWEEN);

            long toldNs = System.nanoTime();
            first.signal("TERM");
            assertThat(first.awaitExit()).as(first.tail()).isZero();
            load.awaitMore(COMMANDS_BETWEEN);
            assertSilence("a stop in order", load, toldNs, LONG_LEASE_MS / 2);

            first = startNode("first", firstPort, LONG_LEASE_MS);
            first.awaitReady();
            long killedNs = System.nanoTime();
            second.kill();
            load.awaitMore(COMMANDS_BETWEEN);
            assertSilence("a kill", load, killedNs, LONG_LEASE_MS + GRACE_MS);

            load.stop();
            Audit.of(load, backends);
        } finally {
            first.close();
            second.close();
        }
    }

    private static void assertSilence(String what, Load load, long fromNs, long atMostMs) {
        for (RoomKey room : ROOMS) {
            long silentMs = TimeUnit.NANOSECONDS.toMillis(load.longestSilenceNs(room, fromNs));
            log.info("{}: {} is silent for {} ms", what, room, silentMs);
            assertThat(silentMs).as(what).isLessThanOrEqualTo(atMostMs);
        }
    }
}
