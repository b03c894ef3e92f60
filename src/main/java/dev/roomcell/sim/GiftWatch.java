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
import dev.roomcell.port.Wallet.Transfer;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Watches money while it moves: what must have been stored by then. */
final class GiftWatch {
    private final Surroundings around;
    private int lateDebits;
    private int withoutCoins;
    private int toldVoided;

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
        TOLD_VOIDED
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
        boolean owed = around.database.log(room).stream()
                .map(LogFields::row)
                .filter(row -> row.commandId().equals(commandId))
                .map(row -> (SendGift) codec.decodeCommand(row.command()))
                .anyMatch(given -> given.payment().rewardCoins() > 0);
        String creditKey = new GiftKey(room.appCode(), commandId).creditKey();
        if (owed && around.wallet.movement(creditKey).isEmpty()) {
            around.found(new Violation(
                    Invariant.I7, room, commandId + " is told to be given, and its reward is not credited"));
        }
    }

    /** A caller is told no. */
    void rejected(Rejection.Reason reason) {
        if (reason == Rejection.Reason.INSUFFICIENT_BALANCE) {
            withoutCoins++;
        } else if (reason == Rejection.Reason.GIFT_VOIDED) {
            toldVoided++;
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
