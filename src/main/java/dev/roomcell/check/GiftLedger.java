package dev.roomcell.check;

import dev.roomcell.check.WalletMovement.Kind;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.Reward;
import dev.roomcell.port.GiftStore.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the gifts in the logs, their intents and the wallet's movements against each other (I7), all of them as they are
 * when no gift is under way any more: whatever was asked for and however often, its money was taken once and the gift is in
 * one log, or it was not taken or came back, and the gift is in none. A gift that wins is paid what it won, once.
 *
 * <p>That nothing is done too early, a credit before the commit for one, can't be seen from what is there in the end.
 */
public final class GiftLedger {
    private static final String DEBIT = "debit/";
    private static final String CREDIT = "credit/";
    private static final String REFUND = "refund/";

    private final List<Violation> violations = new ArrayList<>();
    private final Map<GiftKey, GivenGift> given = new TreeMap<>();
    private final Map<GiftKey, Intent> intents = new TreeMap<>();
    private final Map<String, WalletMovement> debits = new HashMap<>();
    private final Map<String, WalletMovement> credits = new HashMap<>();
    /** By the key of the debit. */
    private final Map<String, WalletMovement> refunds = new HashMap<>();

    private final Map<Account, Long> balances = new HashMap<>();

    private record Account(String appCode, String userId) {}

    private final Excused excused;

    /**
     * Gifts of which not everything need be so.
     *
     * @param unlogged their log row may have been purged (LOG-1)
     * @param parked they have not come to an end, and wait for an operator
     */
    public record Excused(Set<GiftKey> unlogged, Set<GiftKey> parked) {}

    private GiftLedger(Excused excused) {
        this.excused = excused;
    }

    /** The same where every log row is kept. */
    public static List<Violation> check(
            Iterable<GivenGift> given, Iterable<Intent> intents, Iterable<WalletMovement> movements) {
        return check(given, intents, movements, new Excused(Set.of(), Set.of()));
    }

    /**
     * What is wrong; at most the first 100 violations.
     *
     * @param given the gifts of all logs, in any order
     * @param intents all, in any order
     * @param movements all of the wallet, those of an account in the order in which they were made
     * @param excused gifts of which not everything need be so
     */
    public static List<Violation> check(
            Iterable<GivenGift> given, Iterable<Intent> intents, Iterable<WalletMovement> movements, Excused excused) {
        GiftLedger ledger = new GiftLedger(excused);
        intents.forEach(intent -> ledger.intents.put(intent.key(), intent));
        given.forEach(ledger::add);
        movements.forEach(ledger::add);
        ledger.given.values().forEach(ledger::checkGiven);
        ledger.intents.values().forEach(ledger::checkEnded);
        ledger.checkKeys();
        return List.copyOf(ledger.violations);
    }

    private void add(GivenGift gift) {
        GivenGift first = given.putIfAbsent(gift.key(), gift);
        if (first != null) {
            found(gift.room(), gift.key() + " was given before, at version " + first.version() + " of " + first.room());
        }
    }

    private void add(WalletMovement movement) {
        checkBalance(movement);
        WalletMovement before = switch (movement.kind()) {
            case OPENING -> null;
            case DEBIT -> debits.put(movement.key(), movement);
            case CREDIT -> credits.put(movement.key(), movement);
            case REFUND -> refunds.put(movement.debitKey(), movement);
        };
        require(before == null, movement, () -> "was made before, as " + before);
        if (movement.kind() == Kind.DEBIT) {
            require(!refunds.containsKey(movement.key()), movement, () -> "follows its refund (GIFT-4)");
        }
        if (movement.kind() == Kind.REFUND) {
            WalletMovement debit = debits.get(movement.debitKey());
            require(
                    movement.coins() == (debit == null ? 0 : debit.coins()),
                    movement,
                    () -> "gives back something else than was taken by " + debit);
        }
    }

    private void checkBalance(WalletMovement movement) {
        Account account = new Account(movement.appCode(), movement.userId());
        long after = balances.getOrDefault(account, 0L) + movement.change();
        balances.put(account, movement.balanceAfter());
        require(movement.balanceAfter() >= 0, movement, () -> "leaves a balance below 0");
        require(movement.balanceAfter() == after, movement, () -> "should leave a balance of " + after);
    }

