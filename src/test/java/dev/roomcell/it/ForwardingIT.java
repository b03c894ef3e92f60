package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import dev.roomcell.RoomNode;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Nodes that find each other: every one of them takes every call (LEASE-4). */
final class ForwardingIT {
    private static final int NODES = 3;

    private static Vertx vertx;
    private static RoomTables tables;
    private static final List<RoomNode> nodes = new ArrayList<>();
    private static final List<RawConnection> to = new ArrayList<>();

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        Backends backends = Backends.shared();
        List<Map<String, String>> cluster = Backends.cluster(NODES);
        for (int i = 0; i < NODES; i++) {
            RoomNode node = backends.startNode("node" + i, cluster.get(i));
            nodes.add(node);
            to.add(RawConnection.open(vertx, node.grpcPort()));
        }
        tables = backends.tables();
    }

    @AfterAll
    static void stop() {
        tables.close();
        Await.result(Future.join(nodes.stream().map(RoomNode::stop).toList()));
        Await.result(vertx.close());
    }

    private static RoomKey createdAtFirst(String roomId) {
        RoomKey room = new RoomKey("fwd", roomId);
        ok(to.get(0).call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create")));
        return room;
    }

    private static RawAnswer ok(RawAnswer answer) {
        assertThat(answer.status()).as(answer.message()).isEqualTo(GrpcStatus.OK);
        return answer;
    }

    /** LEASE-4: commands, queries and guards reach the owner through any node, and it stays the owner. */
    @Test
    void everyNodeTakesEveryCall() throws Exception {
        RoomKey room = createdAtFirst("everywhere");
        for (int i = 0; i < NODES; i++) {
            RawConnection node = to.get(i);
            ok(node.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "user" + i, "join" + i)));
            ok(node.call(RoomCalls.HEARTBEAT, RoomCalls.heartbeat(room, "user" + i)));
            ok(node.call(RoomCalls.CHECK_PRESENCE, RoomCalls.checkPresence(room, "user" + i)));
            ok(node.call(RoomCalls.CHECK_SPEAK, RoomCalls.checkSpeak(room, "user" + i)));
            ok(node.call(RoomCalls.LIST_PRESENCE, RoomCalls.listPresence(room)));
            RawAnswer read = ok(node.call(RoomCalls.GET_ROOM, RoomCalls.get(room)));
            assertThat(GetRoomResponse.parseFrom(read.reply()).getRoom().getRoomVersion())
                    .isEqualTo(i + 2);
        }
        assertThat(tables.owners(room)).containsExactly(nodes.get(0).nodeId());
    }

    /** A forwarded call fails exactly as a local one: status, reason, message, hints, and what is in the details. */
    @Test
    void errorsAreWhatTheyAreAtTheOwner() {
        RoomKey room = createdAtFirst("errors");
        Map<String, MessageLite> calls = Map.of(
                RoomCalls.LEAVE_ROOM, RoomCalls.leave(room, "nobody", "leave"),
                RoomCalls.MIC_UP, RoomCalls.micUp(room, "nobody", 1, "up"),
                RoomCalls.KICK_USER, RoomCalls.kick(room, "owner", "kick"),
                RoomCalls.CREATE_ROOM, RoomCalls.create(room, "again"),
                RoomCalls.JOIN_ROOM, RoomCalls.join(room, "user", "create"),
                RoomCalls.HEARTBEAT, RoomCalls.heartbeat(room, "nobody"),
                RoomCalls.CLOSE_ROOM, RoomCalls.close(room, "nobody", "close"));
        calls.forEach((method, request) -> {
            RawAnswer local = to.get(0).call(method, request);
            RawAnswer forwarded = to.get(1).call(method, request);
            assertThat(local.status()).as(method).isNotEqualTo(GrpcStatus.OK);
            for (String field : List.of("grpc-status", "grpc-message", "grpc-status-details-bin")) {
                assertThat(forwarded.fields().get(field))
                        .as(method + " " + field)
                        .isEqualTo(local.fields().get(field));
            }
        });
    }

    /** B50 over two nodes: whoever is first by version sits there. */
    @Test
    void oneSeatIsTakenOnceThroughTwoNodes() {
        RoomKey room = createdAtFirst("seat");
        for (String user : List.of("ann", "ben")) {
            ok(to.get(0).call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, user, "join-" + user)));
        }
        Future<RawAnswer> ann = to.get(1)
                .send(
                        RoomCalls.MIC_UP,
                        RoomCalls.micUp(room, "ann", 1, "up-ann").toByteArray());
        Future<RawAnswer> ben = to.get(2)
                .send(
                        RoomCalls.MIC_UP,
                        RoomCalls.micUp(room, "ben", 1, "up-ben").toByteArray());
        List<RawAnswer> answers = Stream.of(ann, ben).map(Await::result).toList();
        assertThat(answers.stream().filter(answer -> answer.status() == GrpcStatus.OK))
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() != GrpcStatus.OK))
                .singleElement()
                .satisfies(no -> assertThat(no.reason()).isEqualTo("SEAT_OCCUPIED"));
    }

    private static long epoch(RoomKey room) {
        return tables.room(room).orElseThrow().epoch();
    }

    /** B12: whoever is asked first of a room that nobody has, one node gets it, and all are served. */
    @Test
    void aRoomThatNobodyHasIsTakenOnceHoweverManyAskEverywhere() {
        RoomKey room = createdAtFirst("rush");
        Await.result(vertx.createHttpClient()
                .request(
                        HttpMethod.POST,
                        nodes.get(0).opsPort(),
                        "127.0.0.1",
                        "/rooms/release?app=" + room.appCode() + "&room=" + room.roomId())
                .compose(request -> request.send()));
        long epoch = epoch(room);
        List<RoomClient> clients = nodes.stream()
                .map(node -> RoomClient.create(vertx, RoomClientOptions.to(node.advertiseAddr())))
                .toList();
        List<Future<?>> joins = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            joins.add(clients.get(i % NODES).joinRoom(RoomCalls.join(room, "user" + i, "join" + i)));
        }
        joins.forEach(Await::result);
        assertThat(tables.log(room)).hasSize(151);
        assertThat(epoch(room)).as("loads").isEqualTo(epoch + 1);
        clients.forEach(client -> Await.result(client.close()));
    }
}
