package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.CheckCommand;
import dev.roomcell.check.ExplainGiftCommand;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Gifts that are paid for and given, through whichever node, and what is refused. */
final class GiftIT extends GiftScene {
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
}
