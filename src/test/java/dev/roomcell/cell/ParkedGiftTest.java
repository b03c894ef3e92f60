package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Gifts.SendGift;
import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.Reward;
import dev.roomcell.port.GiftStore.State;
import dev.roomcell.port.GiftStore.Unsettled;
import dev.roomcell.port.UserNotices;
import dev.roomcell.port.Wallet;
import dev.roomcell.port.Wallet.WalletException.Kind;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryWallet;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the wallet refuses for good is not asked for for ever; what it does not answer is. */
class ParkedGiftTest {
    private static final int MOST = GiftSettings.USUAL.maxRefusals();
    private static final GiftKey KEY = new GiftKey(ROOM.appCode(), "gift");
    /** Longer than all refusals take, ms. */
    private static final long LONG_MS = 600_000;

    private final CellWorld world = new CellWorld();
    private final MemoryWallet wallet = new MemoryWallet();
    private final GiftCounts counts = new GiftCounts();
    private CellNode node;
    /** What the n-th call that moves money back, or a reward, comes to, from 1; empty: what it should. */
    private Troubles trouble = call -> Optional.empty();

    private int calls;

    private interface Troubles {
        Optional<Kind> of(int call);
    }

    private final class TroubledWallet implements Wallet {
        @Override
        public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
            return wallet.debit(debit, timeoutMs);
        }

        @Override
        public Future<Long> credit(Transfer credit, long timeoutMs) {
            return troubled(() -> wallet.credit(credit, timeoutMs));
        }

        @Override
        public Future<Long> refund(Refund refund, long timeoutMs) {
            return troubled(() -> wallet.refund(refund, timeoutMs));
        }

        private Future<Long> troubled(Supplier<Future<Long>> call) {
            return trouble.of(++calls)
                    .map(kind -> Future.<Long>failedFuture(new WalletException(kind, "no")))
                    .orElseGet(call);
        }

        @Override
        public Future<Long> balance(String appCode, String userId, long timeoutMs) {
            return wallet.balance(appCode, userId, timeoutMs);
        }

        @Override
        public boolean takesCalls() {
            return true;
        }
    }

    @BeforeEach
    void start() {
        world.gifts = new GiftPorts(
                world.database.gifts(),
                (appCode, giftId) -> Future.succeededFuture(Optional.of(new Gift(giftId, 10, true, 0))),
                appCode -> Future.succeededFuture(world.rockets),
                new TroubledWallet(),
                (draw, timeoutMs) -> Future.succeededFuture(50L));
        node = world.node("a");
        wallet.open(ROOM.appCode(), "ben", 100);
        GiftReconciler reconciler = new GiftReconciler(
                node.loop, node.ports().gifts(), GiftSettings.USUAL, UserNotices.none(), node.clock, counts);
        node.loop.execute(reconciler::start);
    }

    /** A gift that was paid for, and that nobody came back for. */
    private void abandon() {
        Intent begun = Intent.begun(KEY, ROOM.roomId(), "ben", new byte[16], new Gift("rose", 10, false, 0), 3, 30);
        world.database.gifts().begin(List.of(begun), 0);
        wallet.debit(new Wallet.Transfer(ROOM.appCode(), "ben", KEY.debitKey(), 30), 1);
    }

    private Intent intent() {
        return world.database.gifts().intent(KEY).orElseThrow();
    }

    private long balance() {
        return wallet.balance(ROOM.appCode(), "ben", 1).result();
    }

    @Test
    @Tag("GIFT-2")
    void aRefundThatIsRefusedToTheLastIsAskedForNoMoreUntilAnOperatorSaysSo() {
        abandon();
        trouble = call -> Optional.of(Kind.REFUSED);
        world.advance(LONG_MS);

        assertThat(calls).isEqualTo(MOST);
        assertThat(intent().state()).isEqualTo(State.VOIDING);
        assertThat(counts.unsettled).isEqualTo(new Unsettled(0, 1));

        trouble = call -> Optional.empty();
        world.advance(LONG_MS);
        assertThat(intent().state()).as("nobody has said so").isEqualTo(State.VOIDING);

        world.database.gifts().putBack(KEY);
        world.advance(LONG_MS);
        assertThat(intent().state()).isEqualTo(State.VOIDED);
        assertThat(balance()).isEqualTo(100);
        assertThat(counts.unsettled).isEqualTo(new Unsettled(0, 0));
    }

    @Test
    @Tag("GIFT-2")
    void whatIsNotAnsweredOrNotSentNeverCounts() {
        abandon();
        trouble =
                call -> call > 5 * MOST ? Optional.empty() : Optional.of(call % 2 == 0 ? Kind.UNKNOWN : Kind.NOT_SENT);
        world.advance(10 * LONG_MS);

        assertThat(calls).isEqualTo(5 * MOST + 1);
        assertThat(intent().state()).isEqualTo(State.VOIDED);
        assertThat(counts.unsettled).isEqualTo(new Unsettled(0, 0));
    }

    @Test
    void refusalsBetweenOutagesCount() {
        abandon();
        trouble = call -> Optional.of(call % 3 == 0 ? Kind.REFUSED : Kind.UNKNOWN);
        world.advance(10 * LONG_MS);

        assertThat(calls).isEqualTo(3 * MOST);
        assertThat(counts.unsettled).isEqualTo(new Unsettled(0, 1));
    }

    /** A refusal that could not be written down is one that was not. */
    @Test
    void aRefusalIsCountedOnceItIsStored() {
        abandon();
        trouble = call -> Optional.of(Kind.REFUSED);
        node.script.next(Call.REFUSED_GIFT, PortScript.failed());
        node.script.next(Call.REFUSED_GIFT, PortScript.failed());
        world.advance(LONG_MS);

        assertThat(calls).isEqualTo(MOST + 2);
        assertThat(counts.unsettled).isEqualTo(new Unsettled(0, 1));
    }

    /** Its sender may still ask: the wallet may have come to its senses. */
    @Test
    @Tag("GIFT-6")
    void aRewardThatIsRefusedIsParkedAndPaidWhenItsSenderAsksAgain() {
        node.createWith(ROOM, "ben", "cid");
        trouble = call -> Optional.of(Kind.REFUSED);
        SendGift wish = SendGift.wish("ben", "clover", 3, List.of("cid"));
        Answers.assertRefused(node.ask(ROOM, "gift", wish), Answer.Refusal.REWARD_IN_PROGRESS);
        world.advance(LONG_MS);

        assertThat(intent().reward()).isEqualTo(Reward.DUE);
        assertThat(counts.unsettled).isEqualTo(new Unsettled(0, 1));
        Answers.assertRefused(node.ask(ROOM, "gift", wish), Answer.Refusal.REWARD_IN_PROGRESS);

        trouble = call -> Optional.empty();
        assertThat(node.ask(ROOM, "gift", wish)).isInstanceOf(Answer.Done.class);
        world.advance(LONG_MS);
        assertThat(intent().reward()).isEqualTo(Reward.PAID);
        assertThat(balance()).isEqualTo(100 - 30 + 50);
        assertThat(counts.unsettled).isEqualTo(new Unsettled(0, 0));
    }
}
