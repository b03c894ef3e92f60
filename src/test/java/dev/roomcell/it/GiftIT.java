package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.check.CheckCommand;
import dev.roomcell.check.ExplainGiftCommand;
import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.GetRoomRankRequest;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SendGiftResponse;
import dev.roomcell.proto.room.v1.SendGiftResult;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Gifts through two nodes that find each other, against a wallet whose calls go wrong. */
final class GiftIT {
    private static final long VOID_AFTER_MS = 2_500;

    private static GiftHouse house;
    private static final List<RoomNode> nodes = new ArrayList<>();
    private static final List<RoomClient> clients = new ArrayList<>();

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
    private static RoomKey party(String roomId, long coins) {
        RoomKey room = new RoomKey(GiftHouse.APP, roomId);
        Await.result(clients.get(0).createRoom(RoomCalls.create(room, "create-" + roomId)));
        for (String user : List.of(giver(room), "ben", "cara")) {
            Await.result(clients.get(0).joinRoom(RoomCalls.join(room, user, "join-" + user)));
        }
        house.wallet.books().open(GiftHouse.APP, giver(room), coins);
        return room;
    }

    private static String giver(RoomKey room) {
        return "ann-" + room.roomId();
    }

    private static SendGiftRequest rose(RoomKey room, String id) {
        return GiftHouse.gift(room, giver(room), "rose", 2, id, "ben", "cara");
    }

    private static SendGiftResult given(int node, SendGiftRequest request) {
        return Await.result(clients.get(node).sendGift(request)).getResult();
    }

    private static String refused(int node, SendGiftRequest request) {
        return ((RoomCallException) Await.failure(clients.get(node).sendGift(request))).reason();
    }

    private static long balance(RoomKey room) {
        return house.wallet.books().balance(GiftHouse.APP, giver(room));
    }

    @Test
    @Tag("GIFT-7")
    void aGiftIsPaidForGivenAndCounted() {
        RoomKey room = party("plain", 100);
        SendGiftResult result = given(0, rose(room, "plain-1"));
        assertThat(result.getTotalPriceCoins()).isEqualTo(40);
        assertThat(result.getCoinBalanceAfter()).isEqualTo(60);
        assertThat(result.getRewardCoins()).isZero();
        assertThat(result.getRoomVersion()).isEqualTo(5);
        assertThat(balance(room)).isEqualTo(60);
        assertThat(given(
                                1,
                                GiftHouse.gift(room, "ben", "rose", 1, "plain-2", "cara").toBuilder()
                                        .setMeta(RoomCalls.meta(room, giver(room), "plain-2"))
                                        .build())
                        .getCoinBalanceAfter())
                .as("through the node that is not the owner")
                .isEqualTo(50);
        assertThat(Await.result(clients.get(1).getRoom(RoomCalls.get(room)))
                        .getRoom()
                        .getHeat())
                .isEqualTo(50);
        GetRoomRankRequest ask = GetRoomRankRequest.newBuilder()
                .setMeta(RoomCalls.meta(room))
                .setRoomId(room.roomId())
                .build();
        assertThat(Await.result(clients.get(1).getRoomRank(ask)).getEntriesList())
                .singleElement()
                .satisfies(first -> {
                    assertThat(first.getUserId()).isEqualTo(giver(room));
                    assertThat(first.getScore()).isEqualTo(50);
                    assertThat(first.getRank()).isEqualTo(1);
                });
    }

