package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.GiftLedger.Excused;
import dev.roomcell.check.WalletMovement.Kind;
import dev.roomcell.domain.Gifts.Payment;
import dev.roomcell.domain.Gifts.RoomGiftSent;
import dev.roomcell.domain.Gifts.SendGift;
import dev.roomcell.domain.Rockets.Fuel;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.Reward;
import dev.roomcell.port.GiftStore.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is wrong with gifts and money is found: each case is right but for one thing (I7). */
class GiftLedgerTest {
    private static final RoomKey ROOM = new RoomKey("lala", "tea");
    private static final GiftKey GIVEN = new GiftKey("lala", "c-1");
    private static final GiftKey VOIDED = new GiftKey("lala", "c-2");

    private final List<GivenGift> given = new ArrayList<>();
    private final List<Intent> intents = new ArrayList<>();
    private final List<WalletMovement> movements = new ArrayList<>();

    private static GivenGift gift(GiftKey key, long balanceAfter, long rewardCoins) {
        SendGift wish = new SendGift(
                "ann", "box", 2, List.of("ben"), new Payment(30, 60, balanceAfter, rewardCoins, false), Fuel.NONE);
        return new GivenGift(
                key, ROOM, 7, wish, new RoomGiftSent("ann", List.of("ben"), "box", 2, 30, 60, rewardCoins));
    }

    private static Intent intent(GiftKey key, State state, Reward reward, long rewardCoins) {
        return Intent.begun(key, ROOM.roomId(), "ann", new byte[16], new Gift("box", 30, true, 0), 2, 60)
                .with(state, reward, rewardCoins);
    }

    private static WalletMovement movement(String key, Kind kind, long coins, long balanceAfter, String debitKey) {
        return new WalletMovement(key, kind, "lala", "ann", coins, balanceAfter, debitKey);
    }

    private static WalletMovement opening() {
        return movement("opening/lala/ann", Kind.OPENING, 100, 100, "");
    }

    private static WalletMovement debit(GiftKey key, long balanceAfter) {
        return movement(key.debitKey(), Kind.DEBIT, 60, balanceAfter, "");
    }

    private static WalletMovement refund(GiftKey key, long coins, long balanceAfter) {
        return movement(key.refundKey(), Kind.REFUND, coins, balanceAfter, key.debitKey());
    }

    /** One gift that was given and won 10, and one that was paid back. */
    private void allRight() {
        given.add(gift(GIVEN, 40, 10));
        intents.add(intent(GIVEN, State.COMMITTED, Reward.PAID, 10));
        intents.add(intent(VOIDED, State.VOIDED, Reward.NONE, 0));
        movements.add(opening());
        movements.add(debit(GIVEN, 40));
        movements.add(movement(GIVEN.creditKey(), Kind.CREDIT, 10, 50, ""));
        movements.add(movement("opening/lala/ann/2", Kind.OPENING, 50, 100, ""));
        movements.add(debit(VOIDED, 40));
        movements.add(refund(VOIDED, 60, 100));
    }

    private void assertFound(String message) {
        assertThat(GiftLedger.check(given, intents, movements))
                .isNotEmpty()
                .allSatisfy(violation -> assertThat(violation.invariant()).isEqualTo(Invariant.I7))
                .anySatisfy(violation -> assertThat(violation.message()).contains(message));
    }

    @Test
    void nothingIsWrongWhereAllIsRight() {
        allRight();

        assertThat(GiftLedger.check(given, intents, movements)).isEmpty();
    }

    @Test
    @DisplayName("LOG-1: a gift is in no log any more, if that may be so")
    void aGiftWhoseLogRowWasPurgedIsRight() {
        allRight();
        given.clear();

        assertThat(GiftLedger.check(given, intents, movements, new Excused(Set.of(GIVEN), Set.of())))
                .isEmpty();
        assertThat(GiftLedger.check(given, intents, movements, new Excused(Set.of(VOIDED), Set.of(GIVEN))))
                .isNotEmpty();
    }

