package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.fault.FaultProxy.CutPoint;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits whose answer never comes, by a proxy before MySQL. {@code -Dfault.cuts=50} for 25 on each side of the server
 * instead of the 3 of a build.
 */
final class LostCommitIT {
    private static final Logger log = LoggerFactory.getLogger(LostCommitIT.class);
    private static final int CUTS = Integer.getInteger("fault.cuts", 6);
    private static final RoomKey ROOM = new RoomKey("lost", "room");
    private static final List<RoomKey> ROOMS =
            IntStream.range(0, 4).mapToObj(i -> new RoomKey("lost", "room" + i)).toList();

    private Vertx vertx;
    private Backends backends;
    private FaultProxy proxy;
    private RoomTables tables;
    private RoomNode node;
    private RawConnection connection;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        proxy = Await.result(FaultProxy.startMysql(vertx, backends.servers().mysqlPort()));
        node = backends.startNode("lost", Map.of("ROOM_MYSQL_PORT", Integer.toString(proxy.port())));
        tables = backends.tables();
        connection = RawConnection.open(vertx, node.grpcPort());
    }

    @AfterEach
    void stop() {
        Await.result(node.stop());
        tables.close();
        Await.result(vertx.close());
    }

    /** LEASE-12, CMD-2. */
    @Test
    void commitsLostBeforeAndAfterTheServerAreToldApart() {
        Load load = Load.start(vertx, node.advertiseAddr(), ROOMS, 8, 10);
        for (int i = 0; i < CUTS; i++) {
            cutAGroupCommit(load, i % 2 == 0 ? CutPoint.BEFORE_SERVER : CutPoint.AFTER_SERVER);
        }
        load.stop();
        log.info("{} cuts, {} attempts sent again", proxy.cuts(), load.retries());
        Audit.of(load, backends);
        assertThat(load.retries())
                .as("a commit that never reached the server is told to its callers")
                .isPositive();
    }

    /** The timeout worker commits too: a cut that no room has settled, by a mint, was its, and is made again. */
    private void cutAGroupCommit(Load load, CutPoint at) {
        for (int attempt = 1; attempt <= 5; attempt++) {
            long minted = tables.mints();
            Await.result(proxy.cutNextCommit(at));
            load.awaitMore(1);
            if (tables.mints() > minted) {
                return;
            }
        }
        throw new AssertionError("commits are lost, and no room mints to find out");
    }

    /** LEASE-12: a plain read would have found nothing, and the commit would have come after it. */
    @Test
    void aCommitThatComesWhileTheNodeAsksIsAdoptedAndAnswered() throws Exception {
        create();
        Future<RawAnswer> join = holdTheCommitOf("join");
        Await.until("the mint waits for the transaction", tables::somebodyWaitsForALock);
        assertThat(Audit.rowsOf(tables, ROOM, "join")).isEmpty();
        Await.result(proxy.releaseHeldCommit());
        RawAnswer answer = Await.result(join);
        assertThat(answer.status()).as(answer.message()).isEqualTo(GrpcStatus.OK);
        assertThat(Audit.rowsOf(tables, ROOM, "join")).hasSize(1);
        assertNextCommandMakesVersion(3);
    }

    /** LEASE-12, LEASE-15: the server ends the silent transaction, and until then nobody is told anything. */
    @Test
    void aCommitThatNeverComesIsFencedAndNothingHappened() throws Exception {
        create();
        Future<RawAnswer> join = holdTheCommitOf("join");
        RawAnswer answer = Await.result(join);
        assertThat(answer.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertThat(answer.reason()).isEqualTo("STORE_UNAVAILABLE");
        assertThat(Audit.rowsOf(tables, ROOM, "join")).isEmpty();
        assertNextCommandMakesVersion(2);
    }

    /** LEASE-12: while it is open, the room takes no batch; a caller is told at the deadline what is known by then. */
    @Test
    void untilItIsSettledTheRoomTakesNoBatchAndCallersHearAtTheirDeadline() throws Exception {
        create();
        Map<String, String> deadline = Map.of("grpc-timeout", "500m");
        Future<Void> held = holdTheNextCommit();
        Future<RawAnswer> inFlight = connection.postGrpc(RoomCalls.JOIN_ROOM, deadline, join("user", "in flight"));
        Await.result(held);
        assertThat(tables.isLocked(ROOM)).isTrue();
        Future<RawAnswer> behind = connection.postGrpc(RoomCalls.JOIN_ROOM, deadline, join("other", "behind"));
        assertThat(Await.result(inFlight).reason()).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(Await.result(behind).reason()).isEqualTo("OVERLOADED");
        RawAnswer again = connection.call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "user", "in flight"));
        assertThat(again.status()).isIn(GrpcStatus.OK, GrpcStatus.UNAVAILABLE);
        Await.until(
                "the room works again",
                () -> connection
                                .call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "user", "in flight"))
                                .status()
                        == GrpcStatus.OK);
        assertThat(Audit.rowsOf(tables, ROOM, "in flight")).hasSize(1);
        assertThat(Audit.rowsOf(tables, ROOM, "behind")).isEmpty();
        assertNextCommandMakesVersion(3);
    }

    private void create() {
        connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"));
    }

    private static Buffer join(String userId, String commandId) {
        return RawConnection.framed(RoomCalls.join(ROOM, userId, commandId).toByteArray());
    }

    /** Sends a join whose COMMIT waits in the proxy, with the transaction open and the node's connection gone. */
    private Future<RawAnswer> holdTheCommitOf(String commandId) {
        Future<Void> held = holdTheNextCommit();
        Future<RawAnswer> answer = connection.send(
                RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "user", commandId).toByteArray());
        Await.result(held);
        assertThat(tables.isLocked(ROOM)).isTrue();
        return answer;
    }

    /** Just after the timeout worker's, which commits every second: the next one is a room's. */
    private Future<Void> holdTheNextCommit() {
        int seen = proxy.commitsSeen();
        Await.until("a look of the timeout worker", () -> proxy.commitsSeen() > seen);
        return proxy.holdNextCommitClosingClient();
    }

    private void assertNextCommandMakesVersion(long version) throws Exception {
        RawAnswer next = connection.call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, "next", "next"));
        assertThat(next.status()).as(next.message()).isEqualTo(GrpcStatus.OK);
        RawAnswer room = connection.call(RoomCalls.GET_ROOM, RoomCalls.get(ROOM));
        assertThat(GetRoomResponse.parseFrom(room.reply()).getRoom().getRoomVersion())
                .isEqualTo(version);
        assertThat(tables.log(ROOM)).hasSize((int) version);
        Audit.assertStoredRoomsAreSound(backends);
    }
}
