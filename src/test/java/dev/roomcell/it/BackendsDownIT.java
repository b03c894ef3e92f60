package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.dev.EmbeddedServers;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LEASE-13: a node whose Redis or MySQL is gone says so, loses nothing, and serves again by itself. */
final class BackendsDownIT {
    private static final RoomKey ROOM = new RoomKey("down", "room");

    private static EmbeddedServers servers;

    private final HttpClient http = HttpClient.newHttpClient();
    private Vertx vertx;
    private RoomNode node;
    private Backends backends;
    private RawConnection connection;
    private int commands;

    @BeforeAll
    static void startServers() {
        servers = EmbeddedServers.startTemporary();
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        backends = Backends.on(servers);
        node = backends.startNode("down", Map.of("ROOM_LEASE_TTL_MS", "3000", "ROOM_REDIS_CALL_TIMEOUT_MS", "500"));
        connection = RawConnection.open(vertx, node.grpcPort());
    }

    @AfterEach
    void stop() {
        Await.result(node.stop());
        Await.result(vertx.close());
    }

    private int health(String what) {
        return get("/health/" + what).statusCode();
    }

    private HttpResponse<String> get(String path) {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.opsPort() + path))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void assertOnlyOneIsDown(String down, String up) {
        HttpResponse<String> ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        JsonObject body = new JsonObject(ready.body());
        assertThat(body.getString("status")).isEqualTo("DOWN");
        JsonObject parts = body.getJsonObject("parts");
        assertThat(parts.getString("node")).isEqualTo("ok");
        assertThat(parts.getString(up)).isEqualTo("ok");
        assertThat(parts.getString(down)).isNotBlank().isNotEqualTo("ok").doesNotContain("null");
    }

    private RoomKey create(String roomId) {
        RoomKey room = new RoomKey(ROOM.appCode(), roomId);
        assertThat(connection
                        .call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create"))
                        .status())
                .isEqualTo(GrpcStatus.OK);
        return room;
    }

    private RawAnswer join(RoomKey room) {
        commands++;
        return connection.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "user" + commands, "join" + commands));
    }

    /** What needs the database and nothing else. */
    private List<RawAnswer> storedReads(RoomKey room) {
        return List.of(
                connection.call(RoomCalls.LIST_ROOMS, RoomCalls.listRooms(room.appCode(), "", 0, "")),
                connection.call(RoomCalls.GET_ROOM_EVENTS, RoomCalls.getRoomEvents(room, 0, 0)));
    }

    @Test
    void aHealthyNodeIsAliveAndReadyAndCountsItsCalls() {
        create("healthy");
        assertThat(health("live")).isEqualTo(200);
        assertThat(health("ready")).isEqualTo(200);
        assertThat(get("/health/other").statusCode()).isEqualTo(404);
        assertThat(get("/metrics").body())
                .containsPattern("room_calls_seconds_count\\{[^}]*method=\"CreateRoom\"[^}]*reason=\"OK\"[^}]*\\} 1")
                .contains("room_loaded");
    }

    @Test
    void withoutRedisItAnswersUnavailableAndComesBackByItself() throws Exception {
        RoomKey room = create("without redis");
        servers.killRedis();
        RawAnswer refused = join(room);
        assertThat(refused.status()).as(refused.message()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertThat(refused.reason()).isIn("STORE_UNAVAILABLE", "LEASE_LOST");
        storedReads(room).forEach(read -> assertThat(read.status()).isEqualTo(GrpcStatus.OK));
        assertThat(health("live")).isEqualTo(200);
        assertOnlyOneIsDown("redis", "mysql");
        servers.restartRedis();
        assertServesAgain(room, 1);
    }

    @Test
    void withoutMysqlItAnswersUnavailableAndComesBackByItself() throws Exception {
        RoomKey room = create("without mysql");
        servers.killMysql();
        RawAnswer refused = join(room);
        assertThat(refused.status()).as(refused.message()).isEqualTo(GrpcStatus.UNAVAILABLE);
        storedReads(room)
                .forEach(read -> assertThat(read.reason()).as(read.message()).isEqualTo("STORE_UNAVAILABLE"));
        assertThat(health("live")).isEqualTo(200);
        assertOnlyOneIsDown("mysql", "redis");
        servers.restartMysql();
        assertServesAgain(room, 1);
    }

    /** B05: A silence shorter than the lease costs no cell: no epoch is minted, so nothing was loaded again. */
    @Test
    void aShortSilenceOfRedisCostsNoCell() throws Exception {
        RoomKey room = create("silence");
        join(room);
        try (RoomTables tables = backends.tables()) {
            long epoch = tables.room(room).orElseThrow().epoch();
            signal("STOP", servers.redisPid());
            try {
                RawAnswer refused = join(room);
                assertThat(refused.reason()).as(refused.message()).isEqualTo("STORE_UNAVAILABLE");
                assertThat(health("live")).isEqualTo(200);
            } finally {
                signal("CONT", servers.redisPid());
            }
            assertServesAgain(room, 2);
            assertThat(tables.room(room).orElseThrow().epoch()).isEqualTo(epoch);
        }
    }

    private static void signal(String name, long pid) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
        assertThat(kill.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    /** Ready, with the room as it was, and taking commands. */
    private void assertServesAgain(RoomKey room, long version) throws Exception {
        Await.until("ready again", () -> health("ready") == 200);
        Await.until(
                "the room answers",
                () -> connection.call(RoomCalls.GET_ROOM, RoomCalls.get(room)).status() == GrpcStatus.OK);
        RawAnswer found = connection.call(RoomCalls.GET_ROOM, RoomCalls.get(room));
        assertThat(GetRoomResponse.parseFrom(found.reply()).getRoom().getRoomVersion())
                .isEqualTo(version);
        // A Redis that forgot the route costs the first command a try (CMD-8), not more.
        Await.until("a command is taken", () -> join(room).status() == GrpcStatus.OK);
        Audit.assertStoredRoomsAreSound(backends);
    }
}