    @Test
    void whatIsParkedIsOpenAndNotWrong() {
        allRight();
        intents.set(0, intent(GIVEN, State.COMMITTED, Reward.DUE, 10));
        intents.set(1, intent(VOIDED, State.VOIDING, Reward.NONE, 0));
        movements.clear();
        movements.addAll(List.of(opening(), debit(GIVEN, 40)));

        assertFound("has not come to an end");
        assertThat(GiftLedger.check(given, intents, movements, new Excused(Set.of(), Set.of(VOIDED))))
                .hasSize(1);
        assertThat(GiftLedger.check(given, intents, movements, new Excused(Set.of(), Set.of(GIVEN, VOIDED))))
                .isEmpty();
        given.add(gift(VOIDED, 40, 0));
        assertThat(GiftLedger.check(given, intents, movements, new Excused(Set.of(), Set.of(GIVEN, VOIDED))))
                .as("given, and to be paid back")
                .isNotEmpty();
    }

    @Test
    @DisplayName("GIFT-1: a gift without a debit, and a debit without a gift")
    void giftAndDebitGoTogether() {
        allRight();
        given.clear();
        assertFound("is in no log");

        given.add(gift(GIVEN, 40, 10));
        movements.subList(1, movements.size()).clear();
        assertFound("is paid for by null");
    }

    @Test
    @DisplayName("GIFT-1: one command, given twice")
    void oneGiftACommand() {
        allRight();
        given.add(gift(GIVEN, 40, 10));

        assertFound("was given before");
    }

    @Test
    @DisplayName("GIFT-2: a gift that is given and paid back")
    void aGivenGiftIsNotPaidBack() {
        allRight();
        movements.add(refund(GIVEN, 60, 160));

        assertFound("is given, and paid back");
    }

    @Test
    @DisplayName("GIFT-2: a gift that is given up, and not paid back")
    void whatIsGivenUpIsPaidBack() {
        allRight();
        movements.remove(movements.size() - 1);

        assertFound("nothing keeps its debit from coming yet");
    }

    @Test
    @DisplayName("GIFT-2: a gift that nobody brought to an end")
    void nothingStaysOpen() {
        allRight();
        intents.set(1, intent(VOIDED, State.VOIDING, Reward.NONE, 0));
        assertFound("has not come to an end");

        intents.set(1, intent(VOIDED, State.VOIDED, Reward.NONE, 0));
        intents.set(0, intent(GIVEN, State.COMMITTED, Reward.DUE, 10));
        assertFound("has not come to an end");
    }

    @Test
    @DisplayName("GIFT-4: a debit after its refund")
    void noDebitFollowsItsRefund() {
        allRight();
        movements.subList(4, 6).clear();
        movements.add(refund(VOIDED, 0, 100));
        movements.add(debit(VOIDED, 40));

        assertFound("follows its refund");
    }

    @Test
    @DisplayName("GIFT-5, B28: a debit under a key that no command has")
    void everyMovementIsACommands() {
        allRight();
        movements.add(movement(GIVEN.debitKey() + "/2", Kind.DEBIT, 60, 40, ""));

        assertFound("is no gift's");
    }

    @Test
    @DisplayName("GIFT-6: another reward than was won, and one for a gift that was not given")
    void aRewardIsWhatWasWon() {
        allRight();
        movements.set(2, movement(GIVEN.creditKey(), Kind.CREDIT, 20, 60, ""));
        assertFound("is not what was credited");

        movements.set(2, movement(VOIDED.creditKey(), Kind.CREDIT, 10, 50, ""));
        assertFound("has a reward");
    }

    @Test
    @DisplayName("GIFT-6: a balance in the log that the debit did not leave")
    void theBalanceInTheLogIsTheDebits() {
        allRight();
        given.set(0, gift(GIVEN, 41, 10));

        assertFound("is paid for by");
    }

    @Test
    @DisplayName("B32: a balance below 0, and one that does not follow from what moved")
    void balancesAddUp() {
        allRight();
        movements.add(movement("debit/lala/c-3", Kind.DEBIT, 160, -60, ""));
        assertFound("leaves a balance below 0");

        movements.set(movements.size() - 1, movement("debit/lala/c-3", Kind.DEBIT, 60, 50, ""));
        assertFound("should leave a balance of 40");
    }
}
