package dev.roomcell.dev.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.check.WalletMovement.Kind;
import dev.roomcell.dev.wallet.OpenBooks.Account;
import dev.roomcell.port.Wallet.DebitAnswer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of calls that are decided together: each sees what those before it have moved. */
final class OpenBooksTest {
    private static final DebitAnswer VOIDED = new DebitAnswer.Voided();
    private static final DebitAnswer INSUFFICIENT = new DebitAnswer.InsufficientBalance();

    private final OpenBooks books = new OpenBooks(
            Map.of(new Account("app", "ann"), 100L, new Account("app", "bob"), 0L),
            List.of(
                    movement(Kind.DEBIT, "ann", "old", 7, 93, ""),
                    movement(Kind.REFUND, "ann", "undo", 0, 93, "gone")));

    private static WalletMovement movement(
            Kind kind, String user, String key, long coins, long balanceAfter, String debitKey) {
        return new WalletMovement(key, kind, "app", user, coins, balanceAfter, debitKey);
    }

    private static WalletMovement debit(String user, String key, long coins) {
        return movement(Kind.DEBIT, user, key, coins, 0, "");
    }

    private static WalletMovement credit(String user, String key, long coins) {
        return movement(Kind.CREDIT, user, key, coins, 0, "");
    }

    private static WalletMovement refund(String user, String key, String debitKey) {
        return movement(Kind.REFUND, user, key, 0, 0, debitKey);
    }

    private static DebitAnswer debited(long balanceAfter) {
        return new DebitAnswer.Debited(balanceAfter);
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(ServiceRefusal.class);
    }

    @Test
    @Tag("B32")
    void twoDebitsOfOneUserTakeNoMoreThanThereIs() {
        assertThat(books.debit(debit("ann", "a", 60))).isEqualTo(debited(40));
        assertThat(books.debit(debit("ann", "b", 60))).isEqualTo(INSUFFICIENT);
        assertThat(books.debit(debit("ann", "c", 40))).isEqualTo(debited(0));
        assertThat(books.made())
                .containsExactly(
                        movement(Kind.DEBIT, "ann", "a", 60, 40, ""), movement(Kind.DEBIT, "ann", "c", 40, 0, ""));
    }

    @Test
    void whatOneCallGivesTheNextMayTake() {
        assertThat(books.debit(debit("bob", "a", 5))).isEqualTo(INSUFFICIENT);
        assertThat(books.give(credit("bob", "b", 5))).isEqualTo(5);
        assertThat(books.debit(debit("bob", "a", 5))).isEqualTo(debited(0));
    }

    @Test
    @Tag("GIFT-1")
    void aKeyThatComesTwiceMovesOnceAndIsAnsweredAlike() {
        assertThat(books.debit(debit("ann", "a", 60))).isEqualTo(debited(40));
        assertThat(books.give(credit("ann", "b", 1))).isEqualTo(41);
        assertThat(books.debit(debit("ann", "a", 60))).isEqualTo(debited(40));
        assertThat(books.give(credit("ann", "b", 1))).isEqualTo(41);
        assertThat(books.debit(debit("ann", "old", 7))).isEqualTo(debited(93));
        assertThat(books.made()).hasSize(2);
    }

    @Test
    @Tag("GIFT-4")
    void aRefundVoidsTheDebitThatComesAfterIt() {
        assertThat(books.refund(refund("ann", "r", "a"))).isZero();
        assertThat(books.debit(debit("ann", "a", 60))).isEqualTo(VOIDED);
        assertThat(books.debit(debit("ann", "gone", 60))).isEqualTo(VOIDED);
        assertThat(books.made()).containsExactly(movement(Kind.REFUND, "ann", "r", 0, 100, "a"));
    }

    @Test
    @Tag("GIFT-4")
    void aRefundGivesBackWhatADebitBeforeItTookAndVoidsIt() {
        assertThat(books.debit(debit("ann", "a", 60))).isEqualTo(debited(40));
        assertThat(books.refund(refund("ann", "r", "a"))).isEqualTo(60);
        assertThat(books.refund(refund("ann", "r", "a"))).isEqualTo(60);
        assertThat(books.debit(debit("ann", "a", 60))).isEqualTo(VOIDED);
        assertThat(books.refund(refund("ann", "s", "old"))).isEqualTo(7);
        assertThat(books.made()).extracting(WalletMovement::balanceAfter).containsExactly(40L, 100L, 107L);
    }

    @Test
    void aKeyThatNamesSomethingElseIsRefusedAndTheCallsAfterItGoOn() {
        assertThat(books.debit(debit("ann", "a", 60))).isEqualTo(debited(40));
        assertRefused(() -> books.debit(debit("ann", "a", 59)));
        assertRefused(() -> books.debit(debit("bob", "a", 60)));
        assertRefused(() -> books.give(credit("ann", "a", 60)));
        assertRefused(() -> books.debit(debit("bob", "gone", 1)));
        assertRefused(() -> books.refund(refund("bob", "r", "a")));
        assertRefused(() -> books.refund(refund("ann", "r", "gone")));
        assertRefused(() -> books.refund(refund("ann", "a", "a")));
        assertThat(books.give(credit("bob", "c", 5))).isEqualTo(5);
        assertRefused(() -> books.refund(refund("bob", "r", "c")));
        assertThat(books.made()).hasSize(2);
    }

    @Test
    @Tag("B35")
    void whatWouldBeTooMuchIsRefusedAndMovesNothing() {
        assertRefused(() -> books.give(credit("ann", "a", Long.MAX_VALUE - 99)));
        assertThat(books.give(credit("ann", "b", Long.MAX_VALUE - 100))).isEqualTo(Long.MAX_VALUE);
        assertThat(books.debit(debit("ann", "c", Long.MAX_VALUE))).isEqualTo(debited(0));
        assertThat(books.made()).hasSize(2);
    }
}
