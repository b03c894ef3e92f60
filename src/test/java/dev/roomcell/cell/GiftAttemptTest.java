package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.check.WalletMovement;
import dev.roomcell.domain.Gifts.SendGift;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.GiftStore.State;
import dev.roomcell.port.Wallet;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryWallet;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a giver is told, and what is in the wallet then, when a gift stops on its way. */
class GiftAttemptTest {
    private static final long COINS = 100;

    private final CellWorld world = new CellWorld();
    private final MemoryWallet wallet = new MemoryWallet();
    private CellNode node;
    /** Happens once, right after the next debit. */
    private Runnable afterDebit = () -> {};

    /** The wallet, and what a test lets happen between money and room. */
    private final class WatchedWallet implements Wallet {
        @Override
        public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
            Future<DebitAnswer> answer = called(debit.key(), () -> wallet.debit(debit, timeoutMs));
            Runnable once = afterDebit;
            afterDebit = () -> {};
            once.run();
            return answer;
        }

        @Override
        public Future<Long> credit(Transfer credit, long timeoutMs) {
            return called(credit.key(), () -> wallet.credit(credit, timeoutMs));
        }

        @Override
        public Future<Long> refund(Refund refund, long timeoutMs) {
            return called(refund.key(), () -> wallet.refund(refund, timeoutMs));
        }

        @Override
        public Future<Long> balance(String appCode, String userId, long timeoutMs) {
            return wallet.balance(appCode, userId, timeoutMs);
        }

        private <T> Future<T> called(String key, Supplier<Future<T>> call) {
            return node.script.pass(Call.WALLET, key, call);
        }

        @Override
        public boolean takesCalls() {
            return wallet.takesCalls();
        }
    }

    @BeforeEach
    void party() {
        world.gifts = new GiftPorts(
                world.database.gifts(),
                (appCode, giftId) -> Future.succeededFuture(Optional.of(new Gift(giftId, 10, false, 1))),
                appCode -> Future.succeededFuture(world.rockets),
                new WatchedWallet(),
                (draw, timeoutMs) -> Future.succeededFuture(0L));
        node = world.node("a", Limits.usual().mailboxCommands(1).settings());
        node.createWith(ROOM, "ben", "cid");
        wallet.open(ROOM.appCode(), "ben", COINS);
        node.script.forget();
    }

    private static SendGift roses() {
        return SendGift.wish("ben", "rose", 3, List.of("cid"));
    }

    private long balance() {
        return wallet.balance(ROOM.appCode(), "ben", 1).result();
    }

    private List<WalletMovement> debits() {
        return wallet.movements().stream()
                .filter(movement -> movement.kind() == WalletMovement.Kind.DEBIT)
                .toList();
    }

    private List<State> intents() {
        return world.database.gifts().all().stream()
                .map(intent -> intent.state())
                .toList();
    }

    /** A retry finds the debit of before and gives the gift. */
    private void assertGivenByTheSameIdAgain() {
        Answers.assertDone(node.ask(ROOM, "gift", roses()));
        assertThat(debits()).hasSize(1);
        assertThat(balance()).isEqualTo(COINS - 30);
        assertThat(intents()).containsExactly(State.COMMITTED);
    }

    @Test
    @Tag("CMD-8")
    void whenTheRoomFillsUpWhileTheWalletIsAskedNobodyIsToldThatNothingHappened() {
        HeldCall verification = node.script.holdNext(Call.VERIFY);
        afterDebit = () -> {
            node.send(ROOM, "filler", Wishes.leave("nobody"));
            node.send(ROOM, "waiting", Wishes.leave("nobody"));
        };

        Answers.assertRefused(node.ask(ROOM, "gift", roses()), Refusal.OUTCOME_UNKNOWN);

        assertThat(balance()).as("taken, and known of").isEqualTo(COINS - 30);
        verification.letGo();
        world.run();
        assertGivenByTheSameIdAgain();
    }

    @Test
    @Tag("CMD-8")
    void whenTheDatabaseTakesNothingAfterTheDebitNobodyIsToldThatNothingHappened() {
        node.script.next(
                Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "the disk is full")));

        Answers.assertRefused(node.ask(ROOM, "gift", roses()), Refusal.OUTCOME_UNKNOWN);

        assertThat(balance()).as("taken, and known of").isEqualTo(COINS - 30);
        assertThat(intents()).containsExactly(State.INTENT);
        assertGivenByTheSameIdAgain();
    }

    /** LEASE-17: what the room's own batch does not know yet is told to nobody before it does. */
    @Test
    @Tag("CMD-2")
    void whoeverIsToldOfTheGiftSeesItInTheRoomFromThenOn() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> first = node.send(ROOM, "gift", roses(), 1_000);
        world.run();
        commit.happen();
        world.advance(3_000);
        Answers.assertRefused(first, Refusal.OUTCOME_UNKNOWN);

        Future<Answer> again = node.send(ROOM, "gift", roses());
        world.run();

        assertThat(again.isComplete()).as("what COMMIT did is not known here").isFalse();
        assertThat(node.room(ROOM).version()).isEqualTo(3);
        commit.answerWith(new GroupOutcome.Committed(List.of(Verdict.APPENDED)));
        world.run();
        assertThat(((Answer.Done) again.result()).replayed()).isTrue();
        assertThat(node.room(ROOM).version()).isEqualTo(4);
    }

    /** What can't be stored is never given, and its sender is told not to try again: so the money is back before. */
    @Test
    @Tag("GIFT-2")
    void aGiftThatCannotBeStoredIsPaidBackBeforeItIsAnswered() {
        node.script.next(
                Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.STATEMENT, "data too long")));

        Answers.assertRefused(node.ask(ROOM, "gift", roses()), Refusal.INTERNAL);

        assertThat(balance()).isEqualTo(COINS);
        assertThat(intents()).containsExactly(State.VOIDED);
    }

    @Test
    @Tag("GIFT-3")
    void whoeverWaitsNoLongerIsNotCharged() {
        HeldCall begin = node.script.holdNext(Call.BEGIN_GIFTS);
        Future<Answer> told = node.send(ROOM, "gift", roses());
        world.run();
        world.advance(CellNode.DEADLINE_MS + 1);
        Answers.assertRefused(told, Refusal.OUTCOME_UNKNOWN);

        begin.letGo();
        world.run();

        assertThat(debits()).isEmpty();
        assertGivenByTheSameIdAgain();
    }

    /** The stepped time reports whatever is answered, or asked for, off the loop. */
    @Test
    void aGiftGoesItsWholeWayOnItsLoopThoughEveryPortAnswersElsewhere() {
        node.script.answerOnForeignThreads();

        Answers.assertDone(node.ask(ROOM, "gift", roses()));
        assertThat(node.ask(ROOM, "gift", roses())).isInstanceOf(Answer.Done.class);
        afterDebit = () -> node.send(ROOM, "leave-cid", Wishes.leave("cid"));
        Answers.assertRejected(node.ask(ROOM, "late", roses()), Reason.RECEIVER_GONE);

        assertThat(node.script.calls()).contains(Call.BEGIN_GIFTS, Call.GIVE_UP_GIFT, Call.END_GIFT, Call.WALLET);
        assertThat(intents()).containsExactlyInAnyOrder(State.COMMITTED, State.VOIDED);
        assertThat(balance()).isEqualTo(COINS - 30);
    }
}
