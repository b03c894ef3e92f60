package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two nodes as processes. The owner is stopped (SIGSTOP) at a known point inside a group commit, by a proxy between it
 * and MySQL; the other node takes the room; the old owner goes on (SIGCONT) and must find out.
 */
@Alone
final class PausedOwnerIT {
    private static final Logger log = LoggerFactory.getLogger(PausedOwnerIT.class);

    /** The room answers at the other node within the lease and so much more, ms. */
    private static final long GRACE_MS = 2_000;

    @TempDir
    static Path folder;

    private static Vertx vertx;
    private static Backends backends;
    private static FaultProxy proxy;
    private static RoomTables tables;
    private static NodeProcess owner;
    private static NodeProcess.Ready ownerReady;
    private static NodeProcess other;
    private static RawConnection toOwner;
    private static RawConnection toOther;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        proxy = Await.result(FaultProxy.startMysql(vertx, backends.servers().mysqlPort()));
        owner = NodeProcess.start(
                folder, backends.environment("owner", Map.of("ROOM_MYSQL_PORT", Integer.toString(proxy.port()))));
        other = NodeProcess.start(folder, backends.environment("other", Map.of()));
        ownerReady = owner.awaitReady();
        tables = backends.tables();
        toOwner = RawConnection.open(vertx, ownerReady.grpcPort());
        toOther = RawConnection.open(vertx, other.awaitReady().grpcPort());
    }

    @AfterAll
    static void stop() {
        owner.close();
        other.close();
        tables.close();
        Await.result(vertx.close());
    }

    /** LEASE-11, LEASE-15, B02: the transaction is open, with the row locked, until the server ends it. */
    @Test
    void pausedWithItsCommitUnsentItCommitsNothing() throws Exception {
        RoomKey room = new RoomKey("paused", "commit unsent");
        create(room);
        Future<Void> held = holdTheNextCommit();
        Future<RawAnswer> join = sendJoin(room);
        Await.result(held);
        assertThat(tables.isLocked(room)).isTrue();

        pauseOwnerAndTakeOver("COMMIT unsent", room, 2);
        assertOldOwnerCommitsNothing(room, join);
    }

    /** LEASE-11, B01: VerifyOwner has passed, the transaction comes when the room has long been another's. */
    @Test
    void pausedBeforeItsTransactionItIsFenced() throws Exception {
        RoomKey room = new RoomKey("paused", "transaction unsent");
        create(room);
        Future<RawAnswer> join = holdTheTransactionOf(room);
        try {
            pauseOwnerAndTakeOver("transaction unsent", room, 2);
        } finally {
            proxy.release();
        }
        assertOldOwnerCommitsNothing(room, join);
    }

    /** LEASE-11: the new owner has only read, so the version is still the old one's; the epoch is not. */
    @Test
    void pausedWhileAnotherOnlyReadsItIsFencedByTheEpoch() throws Exception {
        RoomKey room = new RoomKey("paused", "only read");
        create(room);
        Future<RawAnswer> join = holdTheTransactionOf(room);
        owner.signal("STOP");
        try {
            Await.until(
                    "the room answers elsewhere",
                    () -> toOther.call(RoomCalls.GET_ROOM, RoomCalls.get(room)).status() == GrpcStatus.OK);
        } finally {
            owner.signal("CONT");
            proxy.release();
        }
        assertThat(Await.result(join).status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertThat(tables.log(room)).extracting(LogRow::commandId).containsExactly("create");
        RawAnswer joined = toOther.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "next", "next"));
        assertThat(JoinRoomResponse.parseFrom(joined.reply()).getResult().getRoomVersion())
                .isEqualTo(2);
        assertRoomIsTheOthers(room);
    }

    /** Sends a join that has passed VerifyOwner, and whose first statement waits in the proxy. */
    private static Future<RawAnswer> holdTheTransactionOf(RoomKey room) {
        proxy.hold();
        Await.until("the timeout worker waits", () -> proxy.waitingBytes() > 0);
        long waiting = proxy.waitingBytes();
        Future<RawAnswer> join = sendJoin(room);
        Await.until("the first statement waits", () -> proxy.waitingBytes() > waiting);
        assertThat(tables.isLocked(room)).isFalse();
        return join;
    }

    /** The commit is done, its answer waits in the socket of the stopped process: the only thing it may say is that. */
    @Test
    void pausedBeforeTheAnswerOfItsCommitItMayOnlySayWhatIsStored() throws Exception {
        RoomKey room = new RoomKey("paused", "answer unread");
        create(room);
        Future<Void> held = holdTheNextCommit();
        Future<RawAnswer> join = sendJoin(room);
        Await.result(held);
        owner.signal("STOP");
        Await.result(proxy.releaseHeldCommit());

        takeOver("answer unread", room, 3);
        RawAnswer late = Await.result(join);
        List<LogRow> row = Audit.rowsOf(tables, room, "held");
        assertThat(row).hasSize(1);
        if (late.status() == GrpcStatus.OK) {
            assertThat(JoinRoomResponse.parseFrom(late.reply()).getResult().toByteArray())
                    .isEqualTo(row.get(0).result());
        } else {
            assertThat(late.reason()).isEqualTo("OUTCOME_UNKNOWN");
        }
        assertRoomIsTheOthers(room);
    }

    private static void create(RoomKey room) {
        assertThat(toOwner.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create"))
                        .status())
                .isEqualTo(GrpcStatus.OK);
        assertThat(tables.room(room).orElseThrow().ownerNodeId()).isEqualTo(ownerReady.nodeId());
    }

    private static Future<RawAnswer> sendJoin(RoomKey room) {
        return toOwner.send(
                RoomCalls.JOIN_ROOM, RoomCalls.join(room, "user", "held").toByteArray());
    }

    /** Just after the timeout worker's, which commits every second: the next one is the room's. */
    private static Future<Void> holdTheNextCommit() {
        int seen = proxy.commitsSeen();
        Await.until("a look of the timeout worker", () -> proxy.commitsSeen() > seen);
        return proxy.holdNextCommit();
    }

    private static void pauseOwnerAndTakeOver(String where, RoomKey room, long version) throws Exception {
        owner.signal("STOP");
        takeOver(where, room, version);
    }

    /**
     * Has the stopped owner's room taken by the other node, with a join of version {@code version}, and then lets the
     * old owner go on, with a question in its socket.
     */
    private static void takeOver(String where, RoomKey room, long version) throws Exception {
        long stoppedNs = System.nanoTime();
        Future<RawAnswer> look =
                toOwner.send(RoomCalls.GET_ROOM, RoomCalls.get(room).toByteArray());
        try {
            RawAnswer joined = Await.value(
                    "an answer of " + room,
                    () -> Optional.of(toOther.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "next", "taken over")))
                            .filter(answer -> answer.status() == GrpcStatus.OK));
            long takenMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - stoppedNs);
            log.info("{}: the room answers elsewhere {} ms after its owner was stopped", where, takenMs);
            assertThat(takenMs).isLessThanOrEqualTo(Backends.LEASE_TTL_MS + GRACE_MS);
            assertThat(JoinRoomResponse.parseFrom(joined.reply()).getResult().getRoomVersion())
                    .isEqualTo(version);
        } finally {
            owner.signal("CONT");
        }
        assertNotStale(Await.result(look), version);
    }

    /** LEASE-17: whoever lost the room while it could not know reads nothing out of it any more. */
    private static void assertNotStale(RawAnswer look, long version) throws Exception {
        if (look.status() == GrpcStatus.OK) {
            assertThat(GetRoomResponse.parseFrom(look.reply()).getRoom().getRoomVersion())
                    .isGreaterThanOrEqualTo(version);
        } else {
            assertThat(look.status()).as(look.message()).isEqualTo(GrpcStatus.UNAVAILABLE);
        }
    }

    private static void assertOldOwnerCommitsNothing(RoomKey room, Future<RawAnswer> join) throws Exception {
        RawAnswer late = Await.result(join);
        log.info("the resumed owner says {}: {}", late.reason(), late.message());
        assertThat(late.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertRoomIsTheOthers(room);
        assertThat(Audit.rowsOf(tables, room, "held")).isEmpty();
        assertThat(tables.log(room)).extracting(LogRow::commandId).containsExactly("create", "taken over");
    }

    /** The old owner neither writes nor serves the room, and says who does (LEASE-3). */
    private static void assertRoomIsTheOthers(RoomKey room) throws Exception {
        long version = tables.log(room).size();
        RawAnswer refused = Await.value(
                "the old owner knows its successor",
                () -> Optional.of(toOwner.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "late", "late")))
                        .filter(answer -> answer.reason().equals("NOT_OWNER")));
        assertThat(refused.owner()).isPresent();
        RawAnswer there = toOther.call(RoomCalls.GET_ROOM, RoomCalls.get(room));
        assertThat(GetRoomResponse.parseFrom(there.reply()).getRoom().getRoomVersion())
                .isEqualTo(version);
        assertThat(tables.log(room)).hasSize((int) version);
        Audit.assertStoredRoomsAreSound(backends);
    }
}