    /** B33: the same id again is the same gift, on whichever node; a new id is a new gift. */
    @Test
    @Tag("GIFT-1")
    @Tag("B33")
    void theSameIdAgainIsAnsweredAsTheFirstTimeAndChargedOnce() {
        RoomKey room = party("again", 100);
        SendGiftRequest request = rose(room, "again-1");
        List<Future<SendGiftResponse>> sent = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            sent.add(clients.get(i % 2).sendGift(request));
        }
        SendGiftResult first = Await.result(sent.get(0)).getResult();
        sent.forEach(each -> assertThat(Await.result(each).getResult()).isEqualTo(first));
        assertThat(given(1, request)).isEqualTo(first);
        assertThat(balance(room)).isEqualTo(60);
        assertThat(given(0, rose(room, "again-2")).getCoinBalanceAfter()).isEqualTo(20);
    }

    /** The price that counts is the one of then, and so does the catalog. */
    @Test
    @Tag("GIFT-2")
    void whatWasGivenStaysAsItWasWhateverTheCatalogSaysLater() {
        RoomKey room = party("prices", 1_000);
        house.tables.offer(GiftHouse.APP, "tulip", 100, false);
        SendGiftRequest tulip = GiftHouse.gift(room, giver(room), "tulip", 1, "prices-1", "ben");
        SendGiftResult first = given(0, tulip);
        house.tables.offer(GiftHouse.APP, "tulip", 200, false);
        assertThat(given(1, tulip)).isEqualTo(first);
        house.tables.withdraw(GiftHouse.APP, "tulip");
        assertThat(given(0, tulip)).isEqualTo(first);
        assertThat(refused(0, GiftHouse.gift(room, giver(room), "tulip", 1, "prices-2", "ben")))
                .isEqualTo("GIFT_UNAVAILABLE");
        assertThat(balance(room)).isEqualTo(900);
    }

    @Test
    @Tag("GIFT-5")
    void anIdIsOneGiftsInTheWholeApp() {
        RoomKey room = party("ids", 1_000);
        RoomKey other = party("ids-other", 1_000);
        given(0, rose(room, "ids-1"));
        assertThat(refused(0, rose(other, "ids-1"))).isEqualTo("COMMAND_ID_CONFLICT");
        assertThat(refused(0, GiftHouse.gift(room, giver(room), "rose", 3, "ids-1", "ben", "cara")))
                .isEqualTo("COMMAND_ID_CONFLICT");
        assertThat(refused(1, GiftHouse.gift(room, "ben", "rose", 2, "ids-1", "cara")))
                .isEqualTo("COMMAND_ID_CONFLICT");
        // An id that the room knows of another command: only the room finds out, and the money goes back.
        assertThat(refused(0, rose(room, "join-ben"))).isEqualTo("COMMAND_ID_CONFLICT");
        assertThat(balance(room)).isEqualTo(960);
        assertThat(balance(other)).isEqualTo(1_000);
    }

    @Test
    @Tag("GIFT-3")
    @Tag("B32")
    void whoHasTooLittleGivesNothingAndMayTryAgain() {
        RoomKey room = party("poor", 39);
        assertThat(refused(0, rose(room, "poor-1"))).isEqualTo("INSUFFICIENT_BALANCE");
        assertThat(Await.result(clients.get(0).getRoom(RoomCalls.get(room)))
                        .getRoom()
                        .getHeat())
                .isZero();
        house.wallet.books().grant(GiftHouse.APP, giver(room), "grant/poor", 1);
        assertThat(given(1, rose(room, "poor-1")).getCoinBalanceAfter()).isZero();
    }

    /** B32: one balance, two rooms, each at another node. */
    @Test
    @Tag("B32")
    void ofTwoGiftsThatOnlyOneBalanceCouldPayOneIsGiven() {
        for (int round = 0; round < 5; round++) {
            RoomKey here = new RoomKey(GiftHouse.APP, "both-here-" + round);
            RoomKey there = new RoomKey(GiftHouse.APP, "both-there-" + round);
            String user = "both-" + round;
            house.wallet.books().open(GiftHouse.APP, user, 100);
            List<Future<SendGiftResponse>> sent = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                RoomKey room = i == 0 ? here : there;
                Await.result(clients.get(i).createRoom(RoomCalls.create(room, "create-" + room.roomId())));
                for (String guest : List.of(user, "ben")) {
                    Await.result(clients.get(i).joinRoom(RoomCalls.join(room, guest, "join-" + guest)));
                }
            }
            for (int i = 0; i < 2; i++) {
                RoomKey room = i == 0 ? here : there;
                sent.add(
                        clients.get(i).sendGift(GiftHouse.gift(room, user, "rose", 6, room.roomId() + "-gift", "ben")));
            }
            Await.result(
                    Future.join(sent.stream().map(each -> each.otherwiseEmpty()).toList()));
            assertThat(sent.stream().filter(Future::succeeded)).hasSize(1);
            assertThat(house.wallet.books().balance(GiftHouse.APP, user)).isEqualTo(40);
        }
    }

    @Test
    @Tag("B34")
    @Tag("B35")
    void whatCannotBePaidOrGivenIsRefusedBeforeTheWalletHearsOfIt() {
        RoomKey room = party("bad", 1_000);
        AtomicInteger calls = new AtomicInteger();
        house.fail((method, key) -> {
            calls.incrementAndGet();
            return Fault.PASS;
        });
        String giver = giver(room);
        assertThat(refused(0, GiftHouse.gift(room, giver, "rose", 0, "bad-1", "ben")))
                .isEqualTo("INVALID_FIELD");
        assertThat(refused(0, GiftHouse.gift(room, giver, "rose", -1, "bad-2", "ben")))
                .isEqualTo("INVALID_FIELD");
        assertThat(refused(0, GiftHouse.gift(room, giver, "rose", 10_000, "bad-3", "ben")))
                .isEqualTo("INVALID_FIELD");
        assertThat(refused(0, GiftHouse.gift(room, giver, "star", 3, "bad-4", "ben")))
                .isEqualTo("INVALID_FIELD");
        assertThat(refused(0, GiftHouse.gift(room, giver, "rose", 1, "bad-5", giver)))
                .isEqualTo("INVALID_FIELD");
        assertThat(refused(0, GiftHouse.gift(room, giver, "rose", 1, "bad-6", "ben", "ben")))
                .isEqualTo("INVALID_FIELD");
        assertThat(refused(0, GiftHouse.gift(room, giver, "rose", 1, "bad-7", "nobody")))
                .isEqualTo("RECEIVER_GONE");
        assertThat(refused(0, GiftHouse.gift(room, "stranger", "rose", 1, "bad-8", "ben")))
                .isEqualTo("NOT_PRESENT");
        assertThat(refused(0, GiftHouse.gift(room, giver, "weed", 1, "bad-9", "ben")))
                .isEqualTo("GIFT_UNAVAILABLE");
        assertThat(calls).hasValue(0);
        assertThat(house.tables.intents(GiftHouse.APP))
                .noneMatch(intent -> intent.commandId().startsWith("bad-"));
    }

    @Test
    @Tag("GIFT-6")
    void aRewardIsInTheBalanceThatIsAnswered() {
        RoomKey room = party("lucky", 100);
        SendGiftResult result = given(0, GiftHouse.gift(room, giver(room), "clover", 3, "lucky-1", "ben"));
        assertThat(result.getRewardCoins()).isEqualTo(30);
        assertThat(result.getCoinBalanceAfter()).isEqualTo(100);
        assertThat(result.getRewardPending()).isFalse();
        assertThat(balance(room)).isEqualTo(100);
    }

    @Test
    @Tag("GIFT-6")
    void aDrawThatIsNotAnsweredIsMadeUpForLater() {
        RoomKey room = party("late-draw", 100);
        house.fail((method, key) -> method.equals("Draw") ? Fault.LOST_AFTER : Fault.PASS);
        SendGiftResult result = given(0, GiftHouse.gift(room, giver(room), "clover", 3, "late-draw-1", "ben"));
        assertThat(result.getRewardPending()).isTrue();
        assertThat(result.getCoinBalanceAfter()).isEqualTo(70);
        house.fine();
        Await.until("the reward is there", () -> balance(room) == 100);
    }

    @Test
    @Tag("GIFT-6")
    void aRewardWhoseCreditIsNotAnsweredIsWaitedForAndPaidOnce() {
        RoomKey room = party("late-credit", 100);
        AtomicInteger left = new AtomicInteger(3);
        house.fail(
                (method, key) -> method.equals("Credit") && left.getAndDecrement() > 0 ? Fault.LOST_AFTER : Fault.PASS);
        SendGiftResult result = given(0, GiftHouse.gift(room, giver(room), "clover", 3, "late-credit-1", "ben"));
        assertThat(result.getCoinBalanceAfter()).isEqualTo(100);
        assertThat(balance(room)).isEqualTo(100);
    }

    /** B27, B28: whatever became of the debit, the next call asks with the same key, and the money moves once. */
    @Test
    @Tag("B27")
    @Tag("B28")
    void aDebitThatIsNotAnsweredIsAskedForAgainUnderItsOwnKey() {
        RoomKey room = party("lost", 1_000);
        List<Fault> kinds = List.of(
                Fault.LOST_BEFORE,
                Fault.LOST_AFTER,
                Fault.UNAVAILABLE_BEFORE,
                Fault.UNAVAILABLE_AFTER,
                Fault.late(300));
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            Fault fault = kinds.get(i);
            AtomicInteger left = new AtomicInteger(2);
            house.fail((method, key) -> {
                if (!method.equals("Debit")) {
                    return Fault.PASS;
                }
                synchronized (keys) {
                    keys.add(key);
                }
                return left.getAndDecrement() > 0 ? fault : Fault.PASS;
            });
            assertThat(given(i % 2, rose(room, "lost-" + i)).getTotalPriceCoins())
                    .as("%s", fault)
                    .isEqualTo(40);
            house.fine();
        }
        assertThat(balance(room)).isEqualTo(800);
        synchronized (keys) {
            assertThat(keys).hasSizeGreaterThanOrEqualTo(15);
            assertThat(keys.stream().distinct()).hasSize(5);
        }
    }

    /** B30, B31: nobody comes back for it, and the refund is not answered either. */
    @Test
    @Tag("GIFT-2")
    @Tag("B31")
    void whatWasChargedForAGiftThatNobodyCameBackForIsPaidBackOnce() {
        RoomKey room = party("abandoned", 100);
        AtomicInteger refunds = new AtomicInteger();
        house.fail((method, key) -> {
            if (method.equals("Debit")) {
                return Fault.LOST_AFTER;
            }
            return method.equals("Refund") && refunds.incrementAndGet() < 3 ? Fault.LOST_AFTER : Fault.PASS;
        });
        RoomClient impatient = RoomClient.create(
                house.vertx,
                RoomClientOptions.to("127.0.0.1:" + nodes.get(0).grpcPort()).withTimeouts(1_000, 1_000));
        assertThat(Await.failure(impatient.sendGift(rose(room, "abandoned-1"))))
                .isInstanceOfSatisfying(
                        RoomCallException.class,
                        lost -> assertThat(lost.outcomeUnknown()).isTrue());
        Await.until("it is paid back", () -> balance(room) == 100 && refunds.get() >= 3);
        house.fine();
        house.settle();
        assertThat(refused(1, rose(room, "abandoned-1"))).isEqualTo("GIFT_VOIDED");
        assertThat(house.tables.given(GiftHouse.APP))
                .noneMatch(gift -> gift.commandId().equals("abandoned-1"));
    }

    /** GIFT-7: a receiver goes while the money moves. */
    @Test
    @Tag("GIFT-7")
    void whenAReceiverGoesBetweenMoneyAndRoomNobodyGetsAnythingAndItIsPaidBackAtOnce() {
        RoomKey room = party("leaver", 100);
        house.fail((method, key) -> method.equals("Debit") ? Fault.slow(400) : Fault.PASS);
        Future<SendGiftResponse> sent = clients.get(0).sendGift(rose(room, "leaver-1"));
        Await.until(
                "it is begun",
                () -> house.tables.intents(GiftHouse.APP).stream()
                        .anyMatch(intent -> intent.commandId().equals("leaver-1")));
        Await.result(clients.get(1).leaveRoom(RoomCalls.leave(room, "cara", "leave-cara")));
        assertThat(((RoomCallException) Await.failure(sent)).reason()).isEqualTo("RECEIVER_GONE");
        assertThat(balance(room)).isEqualTo(100);
        house.fine();
        Await.result(clients.get(1).joinRoom(RoomCalls.join(room, "cara", "join-cara-again")));
        assertThat(refused(0, rose(room, "leaver-1"))).isEqualTo("GIFT_VOIDED");
        assertThat(given(0, rose(room, "leaver-2")).getCoinBalanceAfter()).isEqualTo(60);
    }

    /** I7, from the command line: the ledger, the intents and the logs agree, and one gift's money is explained. */
    @Test
    @Tag("I7")
    void theCommandLineFindsEveryCoin() {
        RoomKey room = party("explained", 100);
        given(0, GiftHouse.gift(room, giver(room), "clover", 3, "explained-1", "ben"));
        house.settle();
        assertThat(house.run(new ExplainGiftCommand(), "explained-1", "--app", GiftHouse.APP))
                .contains("3 x clover at 10 = 30 coins")
                .contains("intent      COMMITTED, lucky")
                .contains("reward      PAID, 30 coins")
                .contains("log         version 5")
                .contains("paid        30 coins; 70 were left")
                .contains("answered    balance 100, reward 30")
                .contains("fact        explained:5:0 ROOM_GIFT_SENT")
                .contains("ledger      DEBIT of 30 coins, ann-explained, after it 70")
                .contains("ledger      CREDIT of 30 coins, ann-explained, after it 100")
                .endsWith("exit 0");
        assertThat(house.run(new ExplainGiftCommand(), "never-sent", "--app", GiftHouse.APP))
                .contains("no gift was ever begun")
                .endsWith("exit 1");
        assertThat(house.run(new CheckCommand())).endsWith("exit 0");
        house.tables.forgeReward("explained-1", 31);
        assertThat(house.run(new CheckCommand())).contains("I7", "explained-1").endsWith("exit 1");
        house.tables.forgeReward("explained-1", 30);
        assertThat(house.run(new CheckCommand(), "--app", GiftHouse.APP)).endsWith("exit 2");
    }

    /** A wallet that answers nothing for a while costs no room its other commands, and no gift its money. */
    @Test
    void whileTheWalletIsDownGiftsAreRefusedAndEverythingElseGoesOn() {
        RoomKey room = party("down", 1_000);
        Await.result(house.wallet.goDown());
        try {
            for (int i = 0; i < 12; i++) {
                assertThat(refusedSoon(rose(room, "down-" + i)))
                        .isIn("OVERLOADED", "OUTCOME_UNKNOWN", RoomCallException.ATTEMPT_TIMEOUT);
            }
            Await.result(clients.get(0).leaveRoom(RoomCalls.leave(room, "cara", "leave")));
            Await.result(clients.get(0).joinRoom(RoomCalls.join(room, "cara", "join")));
        } finally {
            Await.result(house.wallet.comeUp());
        }
        assertThat(given(1, rose(room, "down-after")).getTotalPriceCoins()).isEqualTo(40);
    }

    private static String refusedSoon(SendGiftRequest request) {
        RoomClient impatient = RoomClient.create(
                house.vertx,
                RoomClientOptions.to("127.0.0.1:" + nodes.get(0).grpcPort()).withTimeouts(300, 300));
        return ((RoomCallException) Await.failure(impatient.sendGift(request))).reason();
    }
}
