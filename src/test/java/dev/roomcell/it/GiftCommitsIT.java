package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.fault.FaultProxy.CutPoint;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SendGiftResponse;
import dev.roomcell.proto.room.v1.SendGiftResult;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * F3, F8, F10: a gift has two transactions, its intent's before the money and its room's after it. The COMMIT of either is lost,
 * before the server or after it, or waits while the owner stands still and another node takes over. The sender asks again with
 * the same id; in the end there is one gift, paid for once, and one answer.
 */
@Tag("GIFT-1")
@Tag("GIFT-2")
@Tag("LEASE-12")
final class GiftCommitsIT {
    /** Longer than the client tries, so that it is not the reconciler that decides. */
    private static final long VOID_AFTER_MS = 30_000;

    /** What befalls which COMMIT. */
    private enum Cut {
        INTENT_LOST_BEFORE(true, false),
        INTENT_LOST_AFTER(true, false),
        ROOM_LOST_BEFORE(false, false),
        ROOM_LOST_AFTER(false, false),
        INTENT_HELD(true, true),
        ROOM_HELD(false, true);

        private final boolean ofTheIntent;
        private final boolean held;

        Cut(boolean ofTheIntent, boolean held) {
            this.ofTheIntent = ofTheIntent;
            this.held = held;
        }

        /** Completes when it has happened. */
        Future<Void> arm(String mention) {
            if (held) {
                return proxy.holdNextCommit(mention);
            }
            boolean before = this == INTENT_LOST_BEFORE || this == ROOM_LOST_BEFORE;
            return proxy.cutNextCommit(before ? CutPoint.BEFORE_SERVER : CutPoint.AFTER_SERVER, mention);
        }
    }

    @TempDir
    static Path folder;

    private static GiftHouse house;
    private static FaultProxy proxy;
    private static RoomTables tables;
    private static NodeProcess owner;
    private static NodeProcess other;

    @BeforeAll
    static void start() {
        house = new GiftHouse(VOID_AFTER_MS);
        proxy = Await.result(
                FaultProxy.startMysql(house.vertx, house.backends.servers().mysqlPort()));
        owner = startNode("owner", Map.of("ROOM_MYSQL_PORT", Integer.toString(proxy.port())));
        owner.awaitReady();
        other = startNode("other", Map.of());
        tables = house.backends.tables();
        house.tables.offer(GiftHouse.APP, "clover", 10, true);
    }

    @AfterAll
    static void stop() {
        owner.close();
        other.close();
        tables.close();
        house.close();
    }

    private static NodeProcess startNode(String nodeId, Map<String, String> more) {
        return NodeProcess.start(folder, house.backends.environment(nodeId, house.variables(more)));
    }

    private static String address(NodeProcess node) {
        return "127.0.0.1:" + node.awaitReady().grpcPort();
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    @Tag("B28")
    void aGiftWhoseCommitIsLostOrLateIsGivenOnceAndAnsweredAlike(Cut cut) throws Exception {
        RoomKey room = new RoomKey(GiftHouse.APP, "room-" + cut);
        String giver = "ann-" + cut;
        String id = "gift-" + cut;
        // A new one each time, that goes to the owner first.
        RoomClient client = RoomClient.create(
                house.vertx,
                RoomClientOptions.to(address(owner) + "," + address(other))
                        .withTimeouts(20_000, 1_500)
                        .withBackoff(20, 200));
        party(client, room, giver);
        int cuts = proxy.cuts();
        Future<Void> reached = armed(cut, id);
        SendGiftRequest request = GiftHouse.gift(room, giver, "clover", 2, id, "ben", "cara");
        Future<SendGiftResponse> sent = client.sendGift(request);
        Await.result(reached);
        SendGiftResult first =
                cut.held ? takenOver(room, sent) : Await.result(sent).getResult();

        assertThat(proxy.cuts()).isEqualTo(cut.held ? cuts : cuts + 1);
        assertThat(Await.result(client.sendGift(request)).getResult()).isEqualTo(first);
        List<LogRow> logged = Audit.rowsOf(tables, room, id);
        assertThat(logged).hasSize(1);
        assertThat(SendGiftResult.parseFrom(logged.get(0).result())).isEqualTo(first);
        assertThat(first.getTotalPriceCoins()).isEqualTo(40);
        house.fine();
        // A draw or a credit that was not answered in time is not waited for in its turn.
        house.tables.makeDue(id);
        house.settle();
        house.audit();
        assertThat(house.wallet.ledger().movements().stream()
                        .filter(movement -> movement.userId().equals(giver))
                        .map(movement -> movement.key()))
                .containsExactly("opening/gifts/" + giver, "debit/gifts/" + id, "credit/gifts/" + id);
        Audit.assertStoredRoomsAreSound(house.backends);
    }

    private static void party(RoomClient client, RoomKey room, String giver) {
        Await.result(client.createRoom(RoomCalls.create(room, "create")));
        for (String user : List.of(giver, "ben", "cara")) {
            Await.result(client.joinRoom(RoomCalls.join(room, user, "join-" + user)));
        }
        house.wallet.books().open(GiftHouse.APP, giver, 100);
        assertThat(tables.room(room).orElseThrow().ownerNodeId())
                .isEqualTo(owner.awaitReady().nodeId());
    }

    /** The intent's COMMIT is the first that the gift has; the room's is the first after the debit. */
    private static Future<Void> armed(Cut cut, String id) {
        if (cut.ofTheIntent) {
            return cut.arm(id);
        }
        Promise<Void> reached = Promise.promise();
        AtomicBoolean begun = new AtomicBoolean();
        house.fail((method, key) -> {
            if (method.equals("Debit") && key.endsWith("/" + id) && begun.compareAndSet(false, true)) {
                cut.arm(id).onComplete(reached);
            }
            return Fault.PASS;
        });
        return reached.future();
    }

    /** The owner stands still with its transaction open; then it goes on, and its COMMIT with it. */
    private static SendGiftResult takenOver(RoomKey room, Future<SendGiftResponse> sent) {
        owner.signal("STOP");
        SendGiftResult given;
        try {
            given = Await.result(sent).getResult();
            assertThat(tables.room(room).orElseThrow().ownerNodeId())
                    .isEqualTo(other.awaitReady().nodeId());
        } finally {
            owner.signal("CONT");
        }
        Throwable late = Await.failure(proxy.releaseHeldCommit());
        assertThat(late).as("the server has ended it").hasMessageContaining("gone");
        return given;
    }
}
