package dev.roomcell.it;

import dev.roomcell.RoomNode;
import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SendGiftResult;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Two nodes that find each other, and a wallet and a lottery whose calls a test lets go wrong. */
abstract class GiftScene {
    private static final long VOID_AFTER_MS = 2_500;

    static GiftHouse house;
    static final List<RoomNode> nodes = new ArrayList<>();
    static final List<RoomClient> clients = new ArrayList<>();

    @BeforeAll
    static void start() {
        house = new GiftHouse(VOID_AFTER_MS);
        List<Map<String, String>> cluster = Backends.cluster(2);
        for (int i = 0; i < 2; i++) {
            nodes.add(house.backends.startNode("gifts" + i, house.variables(cluster.get(i))));
            clients.add(house.client("127.0.0.1:" + nodes.get(i).grpcPort()));
        }
        house.tables.offer(GiftHouse.APP, "rose", 10, false);
        house.tables.offer(GiftHouse.APP, "clover", 10, true);
        house.tables.offer(GiftHouse.APP, "star", Long.MAX_VALUE / 2, false);
    }

    @AfterAll
    static void stop() {
        Await.result(Future.join(nodes.stream().map(RoomNode::stop).toList()));
        nodes.clear();
        clients.clear();
        house.close();
    }

    /** After every test, whatever it did: the money is where it belongs. */
    @AfterEach
    void auditAll() {
        house.fine();
        house.settle();
        house.audit();
    }

    /** A room at the first node, in which ann has coins, and ben and cara are with her. */
    static RoomKey party(String roomId, long coins) {
        RoomKey room = new RoomKey(GiftHouse.APP, roomId);
        Await.result(clients.get(0).createRoom(RoomCalls.create(room, "create-" + roomId)));
        for (String user : List.of(giver(room), "ben", "cara")) {
            Await.result(clients.get(0).joinRoom(RoomCalls.join(room, user, "join-" + user)));
        }
        house.wallet.books().open(GiftHouse.APP, giver(room), coins);
        return room;
    }

    static String giver(RoomKey room) {
        return "ann-" + room.roomId();
    }

    static SendGiftRequest rose(RoomKey room, String id) {
        return GiftHouse.gift(room, giver(room), "rose", 2, id, "ben", "cara");
    }

    static SendGiftResult given(int node, SendGiftRequest request) {
        return Await.result(clients.get(node).sendGift(request)).getResult();
    }

    static String refused(int node, SendGiftRequest request) {
        return ((RoomCallException) Await.failure(clients.get(node).sendGift(request))).reason();
    }

    static long balance(RoomKey room) {
        return house.wallet.books().balance(GiftHouse.APP, giver(room));
    }
}
