package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three nodes as processes, and rooms with people in them that no client asks for any more. {@code -Dadoption.rooms=500} for
 * more rooms than the 60 of a build.
 */
@Alone
final class AdoptionIT {
    private static final Logger log = LoggerFactory.getLogger(AdoptionIT.class);
    private static final int NODES = 3;
    private static final int ROOMS = Integer.getInteger("adoption.rooms", 60);
    private static final int CALLS_AT_ONCE = 20;
    /** All rooms are adopted within the lease and so much more, ms. */
    private static final long GRACE_MS = 2_000;

    private static final List<RoomKey> KEYS = IntStream.range(0, ROOMS)
            .mapToObj(i -> new RoomKey("adopt", "room" + i))
            .toList();

    @TempDir
    Path folder;

    private Vertx vertx;
    private Backends backends;
    private RoomTables tables;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<Map<String, String>> environments = new ArrayList<>();

    @BeforeEach
    void prepare() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        tables = backends.tables();
    }

    @AfterEach
    void stop() {
        nodes.forEach(NodeProcess::close);
        tables.close();
        Await.result(vertx.close());
    }

    /** Starts all nodes and waits until they can be used. */
    private List<NodeProcess.Ready> start(Map<String, String> more) {
        List<Map<String, String>> cluster = Backends.cluster(NODES);
        for (int i = 0; i < NODES; i++) {
            Map<String, String> variables = new HashMap<>(more);
            variables.putAll(cluster.get(i));
            environments.add(backends.environment("adopt" + i, variables));
        }
        return startAll();
    }

    private List<NodeProcess.Ready> startAll() {
        nodes.clear();
        environments.forEach(environment -> nodes.add(NodeProcess.start(folder, environment)));
        List<NodeProcess.Ready> ready =
                nodes.stream().map(NodeProcess::awaitReady).toList();
        if (tables == null) {
            tables = backends.tables();
        }
        return ready;
    }

    /** One user in each room, all through one node, which so has them all. */
    private void fill(NodeProcess.Ready node) {
        try (RawConnection connection = RawConnection.open(vertx, node.grpcPort())) {
            inAll(connection, RoomCalls.CREATE_ROOM, room -> RoomCalls.create(room, "create"));
            inAll(connection, RoomCalls.JOIN_ROOM, room -> RoomCalls.join(room, "ann", "join"));
        }
        assertThat(tables.liveRooms()).isEqualTo(Map.of(node.nodeId(), ROOMS));
    }

    private static void inAll(RawConnection connection, String method, Function<RoomKey, MessageLite> request) {
        for (int from = 0; from < ROOMS; from += CALLS_AT_ONCE) {
            List<Future<RawAnswer>> sent = KEYS.subList(from, Math.min(ROOMS, from + CALLS_AT_ONCE)).stream()
                    .map(room -> connection.send(method, request.apply(room).toByteArray()))
                    .toList();
            sent.forEach(answer -> assertThat(Await.result(answer).status()).isEqualTo(GrpcStatus.OK));
        }
    }

    /** LEASE-14. */
    @Test
    void theRoomsOfAKilledNodeHaveOwnersSoonAndNobodyAsked() {
        List<NodeProcess.Ready> ready = start(Map.of());
        fill(ready.get(0));
        long mints = tables.mints();

        long killedNs = System.nanoTime();
        nodes.get(0).kill();
        String dead = ready.get(0).nodeId();
        Await.until("a room has another owner", () -> tables.liveRooms().getOrDefault(dead, 0) < ROOMS);
        long firstMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs);
        Await.until("every room has another owner", () -> !tables.liveRooms().containsKey(dead));
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs);

        Map<String, Integer> owners = tables.liveRooms();
        log.info(
                "{} rooms adopted from {} to {} ms after the kill, lease {} ms: {}",
                ROOMS,
                firstMs,
                tookMs,
                Backends.LEASE_TTL_MS,
                owners);
        assertThat(owners).containsOnlyKeys(ready.get(1).nodeId(), ready.get(2).nodeId());
        assertThat(owners.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(ROOMS);
        assertThat(tables.mints() - mints).as("loads").isEqualTo(ROOMS);
        assertThat(tookMs).isLessThanOrEqualTo(Backends.LEASE_TTL_MS + GRACE_MS);
    }

    /** B57, LEASE-14: whoever was there when all nodes ended is not listed for ever, though nobody asks for the room. */
    @Test
    void whenAllNodesWereKilledAndTheUsersAreGoneTheListEmptiesByItself() {
        Map<String, String> quick =
                Map.of("ROOM_PRESENCE_STALE_AFTER_MS", "4000", "ROOM_PRESENCE_HEARTBEAT_EVERY_MS", "1000");
        List<NodeProcess.Ready> ready = start(quick);
        fill(ready.get(0));
        nodes.forEach(NodeProcess::kill);
        assertThat(tables.liveRooms()).isEqualTo(Map.of(ready.get(0).nodeId(), ROOMS));

        startAll();
        Await.until("nobody is listed", () -> tables.listedUsers() == 0);
        Await.until("no room is live", () -> tables.liveRooms().isEmpty());
    }
}
