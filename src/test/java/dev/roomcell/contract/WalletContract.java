package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.port.Wallet.DebitAnswer;
import dev.roomcell.port.Wallet.Refund;
import dev.roomcell.port.Wallet.Transfer;
import dev.roomcell.port.Wallet.WalletException;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a wallet must do for a gift to be charged at most once, and never for nothing. */
abstract class WalletContract {
    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final long TIMEOUT_MS = 20_000;
    private static final DebitAnswer VOIDED = new DebitAnswer.Voided();
    private static final DebitAnswer INSUFFICIENT = new DebitAnswer.InsufficientBalance();

    /** Every test's own, as a backend may keep what others did. */
    final String app = "app-" + RUNS.incrementAndGet();

    abstract WalletBackend backend();

    @AfterEach
    void itAllAddsUp() {
        assertThat(backend().audit()).isEmpty();
    }

    private String key(String kind, String id) {
        return kind + "/" + app + "/" + id;
    }

    private Transfer debit(String user, String id, long coins) {
        return new Transfer(app, user, key("debit", id), coins);
    }

    private Transfer credit(String user, String id, long coins) {
        return new Transfer(app, user, key("credit", id), coins);
    }

    private Refund refund(String user, String id) {
        return new Refund(app, user, key("refund", id), key("debit", id));
    }

    private Future<DebitAnswer> send(Transfer debit) {
        return backend().wallet().debit(debit, TIMEOUT_MS);
    }

    private Future<Long> give(Transfer credit) {
        return backend().wallet().credit(credit, TIMEOUT_MS);
    }

    private Future<Long> undo(Refund refund) {
        return backend().wallet().refund(refund, TIMEOUT_MS);
    }

    private long balance(String user) {
        return Await.result(backend().wallet().balance(app, user, TIMEOUT_MS));
    }

    private List<WalletMovement> movements() {
        return backend().movements().stream()
                .filter(movement -> movement.appCode().equals(app))
                .toList();
    }

    private static void assertRefused(Future<?> call) {
        assertThat(Await.failure(call))
                .isInstanceOfSatisfying(
                        WalletException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(WalletException.Kind.REFUSED));
    }

    @Test
    void whoIsNotKnownHasNothing() {
        assertThat(balance("nobody")).isZero();
        assertThat(Await.result(send(debit("nobody", "c", 1)))).isEqualTo(INSUFFICIENT);
        assertThat(Await.result(give(credit("nobody", "c", 7)))).isEqualTo(7);
        assertThat(balance("nobody")).isEqualTo(7);
    }

    @Test
    @Tag("GIFT-1")
    void aRepeatedDebitMovesNothingAndAnswersAsTheFirst() {
        backend().open(app, "ann", 100);
        assertThat(Await.result(send(debit("ann", "c", 30)))).isEqualTo(new DebitAnswer.Debited(70));
        Await.result(give(credit("ann", "other", 5)));
        assertThat(Await.result(send(debit("ann", "c", 30)))).isEqualTo(new DebitAnswer.Debited(70));
        assertThat(balance("ann")).isEqualTo(75);
        assertThat(movements()).extracting(WalletMovement::change).containsExactly(100L, -30L, 5L);
    }

    @Test
    @Tag("GIFT-6")
    void aRepeatedCreditMovesNothingAndAnswersAsTheFirst() {
        assertThat(Await.result(give(credit("ann", "c", 30)))).isEqualTo(30);
        assertThat(Await.result(send(debit("ann", "other", 10)))).isEqualTo(new DebitAnswer.Debited(20));
        assertThat(Await.result(give(credit("ann", "c", 30)))).isEqualTo(30);
        assertThat(balance("ann")).isEqualTo(20);
        assertThat(movements()).hasSize(2);
    }

    @Test
    @Tag("GIFT-4")
    void aRefundGivesBackWhatWasTakenOnceAndVoidsTheDebit() {
        backend().open(app, "ann", 100);
        Await.result(send(debit("ann", "c", 30)));
        assertThat(Await.result(undo(refund("ann", "c")))).isEqualTo(30);
        assertThat(Await.result(undo(refund("ann", "c")))).isEqualTo(30);
        assertThat(balance("ann")).isEqualTo(100);
        assertThat(Await.result(send(debit("ann", "c", 30)))).isEqualTo(VOIDED);
        assertThat(balance("ann")).isEqualTo(100);
        assertThat(movements()).hasSize(3);
    }

    @Test
    @Tag("GIFT-4")
    void aRefundThatComesBeforeItsDebitVoidsItForEver() {
        backend().open(app, "ann", 100);
        assertThat(Await.result(undo(refund("ann", "c")))).isZero();
        assertThat(Await.result(send(debit("ann", "c", 30)))).isEqualTo(VOIDED);
        assertThat(Await.result(undo(refund("ann", "c")))).isZero();
        assertThat(Await.result(send(debit("ann", "c", 30)))).isEqualTo(VOIDED);
        assertThat(balance("ann")).isEqualTo(100);
        assertThat(backend().movement(key("refund", "c")))
                .contains(new WalletMovement(
                        key("refund", "c"), WalletMovement.Kind.REFUND, app, "ann", 0, 100, key("debit", "c")));
        assertThat(backend().movement(key("debit", "c"))).isEmpty();
    }

