package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.domain.Gifts.SendGift;
import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.GiftMeter.NoticeFate;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.Reward;
import dev.roomcell.port.LuckyGift.DrawException;
import dev.roomcell.port.UserNotices;
import dev.roomcell.port.UserNotices.LateReward;
import dev.roomcell.port.Wallet;
import dev.roomcell.proto.room.v1.SendGiftResult;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryWallet;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who is told of a reward, and when. */
@Tag("GIFT-6")
class LateRewardTest {
    private static final long COINS = 1_000;
    /** Longer than any gift waits to be seen to, ms. */
    private static final long SEEN_TO_MS = 60_000;

    private final CellWorld world = new CellWorld();
    private final MemoryWallet wallet = new MemoryWallet();
    private final List<LateReward> told = new ArrayList<>();
    private final GiftCounts counts = new GiftCounts();
    private CellNode node;
    private GiftReconciler reconciler;
    /** What the lottery answers; empty: nothing. */
    private Optional<Long> drawn = Optional.empty();

    private boolean creditsAreLost;
    private UserNotices notices = (reward, timeoutMs) -> {
        told.add(reward);
        return Future.succeededFuture();
    };

    @BeforeEach
    void party() {
        world.gifts = new GiftPorts(
                world.database.gifts(),
                (appCode, giftId) -> Future.succeededFuture(Optional.of(new Gift(giftId, 10, true, 0))),
                appCode -> Future.succeededFuture(world.rockets),
                new WalletOfTwoMinds(),
                (draw, timeoutMs) -> drawn.map(Future::succeededFuture)
                        .orElseGet(() -> Future.failedFuture(new DrawException("no answer"))));
        node = world.node("a");
        node.createWith(ROOM, "ben", "cid");
        wallet.open(ROOM.appCode(), "ben", COINS);
        startReconciler();
    }

    private void startReconciler() {
        reconciler = new GiftReconciler(
                node.loop,
                node.ports().gifts(),
                GiftSettings.USUAL,
                new UserNotices() {
                    @Override
                    public Future<Void> tell(LateReward reward, long timeoutMs) {
                        return notices.tell(reward, timeoutMs);
                    }

                    @Override
                    public boolean isConnected() {
                        return notices.isConnected();
                    }
                },
                node.clock,
                counts);
        node.loop.execute(reconciler::start);
    }

    /** The wallet, whose credits are lost before they arrive as long as the test says so. */
    private final class WalletOfTwoMinds implements Wallet {
        @Override
        public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
            return wallet.debit(debit, timeoutMs);
        }

        @Override
        public Future<Long> credit(Transfer credit, long timeoutMs) {
            return creditsAreLost
                    ? Future.failedFuture(new WalletException(WalletException.Kind.UNKNOWN, "lost"))
                    : wallet.credit(credit, timeoutMs);
        }

