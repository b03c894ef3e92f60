package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.contract.GrpcWalletBackend.Client;
import dev.roomcell.dev.wallet.LuckyOdds;
import dev.roomcell.dev.wallet.WalletFaults;
import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.port.LuckyGift.Draw;
import dev.roomcell.port.LuckyGift.DrawException;
import dev.roomcell.port.Wallet.DebitAnswer;
import dev.roomcell.port.Wallet.Refund;
import dev.roomcell.port.Wallet.Transfer;
import dev.roomcell.port.Wallet.WalletException;
import dev.roomcell.port.Wallet.WalletException.Kind;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A wallet whose answers are lost, late or not to be had: what its caller knows, and that the same call settles it. */
final class WalletFaultsIT {
    @RegisterExtension
    static final GrpcWalletBackend WALLET = new GrpcWalletBackend(LuckyOdds.STANDARD);

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final long SHORT_MS = 300;
    private static final long LONG_MS = 20_000;

    private final String app = "faults-" + RUNS.incrementAndGet();
    private Client client;

    @BeforeEach
    void newClient() {
        // Of its own, so that no breaker remembers another test.
        client = GrpcWalletBackend.client(
                WALLET.vertx(), WALLET.service().port(), WALLET.service().luckyGiftPort(), LONG_MS);
        WALLET.open(app, "ann", 100);
    }

    @AfterEach
    void itAllAddsUp() {
        assertThat(WALLET.audit()).isEmpty();
    }

    private Future<DebitAnswer> debit(long timeoutMs) {
        return client.wallet().debit(new Transfer(app, "ann", "debit/" + app + "/c", 30), timeoutMs);
    }

    private Future<Long> refund() {
        return client.wallet().refund(new Refund(app, "ann", "refund/" + app + "/c", "debit/" + app + "/c"), LONG_MS);
    }

    private long balance() {
        return WALLET.service().books().balance(app, "ann");
    }

