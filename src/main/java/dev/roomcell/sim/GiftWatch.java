package dev.roomcell.sim;

import dev.roomcell.check.GivenGift;
import dev.roomcell.check.Invariant;
import dev.roomcell.check.Violation;
import dev.roomcell.check.WalletMovement;
import dev.roomcell.domain.Gifts.SendGift;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.State;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.UserNotices.LateReward;
import dev.roomcell.port.Wallet.Transfer;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Watches money while it moves: what must have been stored by then. */
final class GiftWatch {
    private final Surroundings around;
    /** By user: what she had from a step on, coins. */
    private final Map<String, NavigableMap<Long, Long>> balances = new HashMap<>();

    private int lateDebits;
    private int withoutCoins;
    private int toldVoided;
    private int toldTaken;
    private int toldRewarded;

    /** What can come of gifts, and of the calls for them. */
    enum Fate {
        /** It is in a log. */
        GIVEN,
        /** It won, which was known when it was given. */
        REWARDED,
        /** It won, which was known only later. */
        REWARDED_LATER,
        /** It was given up, and what was taken for it came back. */
        PAID_BACK,
        /** It was given up before anything was taken. */
        NEVER_PAID,
        /** A debit came after its refund. */
        DEBIT_TOO_LATE,
        /** A caller was told that there are not enough coins. */
        TOLD_POOR,
        /** A caller was told that it was given up. */
        TOLD_VOIDED,
        /** A caller was told that the id is another gift's. */
        TOLD_TAKEN,
        /** A giver was told of a reward that came late. */
        TOLD_REWARDED,
        /** The wallet refused its money so often that it was parked, and somebody put it back. */
        PARKED
    }

    GiftWatch(Surroundings around) {
        this.around = around;
    }

    /** A debit arrives at the wallet: its intent must be there (GIFT-2). */
    void debited(Transfer debit) {
        Optional<Intent> intent = intentOf(debit, GiftKey::debitKey);
        if (intent.isEmpty()) {
            found(debit, "is to be taken, and there is no intent");
        } else if (around.wallet.movement(intent.get().key().refundKey()).isPresent()) {
            lateDebits++;
        }
    }

    /** The wallet has done something for a user. */
    void moved(String userId) {
        long coins = around.wallet.balance(Rooms.APP, userId, 1).result();
        balances.computeIfAbsent(userId, first -> new TreeMap<>()).put(around.time.stepsTaken(), coins);
    }

    /**
     * Somebody was told that there are not enough coins. They may have come later, and the gift with them; but for a moment
     * in the time between the first question and this answer there were not as many as the gift costs.
     *
     * @param fromStep when the gift was first asked for
     * @param toStep when the answer came
     */
    Optional<Violation> told(RoomKey room, String commandId, long fromStep, long toStep) {
        Optional<Intent> intent = around.database.gifts().intent(new GiftKey(room.appCode(), commandId));
        if (intent.isEmpty()) {
            return Optional.of(new Violation(
                    Invariant.I7, room, commandId + " is told to cost too much, and no wallet was asked"));
        }
        String userId = intent.get().actorUserId();
        NavigableMap<Long, Long> had = balances.getOrDefault(userId, new TreeMap<>());
        Map.Entry<Long, Long> first = had.floorEntry(fromStep);
        long least = first == null ? openingCoins(userId) : first.getValue();
        for (long coins : had.subMap(fromStep, true, toStep, true).values()) {
            least = Math.min(least, coins);
        }
        return least < intent.get().totalPriceCoins()
                ? Optional.empty()
                : Optional.of(new Violation(
                        Invariant.I7,
                        room,
                        commandId + " is told to cost too much, and " + userId + " never had less than " + least
                                + " coins in that time: " + intent.get()));
    }

    private long openingCoins(String userId) {
        return around.wallet.movements().stream()
                .filter(movement -> movement.kind() == WalletMovement.Kind.OPENING
                        && movement.userId().equals(userId))
                .mapToLong(WalletMovement::coins)
                .sum();
    }

    /** A credit arrives at the wallet: its gift must be given (GIFT-6). */
    void credited(Transfer credit) {
        if (intentOf(credit, GiftKey::creditKey)
                .filter(intent -> intent.state() == State.COMMITTED)
                .isEmpty()) {
            found(credit, "is to be credited, and its gift is not committed");
        }
    }

