package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} as operators meet it: what stops a start, and what a stop leaves behind. */
final class ServeIT {
    @TempDir
    Path folder;

    @Test
    void aBadValueStopsTheStartWithOneLineThatNamesItsKey() {
        assertStopsNaming(
                "room.batch_commands", Backends.shared().environment("bad", Map.of("ROOM_ROOM_BATCH_COMMANDS", "0")));
    }

    @Test
    void anUnknownKeyStopsTheStartWithOneLineThatNamesIt() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.yaml"), "lease:\n  ttl_sm: 6000\n");
        assertStopsNaming("lease.ttl_sm", Backends.shared().environment("bad", Map.of()), "--config", file.toString());
    }

    @Test
    void aServerThatIsNotThereStopsTheStart() {
        for (String variable : List.of("ROOM_MYSQL_PORT", "ROOM_REDIS_PORT")) {
            Map<String, String> environment = Backends.shared().environment("lost", Map.of(variable, "1"));
            try (NodeProcess node = NodeProcess.start(folder, environment)) {
                assertEndsSayingWhy(variable, node);
            }
        }
    }

    /** One sentence for people, which may be a driver's over several lines, and no stack trace. */
    private static void assertEndsSayingWhy(String what, NodeProcess node) {
        assertThat(node.awaitExit()).as(what).isNotZero();
        List<String> lines =
                node.log().lines().filter(line -> !line.contains(" INFO ")).toList();
        assertThat(lines.get(0)).as(what).startsWith("serve: ").doesNotContain("null");
        assertThat(node.log()).as(what).doesNotContain("\tat ", " ERROR ");
    }

    @Test
    void aPortThatIsTakenStopsTheStart() throws IOException {
        for (String variable : List.of("ROOM_GRPC_PORT", "ROOM_OPS_PORT")) {
            try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    NodeProcess node = NodeProcess.start(
                            folder,
                            Backends.shared()
                                    .environment("taken", Map.of(variable, Integer.toString(taken.getLocalPort()))))) {
                assertEndsSayingWhy(variable, node);
            }
        }
    }

    private void assertStopsNaming(String key, Map<String, String> environment, String... arguments) {
        try (NodeProcess node = NodeProcess.start(folder, environment, arguments)) {
            assertThat(node.awaitExit()).isNotZero();
            List<String> lines = node.log().lines().toList();
            assertThat(lines).singleElement().asString().contains(key);
        }
    }

    /** LEASE-10: what the start has begun by then is ended, too. */
    @Test
    void aSignalInTheMiddleOfTheStartEndsTheNodeInOrder() {
        Vertx vertx = Vertx.vertx();
        Backends backends = Backends.shared();
        FaultProxy toMysql =
                Await.result(FaultProxy.startMysql(vertx, backends.servers().mysqlPort()));
        Await.result(backends.startNode("migrates", Map.of()).stop());
        toMysql.hold();
        Map<String, String> environment = backends.environment(
                "early",
                Map.of(
                        "ROOM_MYSQL_PORT",
                        Integer.toString(toMysql.port()),
                        "ROOM_MYSQL_MIGRATE_AT_START",
                        "false",
                        "ROOM_MYSQL_CONNECT_TIMEOUT_MS",
                        "30000",
                        "ROOM_MYSQL_STATEMENT_TIMEOUT_MS",
                        "30000"));
        try (NodeProcess node = NodeProcess.start(folder, environment);
                RedisView redis = new RedisView(vertx, backends)) {
            Await.until("it waits for the database", () -> toMysql.waitingBytes() > 0);
            node.signal("TERM");
            Await.until("the signal is heard", () -> node.log().contains("SIGTERM") || !node.isAlive());
            assertThat(node.isAlive()).isTrue();
            toMysql.release();
            assertThat(node.awaitExit()).as(node.tail()).isZero();
            assertThat(redis.keys()).isEmpty();
            assertThat(node.log()).contains("drained").doesNotContain("READY ", " ERROR ", "\tat ");
        } finally {
            Await.result(vertx.close());
        }
    }

    /** LEASE-10: whoever looks for a room that is not served finds it in the log. */
    @Test
    void aStopThatIsNotOverByTheDeadlineNamesTheRoomsThatAreLeft() {
        Vertx vertx = Vertx.vertx();
        Backends backends = Backends.shared();
        FaultProxy toMysql =
                Await.result(FaultProxy.startMysql(vertx, backends.servers().mysqlPort()));
        RoomKey stuck = new RoomKey("serve", "stuck");
        Map<String, String> environment = backends.environment(
                "late", Map.of("ROOM_MYSQL_PORT", Integer.toString(toMysql.port()), "ROOM_DRAIN_DEADLINE_MS", "1000"));
        try (NodeProcess node = NodeProcess.start(folder, environment)) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = RawConnection.open(vertx, ready.grpcPort())) {
                connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(stuck, "create"));
                Future<Void> held = toMysql.holdNextCommit();
                Future<RawAnswer> join = connection.send(
                        RoomCalls.JOIN_ROOM,
                        RoomCalls.join(stuck, "user", "join").toByteArray());
                Await.result(held);
                toMysql.hold();
                node.signal("TERM");
                assertThat(node.awaitExit()).as(node.tail()).isEqualTo(1);
                Await.failure(join.compose(answer -> Future.failedFuture("answered " + answer.status())));
            }
            assertThat(node.log()).contains("not let go by the deadline, 1 rooms: [serve/stuck]");
        } finally {
            Await.result(vertx.close());
        }
    }

    /** LEASE-10, LOG-4. */
    @Test
    void aStopReleasesEveryLeaseAfterASnapshotOfItsRoom() {
        Vertx vertx = Vertx.vertx();
        Backends backends = Backends.shared();
        List<RoomKey> rooms = List.of(new RoomKey("serve", "one"), new RoomKey("serve", "two"));
        try (NodeProcess node = NodeProcess.start(folder, backends.environment("serve", Map.of()));
                RedisView redis = new RedisView(vertx, backends)) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = RawConnection.open(vertx, ready.grpcPort())) {
                for (RoomKey room : rooms) {
                    connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create"));
                    RawAnswer joined = connection.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "user", "join"));
                    assertThat(joined.status()).isEqualTo(GrpcStatus.OK);
                }
                assertThat(redis.keys())
                        .containsExactlyInAnyOrder("serve\0one", "serve\0two", "room:node:" + ready.nodeId());
                node.signal("TERM");
                assertThat(node.awaitExit()).as(node.tail()).isZero();
            }
            assertThat(redis.keys()).isEmpty();
            try (RoomTables tables = backends.tables()) {
                for (RoomKey room : rooms) {
                    assertThat(tables.snapshotVersions(room)).containsExactly(2L);
                    assertThat(tables.log(room)).hasSize(2);
                }
            }
            assertThat(node.log()).doesNotContain("ERROR", "\tat ");
            Audit.assertStoredRoomsAreSound(backends);
        } finally {
            Await.result(vertx.close());
        }
    }
}