    private static void assertFails(Kind kind, Future<?> call) {
        assertThat(Await.failure(call))
                .isInstanceOfSatisfying(
                        WalletException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind));
    }

    private List<WalletMovement> movements() {
        return WALLET.movements().stream()
                .filter(movement -> movement.appCode().equals(app))
                .toList();
    }

    @Test
    void aCallThatIsLostBeforeItsEffectIsUnknownAndMayBeMadeAgain() {
        WALLET.setFault(Fault.LOST_BEFORE);
        assertFails(Kind.UNKNOWN, debit(SHORT_MS));
        assertThat(balance()).isEqualTo(100);
        WALLET.setFault(Fault.PASS);
        assertThat(Await.result(debit(LONG_MS))).isEqualTo(new DebitAnswer.Debited(70));
    }

    @Test
    @Tag("GIFT-1")
    void aCallWhoseAnswerIsLostIsUnknownAndTakesNothingWhenItIsMadeAgain() {
        WALLET.setFault(Fault.LOST_AFTER);
        assertFails(Kind.UNKNOWN, debit(SHORT_MS));
        Await.until("it has its effect", () -> balance() == 70);
        assertFails(Kind.UNKNOWN, debit(SHORT_MS));
        WALLET.setFault(Fault.PASS);
        assertThat(Await.result(debit(LONG_MS))).isEqualTo(new DebitAnswer.Debited(70));
        assertThat(movements()).hasSize(2);
    }

    @Test
    void unavailableIsUnknownWhetherItHadItsEffectOrNot() {
        WALLET.setFault(Fault.UNAVAILABLE_BEFORE);
        assertFails(Kind.UNKNOWN, debit(LONG_MS));
        assertThat(balance()).isEqualTo(100);
        WALLET.setFault(Fault.UNAVAILABLE_AFTER);
        assertFails(Kind.UNKNOWN, debit(LONG_MS));
        assertThat(balance()).isEqualTo(70);
    }

    @Test
    void aSlowAnswerInTimeIsAnAnswer() {
        WALLET.setFault(Fault.slow(SHORT_MS));
        assertThat(Await.result(debit(LONG_MS))).isEqualTo(new DebitAnswer.Debited(70));
    }

    /** The refund overtakes a debit that is still on its way. */
    @Test
    @Tag("GIFT-4")
    void aDebitThatComesAfterItsRefundTakesNothing() {
        Map<String, Boolean> over = new ConcurrentHashMap<>();
        WALLET.setFaults((method, key) -> {
            if (method.equals("Debit") && over.putIfAbsent(key, true) == null) {
                return Fault.late(10 * SHORT_MS);
            }
            return Fault.PASS;
        });
        long before = WALLET.service().effects();
        assertFails(Kind.UNKNOWN, debit(SHORT_MS));
        assertThat(Await.result(refund())).isZero();
        assertThat(WALLET.service().effects()).isEqualTo(before + 1);
        Await.until("the late debit has come", () -> WALLET.service().effects() == before + 2);
        assertThat(Await.result(debit(LONG_MS))).isEqualTo(new DebitAnswer.Voided());
        assertThat(balance()).isEqualTo(100);
    }

    /** The caller has given up, and the effect is still to come. */
    @Test
    void aLateEffectIsFoundByTheSameCall() {
        WALLET.setFault(Fault.late(10 * SHORT_MS));
        assertFails(Kind.UNKNOWN, debit(SHORT_MS));
        assertThat(balance()).isEqualTo(100);
        WALLET.setFaults(WalletFaults.NONE);
        Await.until("it has its effect", () -> balance() == 70);
        assertThat(Await.result(debit(LONG_MS))).isEqualTo(new DebitAnswer.Debited(70));
    }

    @Test
    void aWalletThatIsDownWasNotReachedAndIsFoundAgain() {
        Await.result(WALLET.service().goDown());
        try {
            assertFails(Kind.NOT_SENT, debit(LONG_MS));
        } finally {
            Await.result(WALLET.service().comeUp());
        }
        assertThat(Await.result(debit(LONG_MS))).isEqualTo(new DebitAnswer.Debited(70));
    }

    @Test
    @Tag("GIFT-1")
    void aWalletThatIsKilledUnderManyCallsTookEachOnceAfterTheyAreMadeAgain() {
        WALLET.open(app, "bob", 1_000);
        List<Transfer> debits = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            debits.add(new Transfer(app, "bob", "debit/" + app + "/bob-" + i, 10));
        }
        List<Future<DebitAnswer>> calls = debits.stream()
                .map(debit -> client.wallet().debit(debit, LONG_MS))
                .toList();
        Await.until("some are done", () -> WALLET.service().books().balance(app, "bob") < 1_000);
        Await.result(WALLET.service().goDown());
        calls.forEach(call -> Await.result(call.otherwiseEmpty()));
        Await.result(WALLET.service().comeUp());
        Client other = GrpcWalletBackend.client(
                WALLET.vertx(), WALLET.service().port(), WALLET.service().luckyGiftPort(), LONG_MS);
        for (Transfer debit : debits) {
            assertThat(Await.result(other.wallet().debit(debit, LONG_MS))).isInstanceOf(DebitAnswer.Debited.class);
        }
        assertThat(WALLET.service().books().balance(app, "bob")).isZero();
        assertThat(movements())
                .filteredOn(movement -> movement.userId().equals("bob"))
                .hasSize(101);
    }

    @Test
    @Tag("GIFT-6")
    void aDrawWhoseAnswerIsLostIsAskedForAgainAndComesToTheSame() {
        // The connection is there after it, so that the short call is sent and not given up before.
        Await.result(client.luckyGift().draw(new Draw(app, "draw/" + app + "/first", "ann", "rose", 3, 30), LONG_MS));
        Draw draw = new Draw(app, "draw/" + app + "/c", "ann", "rose", 3, 30);
        WALLET.setFault(Fault.LOST_AFTER);
        assertThat(Await.failure(client.luckyGift().draw(draw, SHORT_MS))).isInstanceOf(DrawException.class);
        long reward = Await.value("it was drawn", () -> WALLET.service().draws().made(draw.key()))
                .reward();
        WALLET.setFault(Fault.PASS);
        assertThat(Await.result(client.luckyGift().draw(draw, LONG_MS))).isEqualTo(reward);
    }
}
