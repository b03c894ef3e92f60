package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.config.NodeConfig;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.OwnerHint;
import dev.roomcell.proto.room.v1.RetryHint;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two nodes on one schema and one Redis: who owns what, and how callers find it. */
final class TwoNodesIT {
    private static Vertx vertx;
    private static Backends backends;
    private static RoomNode first;
    private static RoomNode second;
    private static RoomTables tables;
    private static RedisView redis;
    private static RawConnection toFirst;
    private static RawConnection toSecond;

    /** Both find the schema empty, and migrate it at once. */
    @BeforeAll
    static void start() throws Exception {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        List<CompletableFuture<RoomNode>> starting = Stream.of("first", "second")
                .map(id -> NodeConfig.load(null, backends.environment(id, Map.of())))
                .map(config -> CompletableFuture.supplyAsync(() -> Await.result(RoomNode.start(config))))
                .toList();
        first = starting.get(0).get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        second = starting.get(1).get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        tables = backends.tables();
        redis = new RedisView(vertx, backends);
        toFirst = RawConnection.open(vertx, first.grpcPort());
        toSecond = RawConnection.open(vertx, second.grpcPort());
    }

    @AfterAll
    static void stop() {
        tables.close();
        Await.result(Future.join(first.stop(), second.stop()));
        Await.result(vertx.close());
    }

    private static RoomKey createdAtFirst(String roomId) {
        RoomKey room = new RoomKey("two", roomId);
        assertThat(toFirst.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create"))
                        .status())
                .isEqualTo(GrpcStatus.OK);
        return room;
    }

    @Test
    void bothNodesHaveStartedOnTheSchemaThatTheyFoundEmpty() {
        assertThat(first.nodeId()).startsWith("first.").isNotEqualTo(second.nodeId());
        assertThat(tables.migrations()).isEqualTo(tables.distinctMigrations()).isPositive();
    }

    /** LEASE-2, LEASE-3. */
    @Test
    void redisHoldsTheRouteOfARoomAndTheAddressOfANode() {
        RoomKey room = createdAtFirst("routed");
        assertThat(redis.keys()).contains("two\0routed").doesNotContain("routed");
        String node = "room:node:" + first.nodeId();
        assertThat(redis.text(node)).isEqualTo("127.0.0.1:" + first.grpcPort());
        assertThat(redis.ttlMs(node)).isBetween(1L, Backends.LEASE_TTL_MS);
        assertThat(redis.ttlMs(room.routeKey())).isBetween(1L, Backends.LEASE_TTL_MS);
    }

    /** LEASE-3, LEASE-6. */
    @Test
    void whoeverIsNotTheOwnerNamesTheOwner() {
        RoomKey room = createdAtFirst("hinted");
        for (RawAnswer answer : List.of(
                toSecond.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "user", "join")),
                toSecond.call(RoomCalls.GET_ROOM, RoomCalls.get(room)),
                toSecond.call(RoomCalls.LIST_PRESENCE, RoomCalls.listPresence(room)),
                toSecond.call(RoomCalls.CHECK_PRESENCE, RoomCalls.checkPresence(room, "user")),
                toSecond.call(RoomCalls.HEARTBEAT, RoomCalls.heartbeat(room, "user")))) {
            assertThat(answer.status()).as(answer.message()).isEqualTo(GrpcStatus.UNAVAILABLE);
            assertThat(answer.reason()).isEqualTo("NOT_OWNER");
            assertThat(answer.retry()).isEqualTo(RetryHint.Kind.KIND_SAME_COMMAND_ID);
            assertThat(answer.owner())
                    .contains(OwnerHint.newBuilder()
                            .setNodeId(first.nodeId())
                            .setAdvertiseAddr(first.advertiseAddr())
                            .build());
        }
        assertThat(tables.log(room)).hasSize(1);
    }

    @Test
    void aClientFollowsTheHintOnceAndRemembersIt() {
        RoomKey room = createdAtFirst("followed");
        Queue<RoomCallException> retried = new ConcurrentLinkedQueue<>();
        RoomClient client = RoomClient.create(
                vertx, RoomClientOptions.to(second.advertiseAddr()).withRetryObserver(retried::add));
        Await.result(client.joinRoom(RoomCalls.join(room, "user", "join")));
        assertThat(retried).extracting(RoomCallException::reason).containsExactly("NOT_OWNER");
        Await.result(client.leaveRoom(RoomCalls.leave(room, "user", "leave")));
        Await.result(client.getRoom(RoomCalls.get(room)));
        assertThat(retried).hasSize(1);
        assertThat(tables.log(room)).hasSize(3);
        Await.result(client.close());
    }

    /** ROOM-7: the primary key decides between nodes that create the same room. */
    @Test
    void aRoomCreatedAtBothNodesAtOnceIsMadeOnce() {
        RoomClient client =
                RoomClient.create(vertx, RoomClientOptions.to(first.advertiseAddr() + "," + second.advertiseAddr()));
        for (int i = 0; i < 10; i++) {
            RoomKey room = new RoomKey("two", "race" + i);
            Future<RawAnswer> here = toFirst.send(
                    RoomCalls.CREATE_ROOM, RoomCalls.create(room, "here").toByteArray());
            Future<RawAnswer> there = toSecond.send(
                    RoomCalls.CREATE_ROOM, RoomCalls.create(room, "there").toByteArray());
            assertThat(Stream.of(here, there)
                            .map(Await::result)
                            .filter(answer -> answer.status() == GrpcStatus.OK)
                            .count())
                    .isLessThanOrEqualTo(1);
            // Whoever was told to try again does, and learns that the room is there.
            Await.result(
                    client.createRoom(RoomCalls.create(room, "again")).transform(tried -> Future.succeededFuture()));
            assertThat(tables.log(room)).hasSize(1);
        }
        Await.result(client.close());
    }

    /** LEASE-10: what a node leaves in order is the next one's at once. */
    @Test
    void aNodeThatStopsLeavesItsRoomsToTheOther() {
        RoomNode third = backends.startNode("third", Map.of());
        List<RoomKey> rooms = IntStream.range(0, 5)
                .mapToObj(i -> new RoomKey("two", "left" + i))
                .toList();
        try (RawConnection toThird = RawConnection.open(vertx, third.grpcPort())) {
            for (RoomKey room : rooms) {
                toThird.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create"));
                toThird.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "user", "join"));
                // With somebody in it, one of the others would have taken it by now (LEASE-14).
                toThird.call(RoomCalls.LEAVE_ROOM, RoomCalls.leave(room, "user", "leave"));
            }
        }
        Await.result(third.stop());
        assertThat(redis.keys()).noneMatch(key -> key.contains("left") || key.contains(third.nodeId()));
        for (RoomKey room : rooms) {
            assertThat(tables.snapshotVersions(room)).contains(3L);
            RawAnswer joined = toSecond.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "next", "next"));
            assertThat(joined.status()).as(joined.message()).isEqualTo(GrpcStatus.OK);
        }
    }
}
