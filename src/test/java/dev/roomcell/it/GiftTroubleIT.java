package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.domain.RoomKey;
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

/** Gifts while the wallet or the lottery does not answer, or somebody goes in the middle. */
final class GiftTroubleIT extends GiftScene {
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