    /** A gift in a log is paid for, as it says itself (GIFT-1, GIFT-2). */
    private void checkGiven(GivenGift gift) {
        Intent intent = intents.get(gift.key());
        if (intent == null) {
            found(gift.room(), gift.key() + " is given, and has no intent");
            return;
        }
        long totalCoins = gift.sent().totalPriceCoins();
        require(
                intent.state() == State.COMMITTED,
                intent,
                () -> "is given in version " + gift.version() + " of " + gift.room());
        require(
                intent.room().equals(gift.room())
                        && intent.actorUserId().equals(gift.sent().senderUserId())
                        && intent.gift().giftId().equals(gift.sent().giftId())
                        && intent.pieces() == gift.wish().pieces()
                        && intent.totalPriceCoins() == totalCoins
                        && gift.payment().totalPriceCoins() == totalCoins,
                intent,
                () -> "is not what was given: " + gift);
        WalletMovement debit = debits.get(gift.key().debitKey());
        require(
                debit != null
                        && debit.userId().equals(gift.sent().senderUserId())
                        && debit.coins() == totalCoins
                        && debit.balanceAfter() == gift.payment().balanceAfterDebit(),
                intent,
                () -> "is paid for by " + debit + ", and given as " + gift);
        require(
                !refunds.containsKey(gift.key().debitKey()),
                intent,
                () -> "is given, and paid back by " + refunds.get(gift.key().debitKey()));
        require(
                gift.payment().rewardPending() || gift.payment().rewardCoins() == intent.rewardCoins(),
                intent,
                () -> "has another reward than the log: " + gift);
    }

    /** What is over is over on both sides: given, paid and rewarded, or neither given nor paid (GIFT-2, GIFT-6). */
    private void checkEnded(Intent intent) {
        WalletMovement debit = debits.get(intent.key().debitKey());
        WalletMovement credit = credits.get(intent.key().creditKey());
        WalletMovement refund = refunds.get(intent.key().debitKey());
        require(
                debit == null || isOf(intent, debit, intent.totalPriceCoins()),
                intent,
                () -> "is not what was paid: " + debit);
        require(
                credit == null || intent.reward() == Reward.PAID || isParked(intent),
                intent,
                () -> "has a reward: " + credit);
        switch (intent.state()) {
            case INTENT, VOIDING -> checkNotOpen(intent);
            case COMMITTED -> {
                require(
                        given.containsKey(intent.key()) || excused.unlogged().contains(intent.key()),
                        intent,
                        () -> "is in no log");
                checkReward(intent, credit);
            }
            case VOIDED -> {
                require(refund != null, intent, () -> "is given up, and nothing keeps its debit from coming yet");
                require(intent.reward() == Reward.NONE, intent, () -> "is given up, and has a reward");
            }
        }
    }

    private boolean isParked(Intent intent) {
        return excused.parked().contains(intent.key());
    }

    private void checkNotOpen(Intent intent) {
        require(isParked(intent), intent, () -> "has not come to an end");
    }

    private void checkReward(Intent intent, @Nullable WalletMovement credit) {
        switch (intent.reward()) {
            case NONE -> require(intent.rewardCoins() == 0, intent, () -> "has a reward and has none");
            case DRAWING, DUE -> checkNotOpen(intent);
            case PAID ->
                require(
                        credit != null && intent.rewardCoins() > 0 && isOf(intent, credit, intent.rewardCoins()),
                        intent,
                        () -> "is not what was credited: " + credit);
        }
    }

    private static boolean isOf(Intent intent, WalletMovement movement, long coins) {
        return movement.appCode().equals(intent.key().appCode())
                && movement.userId().equals(intent.actorUserId())
                && movement.coins() == coins;
    }

    /** Every movement is some intent's, under the key that follows from the command (GIFT-5, B28). */
    private void checkKeys() {
        Set<String> known = new HashSet<>();
        for (GiftKey key : intents.keySet()) {
            known.addAll(List.of(key.debitKey(), key.creditKey(), key.refundKey()));
        }
        List<WalletMovement> all = new ArrayList<>(debits.values());
        all.addAll(credits.values());
        all.addAll(refunds.values());
        all.stream()
                .sorted((one, other) -> one.key().compareTo(other.key()))
                .forEach(movement -> require(
                        known.contains(movement.key()) && movement.key().startsWith(startOf(movement.kind())),
                        movement,
                        () -> "is no gift's"));
        refunds.forEach((debitKey, refund) -> require(
                Objects.equals(debitKey.replaceFirst(DEBIT, REFUND), refund.key()),
                refund,
                () -> "undoes the debit of another gift"));
    }

    private static String startOf(Kind kind) {
        return switch (kind) {
            case DEBIT -> DEBIT;
            case CREDIT -> CREDIT;
            case REFUND -> REFUND;
            case OPENING -> throw new IllegalArgumentException("an opening is no gift's");
        };
    }

    private static String about(Intent intent) {
        return intent.key().commandId() + " (" + intent.state() + ", " + intent.reward() + ", "
                + intent.totalPriceCoins() + " coins of " + intent.actorUserId() + ")";
    }

    private void require(boolean holds, Intent intent, Supplier<String> message) {
        if (!holds) {
            found(intent.room(), about(intent) + ' ' + message.get());
        }
    }

    private void require(boolean holds, WalletMovement movement, Supplier<String> message) {
        if (!holds) {
            found(new RoomKey(movement.appCode(), "-"), movement + " " + message.get());
        }
    }

    private void found(RoomKey room, String message) {
        if (violations.size() < Findings.MOST) {
            violations.add(new Violation(Invariant.I7, room, message));
        }
    }
}
