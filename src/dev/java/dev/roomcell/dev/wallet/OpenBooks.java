package dev.roomcell.dev.wallet;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.check.WalletMovement.Kind;
import dev.roomcell.port.Wallet.DebitAnswer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The accounts and the movements that some calls concern, in memory: decides the calls one after the other, each on what
 * those before it have left. What is to be written is in {@link #made}. Belongs to one thread.
 */
final class OpenBooks {
    private final Map<Account, Long> balances;
    private final Map<String, WalletMovement> byKey = new HashMap<>();
    /** Refunds by the key of what they undid. */
    private final Map<String, WalletMovement> refunds = new HashMap<>();

    private final List<WalletMovement> made = new ArrayList<>();

    /** Whose balance. */
    record Account(String appCode, String userId) {
        static Account of(WalletMovement movement) {
            return new Account(movement.appCode(), movement.userId());
        }
    }

    /**
     * Books in which nothing is decided yet.
     *
     * @param balances of every user whom a call concerns, coins
     * @param known every movement there is of a key that a call names, and the refunds of those keys
     */
    OpenBooks(Map<Account, Long> balances, Collection<WalletMovement> known) {
        this.balances = new HashMap<>(balances);
        known.forEach(this::know);
    }

    private void know(WalletMovement movement) {
        byKey.put(movement.key(), movement);
        if (movement.kind() == Kind.REFUND) {
            refunds.put(movement.debitKey(), movement);
        }
    }

    /** Gives coins, for an opening or a credit; returns the balance right after it was first so. */
    long give(WalletMovement wanted) {
        return earlier(wanted).orElseGet(() -> move(wanted)).balanceAfter();
    }

    DebitAnswer debit(WalletMovement wanted) {
        Optional<WalletMovement> earlier = earlier(wanted);
        WalletMovement refund = refunds.get(wanted.key());
        if (refund != null) {
            requireSameUser(refund, wanted, wanted.key());
            return new DebitAnswer.Voided();
        }
        if (earlier.isPresent()) {
            return new DebitAnswer.Debited(earlier.get().balanceAfter());
        }
        return balance(wanted) < wanted.coins()
                ? new DebitAnswer.InsufficientBalance()
                : new DebitAnswer.Debited(move(wanted).balanceAfter());
    }

    /**
     * Gives back what a debit took; returns how much. The movement is made also when there was nothing to give back: it
     * is what later debits find (GIFT-4).
     */
    long refund(WalletMovement asked) {
        Optional<WalletMovement> earlier = earlier(asked);
        if (earlier.isPresent()) {
            return earlier.get().coins();
        }
        String debitKey = asked.debitKey();
        if (refunds.containsKey(debitKey)) {
            throw ServiceRefusal.conflict(debitKey);
        }
        WalletMovement debit = byKey.get(debitKey);
        if (debit == null) {
            return move(asked).coins();
        }
        if (debit.kind() != Kind.DEBIT) {
            throw ServiceRefusal.conflict(debitKey);
        }
        requireSameUser(debit, asked, debitKey);
        return move(asked, debit.coins()).coins();
    }

    /** Every movement that was made here, in that order. */
    List<WalletMovement> made() {
        return List.copyOf(made);
    }

    /** The movement of the same key, if it was made; another one of that key is refused. */
    private Optional<WalletMovement> earlier(WalletMovement wanted) {
        Optional<WalletMovement> earlier = Optional.ofNullable(byKey.get(wanted.key()));
        if (earlier.isPresent() && !earlier.get().sameTransfer(wanted)) {
            throw ServiceRefusal.conflict(wanted.key());
        }
        return earlier;
    }

    private static void requireSameUser(WalletMovement known, WalletMovement wanted, String key) {
        if (!Account.of(known).equals(Account.of(wanted))) {
            throw ServiceRefusal.conflict(key);
        }
    }

    private long balance(WalletMovement of) {
        return balances.getOrDefault(Account.of(of), 0L);
    }

    private WalletMovement move(WalletMovement wanted) {
        return move(wanted, wanted.coins());
    }

    private WalletMovement move(WalletMovement wanted, long coins) {
        long change = wanted.kind() == Kind.DEBIT ? -coins : coins;
        long before = balance(wanted);
        if (change > Long.MAX_VALUE - before) {
            throw ServiceRefusal.tooMuch(wanted.userId());
        }
        WalletMovement movement = new WalletMovement(
                wanted.key(),
                wanted.kind(),
                wanted.appCode(),
                wanted.userId(),
                coins,
                before + change,
                wanted.debitKey());
        know(movement);
        made.add(movement);
        balances.put(Account.of(movement), movement.balanceAfter());
        return movement;
    }
}
