package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.GiftMeter;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.State;
import dev.roomcell.port.LuckyGift;
import dev.roomcell.port.LuckyGift.Draw;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.UserNotices;
import dev.roomcell.port.UserNotices.LateReward;
import dev.roomcell.port.Wallet;
import dev.roomcell.port.Wallet.Refund;
import dev.roomcell.port.Wallet.Transfer;
import dev.roomcell.port.Wallet.WalletException;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to the gifts that nobody else sees to (GIFT-2): gives up those that were not committed in time and pays back what
 * was taken for them, and credits the rewards that are owed. Whoever was answered before a reward was known is told of it,
 * as often as it is credited from here (GIFT-6). Every node has one; a gift is one's at a time, and each step may be repeated.
 * What the wallet refuses for good is parked after a while, for an operator to look at. Confined to its loop.
 */
public final class GiftReconciler {
    private static final Logger log = LoggerFactory.getLogger(GiftReconciler.class);
    private static final int MOST_A_ROUND = 64;
    private static final int COUNT_EVERY_ROUNDS = 10;
    /** A gift that could not be seen to is due again after so many ms, doubled each time up to the longest. */
    private static final long LONGEST_AGAIN_MS = 20_000;

    private final CellLoop loop;
    private final GiftStore store;
    private final Wallet wallet;
    private final LuckyGift lottery;
    private final GiftSettings settings;
    private CellLoop.Cancellable next = () -> {};
    private Future<Void> round = Future.succeededFuture();
    private final RoomClock clock;
    private final GiftMeter meter;
    private final RewardNotices notices;
    private long rounds;
    private boolean stopped;

    /**
     * One that has not begun.
     *
     * @param users the way to givers
     * @param meter hears now and then how gifts stand
     */
    public GiftReconciler(
            CellLoop loop,
            GiftPorts gifts,
            GiftSettings settings,
            UserNotices users,
            RoomClock clock,
            GiftMeter meter) {
        this.clock = clock;
        this.meter = meter;
        this.notices = new RewardNotices(loop, users, meter);
        this.loop = loop;
        this.store = gifts.store();
        this.wallet = gifts.wallet();
        this.lottery = gifts.lottery();
        this.settings = settings;
    }

    /** Begins; on its loop. */
    public void start() {
        next = loop.schedule(settings.reconcileEveryMs(), this::begin);
    }

    /** Ends after the round under way; never fails. */
    public Future<Void> stop() {
        stopped = true;
        next.cancel();
        return round.eventually(() -> {
            notices.close();
            return Future.succeededFuture();
        });
    }

    private void begin() {
        round = Future.<Void>succeededFuture().compose(begun -> round()).transform(over -> {
            if (over.failed()) {
                log.warn("gifts not looked for: {}", over.cause().toString());
            }
            // A full round may have left some.
            boolean more = over.succeeded() && over.result() == MOST_A_ROUND;
            if (++rounds % COUNT_EVERY_ROUNDS == 1) {
                count();
            }
            if (!stopped) {
                next = loop.schedule(more ? 1 : settings.reconcileEveryMs(), this::begin);
            }
            return Future.succeededFuture();
        });
    }

    private void count() {
        loop.reenter(store.unsettled())
                .onSuccess(meter::unsettled)
                .onFailure(failure -> log.info("open gifts not counted: {}", failure.toString()));
    }

    private Future<Integer> round() {
        // While the wallet takes no calls there is nothing to be done but to wait.
        if (!wallet.takesCalls()) {
            return Future.succeededFuture(0);
        }
        long againMs = 2 * settings.walletCallMs();
        return loop.reenter(store.claimDue(MOST_A_ROUND, againMs, Math.max(againMs, LONGEST_AGAIN_MS)))
                .compose(due -> {
                    List<Future<Void>> seen = due.stream().map(this::seeTo).toList();
                    return Future.join(seen).transform(all -> Future.succeededFuture(due.size()));
                });
    }