    /** A giver is told that a gift was given, and of a balance with the reward in it: it must be there (GIFT-6). */
    void answered(RoomKey room, String commandId, RoomCodec codec) {
        boolean owed = around.database
                .logged(room, commandId)
                .map(row -> (SendGift) codec.decodeCommand(row.command()))
                .filter(given -> given.payment().rewardCoins() > 0)
                .isPresent();
        String creditKey = new GiftKey(room.appCode(), commandId).creditKey();
        if (owed && around.wallet.movement(creditKey).isEmpty()) {
            around.found(new Violation(
                    Invariant.I7, room, commandId + " is told to be given, and its reward is not credited"));
        }
    }

    /** A giver is told of a reward: she has it, and the answer to her gift said nothing of it (GIFT-6). */
    Future<Void> told(LateReward reward, RoomCodec codec) {
        toldRewarded++;
        boolean hasIt = around.wallet
                .movement(reward.key().creditKey())
                .filter(credit ->
                        credit.coins() == reward.coins() && credit.userId().equals(reward.userId()))
                .isPresent();
        RoomKey room = new RoomKey(reward.key().appCode(), reward.roomId());
        boolean promised = around.database
                .logged(room, reward.key().commandId())
                .map(row -> (SendGift) codec.decodeCommand(row.command()))
                .filter(given -> given.payment().rewardPending())
                .isPresent();
        if (!hasIt || !promised) {
            around.found(new Violation(
                    Invariant.I7,
                    room,
                    reward + " is told; that it was credited is " + hasIt + ", that it was late is " + promised));
        }
        return Future.succeededFuture();
    }

    /** A caller is told that the id is another gift's, and so it is. */
    void taken() {
        toldTaken++;
    }

    /** A caller is told no; if that is for ever, it must have been decided by then. */
    void rejected(RoomKey room, String commandId, Rejection.Reason reason) {
        if (reason == Rejection.Reason.INSUFFICIENT_BALANCE) {
            withoutCoins++;
        } else if (reason == Rejection.Reason.GIFT_VOIDED) {
            toldVoided++;
            Optional<Intent> intent = around.database.gifts().intent(new GiftKey(room.appCode(), commandId));
            boolean over = intent.filter(there -> there.state() == State.VOIDING || there.state() == State.VOIDED)
                    .isPresent();
            if (!over) {
                around.found(new Violation(
                        Invariant.I7, room, commandId + " is told to be given up for good, and is " + intent));
            }
        }
    }

    /** How many gifts and calls came to what; only what came. */
    Map<Fate, Integer> fates(List<GivenGift> given) {
        Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
        for (GivenGift gift : given) {
            fates.merge(Fate.GIVEN, 1, Integer::sum);
            if (around.wallet.movement(gift.key().creditKey()).isPresent()) {
                boolean later = gift.wish().payment().rewardPending();
                fates.merge(later ? Fate.REWARDED_LATER : Fate.REWARDED, 1, Integer::sum);
            }
        }
        for (WalletMovement movement : around.wallet.movements()) {
            if (movement.kind() == WalletMovement.Kind.REFUND) {
                fates.merge(movement.coins() > 0 ? Fate.PAID_BACK : Fate.NEVER_PAID, 1, Integer::sum);
            }
        }
        fates.put(Fate.DEBIT_TOO_LATE, lateDebits);
        fates.put(Fate.TOLD_POOR, withoutCoins);
        fates.put(Fate.TOLD_VOIDED, toldVoided);
        fates.put(Fate.TOLD_TAKEN, toldTaken);
        fates.put(Fate.TOLD_REWARDED, toldRewarded);
        fates.put(Fate.PARKED, around.database.gifts().everParked());
        fates.values().removeIf(count -> count == 0);
        return fates;
    }

    private Optional<Intent> intentOf(Transfer transfer, Function<GiftKey, String> keyOf) {
        String start = keyOf.apply(new GiftKey(transfer.appCode(), ""));
        if (!transfer.key().startsWith(start)) {
            return Optional.empty();
        }
        String commandId = transfer.key().substring(start.length());
        return around.database.gifts().intent(new GiftKey(transfer.appCode(), commandId));
    }

    private void found(Transfer transfer, String what) {
        around.found(new Violation(Invariant.I7, new RoomKey(transfer.appCode(), "-"), transfer.key() + ' ' + what));
    }
}