        @Override
        public Future<Long> refund(Refund refund, long timeoutMs) {
            return wallet.refund(refund, timeoutMs);
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

    private Answer give(String commandId) {
        return node.ask(ROOM, commandId, SendGift.wish("ben", "clover", 3, List.of("cid")));
    }

    private static SendGiftResult result(Answer answer) {
        try {
            return SendGiftResult.parseFrom(((Answer.Done) answer).result());
        } catch (InvalidProtocolBufferException damaged) {
            throw new AssertionError(damaged);
        }
    }

    private Intent intent(String commandId) {
        return world.database
                .gifts()
                .intent(new GiftKey(ROOM.appCode(), commandId))
                .orElseThrow();
    }

    private long balance() {
        return wallet.balance(ROOM.appCode(), "ben", 1).result();
    }

    @Test
    void whoWasAnsweredBeforeTheDrawIsToldOfTheRewardOnce() {
        assertThat(result(give("gift")).getRewardPending()).isTrue();
        drawn = Optional.of(50L);
        world.advance(SEEN_TO_MS);

        assertThat(balance()).isEqualTo(COINS - 30 + 50);
        assertThat(told).singleElement().satisfies(reward -> {
            assertThat(reward.key()).isEqualTo(new GiftKey(ROOM.appCode(), "gift"));
            assertThat(reward.roomId()).isEqualTo(ROOM.roomId());
            assertThat(reward.userId()).isEqualTo("ben");
            assertThat(reward.giftId()).isEqualTo("clover");
            assertThat(reward.coins()).isEqualTo(50);
            assertThat(reward.atMs()).isBetween(CellWorld.BEGIN_MS, world.nowMs());
        });
        assertThat(counts.of(NoticeFate.SENT)).isEqualTo(1);
        assertThat(node.groups.seen(ROOM)).as("to everybody").noneMatch(message -> message.contains("REWARD"));
    }

    @Test
    void whoHasWonNothingIsToldNothing() {
        assertThat(result(give("gift")).getRewardPending()).isTrue();
        drawn = Optional.of(0L);
        world.advance(SEEN_TO_MS);

        assertThat(intent("gift").reward()).isEqualTo(Reward.NONE);
        assertThat(told).isEmpty();
    }

    /** Whoever sends the gift again hears of it, and of a balance with the reward in it. */
    @Test
    void aRewardThatTheAnswerNamesIsNotTold() {
        drawn = Optional.of(50L);
        assertThat(result(give("paid-at-once")).getRewardCoins()).isEqualTo(50);
        creditsAreLost = true;
        Answers.assertRefused(inTheEnd("owed"), Answer.Refusal.REWARD_IN_PROGRESS);
        creditsAreLost = false;
        world.advance(SEEN_TO_MS);

        assertThat(intent("owed").reward()).isEqualTo(Reward.PAID);
        assertThat(balance()).isEqualTo(COINS - 60 + 100);
        assertThat(told).isEmpty();
    }

    private Answer inTheEnd(String commandId) {
        Future<Answer> answer = node.send(ROOM, commandId, SendGift.wish("ben", "clover", 3, List.of("cid")));
        world.advance(CellNode.DEADLINE_MS);
        return answer.result();
    }

    /** The draw is known, and the one who drew is gone: whoever credits it tells. */
    @Test
    void aLateRewardIsToldByWhoeverCreditsIt() {
        give("gift");
        creditsAreLost = true;
        drawn = Optional.of(50L);
        world.advance(SEEN_TO_MS);
        assertThat(intent("gift").reward()).isEqualTo(Reward.DUE);
        assertThat(told).isEmpty();

        reconciler.stop();
        startReconciler();
        creditsAreLost = false;
        world.advance(SEEN_TO_MS);

        assertThat(told).extracting(LateReward::coins).containsExactly(50L);
    }

    /** The answer to a retry says nothing of it, so nobody but the reconciler may credit it. */
    @Test
    void whoSendsTheGiftAgainTakesNoNoticeAway() {
        byte[] first = Answers.assertDone(give("gift"));
        creditsAreLost = true;
        drawn = Optional.of(50L);
        world.advance(SEEN_TO_MS);
        creditsAreLost = false;

        Answers.assertReplayed(give("gift"), first);

        assertThat(intent("gift").reward()).isEqualTo(Reward.DUE);
        world.advance(SEEN_TO_MS);
        assertThat(intent("gift").reward()).isEqualTo(Reward.PAID);
        assertThat(told).hasSize(1);
    }

    @Test
    void whoStopsBetweenCreditAndNoteTellsItAgainAsTheSame() {
        give("gift");
        drawn = Optional.of(50L);
        node.script.next(Call.END_GIFT, PortScript.failed());
        world.advance(2 * SEEN_TO_MS);

        assertThat(intent("gift").reward()).isEqualTo(Reward.PAID);
        assertThat(balance()).isEqualTo(COINS - 30 + 50);
        assertThat(told).hasSize(2);
        assertThat(told.stream().map(LateReward::eventId).distinct()).hasSize(1);
        assertThat(told.get(0).eventId())
                .isNotEqualTo(new LateReward(new GiftKey(ROOM.appCode(), "other"), "", "", "", 1, 0).eventId());
    }

    @Test
    void noTroubleWithNoticesKeepsARewardBack() {
        int gifts = RewardNotices.MOST_ON_THEIR_WAY + 2;
        IntStream.range(0, gifts).forEach(i -> give("gift-" + i));
        drawn = Optional.of(5L);
        List<UserNotices> troubles = List.of(
                (reward, timeoutMs) -> Promise.<Void>promise().future(),
                (reward, timeoutMs) -> Future.failedFuture("no"),
                (reward, timeoutMs) -> {
                    throw new IllegalStateException("a bug of the adapter");
                });
        int[] calls = {0};
        notices = (reward, timeoutMs) -> troubles.get(calls[0]++ % 3).tell(reward, timeoutMs);
        world.advance(SEEN_TO_MS);

        for (int i = 0; i < gifts; i++) {
            assertThat(intent("gift-" + i).reward()).isEqualTo(Reward.PAID);
        }
        assertThat(counts.of(NoticeFate.FAILED)).isEqualTo(gifts);
    }

    @Test
    void whatHasNoWayOutIsCounted() {
        give("gift");
        drawn = Optional.of(5L);
        notices = UserNotices.none();
        world.advance(SEEN_TO_MS);

        assertThat(intent("gift").reward()).isEqualTo(Reward.PAID);
        assertThat(counts.of(NoticeFate.NOT_CONNECTED)).isEqualTo(1);
    }

    @Test
    void aFewAreOnTheirWayAFewMoreWaitAndTheRestIsDropped() {
        List<Promise<Void>> onTheirWay = new ArrayList<>();
        RewardNotices sending = new RewardNotices(
                node.loop,
                (reward, timeoutMs) -> {
                    Promise<Void> answer = Promise.promise();
                    onTheirWay.add(answer);
                    return answer.future();
                },
                counts);
        node.loop.execute(() -> {
            for (int i = 0; i < RewardNotices.MOST_WAITING + 3; i++) {
                sending.tell(new LateReward(new GiftKey("lala", "gift-" + i), "room", "ben", "clover", 1, 0));
            }
            assertThat(onTheirWay).as("nobody waits for them").isEmpty();
        });
        world.run();
        assertThat(counts.of(NoticeFate.QUEUE_FULL)).isEqualTo(3);
        assertThat(onTheirWay).hasSize(RewardNotices.MOST_ON_THEIR_WAY);

        onTheirWay.get(0).complete();
        world.run();
        assertThat(onTheirWay).hasSize(RewardNotices.MOST_ON_THEIR_WAY + 1);
        world.advance(RewardNotices.TELL_MS);
        assertThat(counts.of(NoticeFate.FAILED)).isEqualTo(RewardNotices.MOST_ON_THEIR_WAY);
        assertThat(onTheirWay).hasSize(2 * RewardNotices.MOST_ON_THEIR_WAY + 1);

        node.loop.execute(sending::close);
        world.run();
        assertThat(counts.of(NoticeFate.SHUTDOWN))
                .isEqualTo(RewardNotices.MOST_WAITING - 2 * RewardNotices.MOST_ON_THEIR_WAY - 1);
    }
}