    /** Never fails: what could not be done is due again. */
    private Future<Void> seeTo(Intent intent) {
        return Future.<Void>succeededFuture().compose(begun -> step(intent)).transform(done -> {
            if (done.failed() && isRefused(done.cause())) {
                return refused(intent, String.valueOf(done.cause().getMessage()));
            }
            if (done.failed()) {
                log.info(
                        "gift {} not settled yet: {}",
                        intent.key(),
                        done.cause().toString());
            }
            return Future.succeededFuture();
        });
    }

    /** Nothing else counts: what has no answer may do better the next time. */
    private static boolean isRefused(Throwable failure) {
        return failure instanceof WalletException known && known.kind() == WalletException.Kind.REFUSED;
    }

    /** The wallet may have been wrong, so it is asked a few times more; then somebody must look at it. */
    private Future<Void> refused(Intent intent, String why) {
        return loop.reenter(store.refused(intent.key(), settings.maxRefusals(), why))
                .transform(counted -> {
                    if (counted.succeeded() && counted.result()) {
                        log.error(
                                "gift {} is parked: {} coins of {} in room {} are still to be moved, and the wallet refuses it: {};"
                                        + " once it would not, put the gift back as the README says under \"Parked gifts\"",
                                intent.key(),
                                intent.state() == State.VOIDING ? intent.totalPriceCoins() : intent.rewardCoins(),
                                intent.actorUserId(),
                                intent.room(),
                                why);
                        count();
                    } else {
                        log.warn("gift {} not settled, and refused: {}", intent.key(), why);
                    }
                    return Future.succeededFuture();
                });
    }

    private Future<Void> step(Intent intent) {
        if (intent.state() == State.VOIDING) {
            return refund(intent);
        }
        return switch (intent.reward()) {
            case DRAWING -> draw(intent);
            case DUE ->
                intent.rewardLate() ? creditLate(intent, intent.rewardCoins()) : credit(intent, intent.rewardCoins());
            case NONE, PAID -> throw new IllegalStateException("nothing is left to do for " + intent);
        };
    }

    private Future<Void> refund(Intent intent) {
        Refund refund = new Refund(
                intent.key().appCode(),
                intent.actorUserId(),
                intent.key().refundKey(),
                intent.key().debitKey());
        return loop.reenter(wallet.refund(refund, settings.walletCallMs()))
                .compose(refunded -> loop.reenter(store.voided(intent.key())));
    }

    private Future<Void> draw(Intent intent) {
        return loop.reenter(lottery.draw(drawOf(intent), settings.walletCallMs()))
                .compose(reward -> loop.reenter(store.drawn(intent.key(), reward, 2 * settings.walletCallMs()))
                        .compose(noted -> reward == 0 ? Future.succeededFuture() : creditLate(intent, reward)));
    }

    /** A reward that was known when its gift was answered. */
    private Future<Void> credit(Intent intent, long rewardCoins) {
        return move(intent, rewardCoins).compose(moved -> loop.reenter(store.rewardPaid(intent.key())));
    }

    /** Told before it is noted: who stops between the two leaves it to another, who tells it again. */
    private Future<Void> creditLate(Intent intent, long rewardCoins) {
        return move(intent, rewardCoins).compose(moved -> {
            notices.tell(new LateReward(
                    intent.key(),
                    intent.roomId(),
                    intent.actorUserId(),
                    intent.gift().giftId(),
                    rewardCoins,
                    clock.nowMs()));
            return loop.reenter(store.rewardPaid(intent.key()));
        });
    }

    /** Only ever for a gift that is committed (GIFT-6). */
    private Future<Long> move(Intent intent, long rewardCoins) {
        Transfer credit = new Transfer(
                intent.key().appCode(), intent.actorUserId(), intent.key().creditKey(), rewardCoins);
        return loop.reenter(wallet.credit(credit, settings.walletCallMs()));
    }

    /** The draw of a gift: the same for every attempt, so the lottery answers the same. */
    static Draw drawOf(Intent intent) {
        return new Draw(
                intent.key().appCode(),
                intent.key().drawKey(),
                intent.actorUserId(),
                intent.gift().giftId(),
                intent.pieces(),
                intent.totalPriceCoins());
    }
}
