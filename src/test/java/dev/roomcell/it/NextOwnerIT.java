package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.MicSeatStatus;
import dev.roomcell.proto.room.v1.MicUpResponse;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the room's users were promised by an owner that is dead, as processes. */
final class NextOwnerIT {
    private static final String STALE_MS = "3000";
    private static final String HEARTBEAT_MS = "1000";
    private static final String PUBLISH_MS = "1500";

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

    private NodeProcess startNode(String nodeId) {
        return NodeProcess.start(
                folder,
                backends.environment(
                        nodeId,
                        Map.of(
                                "ROOM_PRESENCE_STALE_AFTER_MS", STALE_MS,
                                "ROOM_PRESENCE_HEARTBEAT_EVERY_MS", HEARTBEAT_MS,
                                "ROOM_MIC_PUBLISH_WITHIN_MS", PUBLISH_MS)));
    }

    private RoomClient clientOf(NodeProcess node) {
        return RoomClient.create(
                vertx, RoomClientOptions.to("127.0.0.1:" + node.awaitReady().grpcPort()));
    }

    /** B65: a ban is the room's, not a node's. */
    @Test
    void aBanOutlivesTheNodeThatTookIt() {
        RoomKey room = new RoomKey("next", "banned");
        try (NodeProcess a = startNode("ban-a");
                NodeProcess b = startNode("ban-b")) {
            RoomClient toA = clientOf(a);
            Await.result(toA.createRoom(RoomCalls.create(room, "create")));
            Await.result(toA.joinRoom(RoomCalls.join(room, "ben", "join")));
            Await.result(toA.kickUser(RoomCalls.kick(room, "ben", "kick")));
            a.kill();

            RoomClient toB = clientOf(b);
            assertThat(Await.failure(toB.joinRoom(RoomCalls.join(room, "ben", "again"))))
                    .isInstanceOfSatisfying(
                            RoomCallException.class,
                            no -> assertThat(no.reason()).isEqualTo("BANNED"));
            Await.result(toB.unbanUser(RoomCalls.unban(room, "ben", "unban")));
            b.kill();
        }
        try (NodeProcess c = startNode("ban-c")) {
            RoomClient toC = clientOf(c);
            assertThat(Await.result(toC.joinRoom(RoomCalls.join(room, "ben", "back")))
                            .getResult()
                            .getOnlineCount())
                    .isEqualTo(1);
        }
    }

    /** B42, B57, LEASE-14: nobody asks for the room any more, and still its seat is freed and its users are gone. */
    @Test
    void aRoomThatNobodyTouchesIsTidiedByWhoeverIsLeft() {
        RoomKey room = new RoomKey("next", "silent");
        try (RoomTables tables = backends.tables()) {
            try (NodeProcess a = startNode("silent-a")) {
                RoomClient toA = clientOf(a);
                Await.result(toA.createRoom(RoomCalls.create(room, "create")));
                for (String user : List.of("ben", "cid")) {
                    Await.result(toA.joinRoom(RoomCalls.join(room, user, "join-" + user)));
                }
                Await.result(toA.micUp(RoomCalls.micUp(room, "ben", 1, "up")));
                a.kill();
            }
            try (NodeProcess b = startNode("silent-b")) {
                b.awaitReady();
                Await.until(
                        "the seat is freed and the users are gone",
                        () -> tables.log(room).stream()
                                        .map(row -> row.commandId())
                                        .filter(id -> id.startsWith("~mic:") || id.startsWith("~stale:"))
                                        .count()
                                == 2);
                GetRoomResponse left = Await.result(clientOf(b).getRoom(RoomCalls.get(room)));
                assertThat(left.getRoom().getOnlineCount()).isZero();
                assertThat(left.getRoom().getSeats(0).getStatus()).isEqualTo(MicSeatStatus.MIC_SEAT_STATUS_IDLE);
            }
        }
    }

    /** B50: two who want one seat, each through another node. */
    @Test
    void ofTwoWhoWantASeatThroughTwoNodesOneGetsIt() {
        try (NodeProcess a = startNode("seat-a");
                NodeProcess b = startNode("seat-b")) {
            RoomClient toA = clientOf(a);
            RoomClient toB = clientOf(b);
            for (int i = 0; i < 20; i++) {
                RoomKey room = new RoomKey("next", "seat" + i);
                Await.result(toA.createRoom(RoomCalls.create(room, "create")));
                Await.result(toA.joinRoom(RoomCalls.join(room, "ben", "join-ben")));
                Await.result(toA.joinRoom(RoomCalls.join(room, "cid", "join-cid")));

                Future<MicUpResponse> ben = toA.micUp(RoomCalls.micUp(room, "ben", 3, "up-ben"));
                Future<MicUpResponse> cid = toB.micUp(RoomCalls.micUp(room, "cid", 3, "up-cid"));
                Await.until("both are answered", () -> ben.isComplete() && cid.isComplete());

                assertThat(Stream.of(ben, cid).filter(Future::succeeded)).hasSize(1);
                assertThat(Stream.of(ben, cid)
                                .filter(Future::failed)
                                .map(up -> ((RoomCallException) up.cause()).reason()))
                        .containsExactly("SEAT_OCCUPIED");
            }
        }
    }
}