    /** Whichever comes first: nothing is taken for good. */
    @Test
    @Tag("GIFT-4")
    void aRefundAndItsDebitAtOnceLeaveNothingTaken() {
        backend().open(app, "ann", 1_000);
        List<Future<?>> calls = IntStream.range(0, 20)
                .boxed()
                .<Future<?>>flatMap(i -> List.<Future<?>>of(
                        send(debit("ann", "c-" + i, 10)),
                        undo(refund("ann", "c-" + i)),
                        send(debit("ann", "c-" + i, 10)))
                        .stream())
                .toList();
        Await.result(Future.all(calls));
        assertThat(balance("ann")).isEqualTo(1_000);
    }

    @Test
    void aDebitThatWasTooMuchMayBeTriedAgain() {
        backend().open(app, "ann", 29);
        assertThat(Await.result(send(debit("ann", "c", 30)))).isEqualTo(INSUFFICIENT);
        assertThat(balance("ann")).isEqualTo(29);
        assertThat(movements()).hasSize(1);
        Await.result(give(credit("ann", "other", 1)));
        assertThat(Await.result(send(debit("ann", "c", 30)))).isEqualTo(new DebitAnswer.Debited(0));
    }

    @Test
    @Tag("B32")
    void debitsAtOnceTakeAsMuchAsThereIsAndNoMore() {
        backend().open(app, "ann", 100);
        List<DebitAnswer> answers =
                IntStream.range(0, 32).mapToObj(i -> send(debit("ann", "c-" + i, 15))).toList().stream()
                        .map(Await::result)
                        .toList();
        assertThat(answers)
                .containsOnlyOnce(
                        new DebitAnswer.Debited(85),
                        new DebitAnswer.Debited(70),
                        new DebitAnswer.Debited(55),
                        new DebitAnswer.Debited(40),
                        new DebitAnswer.Debited(25),
                        new DebitAnswer.Debited(10));
        assertThat(answers).filteredOn(INSUFFICIENT::equals).hasSize(26);
        assertThat(balance("ann")).isEqualTo(10);
    }

    @Test
    @Tag("GIFT-1")
    void oneDebitSentManyTimesAtOnceIsOne() {
        backend().open(app, "ann", 100);
        List<Future<DebitAnswer>> calls = IntStream.range(0, 16)
                .mapToObj(i -> send(debit("ann", "c", 15)))
                .toList();
        assertThat(calls.stream().map(Await::result)).containsOnly(new DebitAnswer.Debited(85));
        assertThat(movements()).hasSize(2);
    }

    @Test
    void aKeyThatNamesAnotherMovementIsRefused() {
        backend().open(app, "ann", 100);
        backend().open(app, "bob", 100);
        Await.result(send(debit("ann", "c", 30)));
        Await.result(give(credit("ann", "c", 5)));
        assertRefused(send(debit("ann", "c", 31)));
        assertRefused(send(debit("bob", "c", 30)));
        assertRefused(give(credit("ann", "c", 6)));
        assertRefused(give(credit("bob", "c", 5)));
        assertRefused(give(debit("ann", "c", 30)));
        assertRefused(send(credit("ann", "c", 5)));
        assertRefused(undo(refund("bob", "c")));
        assertRefused(undo(new Refund(app, "ann", key("debit", "c"), key("debit", "c"))));
        assertRefused(undo(new Refund(app, "ann", key("refund", "x"), key("credit", "c"))));
        assertThat(balance("ann")).isEqualTo(75);
        assertThat(balance("bob")).isEqualTo(100);
        assertThat(movements()).hasSize(4);
    }

    @Test
    @Tag("GIFT-4")
    void aDebitIsUndoneUnderOneKeyOnly() {
        backend().open(app, "ann", 100);
        Await.result(send(debit("ann", "c", 30)));
        Await.result(undo(refund("ann", "c")));
        assertRefused(undo(new Refund(app, "ann", key("refund", "c-2"), key("debit", "c"))));
        assertRefused(undo(new Refund(app, "ann", key("refund", "c"), key("debit", "c-2"))));
        assertThat(balance("ann")).isEqualTo(100);
    }

    @Test
    void nothingAndLessThanNothingAreRefused() {
        backend().open(app, "ann", 100);
        for (long coins : new long[] {0, -1, Long.MIN_VALUE}) {
            assertRefused(send(debit("ann", "c", coins)));
            assertRefused(give(credit("ann", "c", coins)));
        }
        assertThat(movements()).hasSize(1);
    }

    @Test
    @Tag("B35")
    void theLargestAmountsAreExactAndNothingWraps() {
        backend().open(app, "ann", Long.MAX_VALUE);
        backend().open(app, "bob", Long.MAX_VALUE);
        assertThat(balance("ann")).isEqualTo(Long.MAX_VALUE);
        assertRefused(give(credit("ann", "c", 1)));
        assertRefused(give(credit("ann", "c", Long.MAX_VALUE)));
        assertThat(Await.result(send(debit("ann", "c", Long.MAX_VALUE)))).isEqualTo(new DebitAnswer.Debited(0));
        assertThat(Await.result(undo(refund("ann", "c")))).isEqualTo(Long.MAX_VALUE);
        assertThat(balance("ann")).isEqualTo(Long.MAX_VALUE);
        assertThat(Await.result(send(debit("ann", "c-2", 1)))).isEqualTo(new DebitAnswer.Debited(Long.MAX_VALUE - 1));
    }

    @Test
    void theSameUserOfAnotherAppHasAnAccountOfTheirOwn() {
        String other = app + "-b";
        backend().open(app, "ann", 100);
        backend().open(other, "ann", 10);
        Await.result(send(debit("ann", "c", 30)));
        assertThat(Await.result(backend().wallet().balance(other, "ann", TIMEOUT_MS)))
                .isEqualTo(10);
        assertRefused(send(new Transfer(other, "ann", key("debit", "c"), 30)));
    }
}
