package dev.roomcell.sim;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.port.Wallet;
import dev.roomcell.port.Wallet.WalletException.Kind;
import io.vertx.core.Future;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A wallet in memory, shared by the nodes that are given it: every call has its effect at once and is answered. What gets
 * lost on the way to it and back is for others to lose. Not thread-safe.
 */
public final class MemoryWallet implements Wallet {
    private final Map<Account, Long> balances = new HashMap<>();
    /** By key, in the order in which they were made. */
    private final Map<String, WalletMovement> movements = new LinkedHashMap<>();
    /** Refunds by the key of what they undid. */
    private final Map<String, WalletMovement> voided = new HashMap<>();
    /** What each app's house has given out less what it took, coins below 0. */
    private final Map<String, BigInteger> houses = new TreeMap<>();

    private record Account(String appCode, String userId) {}

    /** A wallet in which nobody has anything. */
    public MemoryWallet() {}

    /** Gives a user coins to begin with, once; a second opening must be of as many. */
    public void open(String appCode, String userId, long coins) {
        give(movement(
                WalletMovement.Kind.OPENING,
                new Transfer(appCode, userId, "opening/" + appCode + "/" + userId, coins)));
    }

    @Override
    public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
        return answered(() -> debit(movement(WalletMovement.Kind.DEBIT, debit)));
    }

    private DebitAnswer debit(WalletMovement wanted) {
        Optional<WalletMovement> made = made(wanted);
        WalletMovement refund = voided.get(wanted.key());
        if (refund != null) {
            require(sameUser(refund, wanted), wanted.key());
            return new DebitAnswer.Voided();
        }
        if (made.isPresent()) {
            return new DebitAnswer.Debited(made.get().balanceAfter());
        }
        return balance(wanted) < wanted.coins()
                ? new DebitAnswer.InsufficientBalance()
                : new DebitAnswer.Debited(move(wanted));
    }

    @Override
    public Future<Long> credit(Transfer credit, long timeoutMs) {
        return answered(() -> give(movement(WalletMovement.Kind.CREDIT, credit)));
    }

    private long give(WalletMovement wanted) {
        return made(wanted).map(WalletMovement::balanceAfter).orElseGet(() -> move(wanted));
    }

    @Override
    public Future<Long> refund(Refund refund, long timeoutMs) {
        return answered(() -> undo(refund));
    }

    private long undo(Refund refund) {
        WalletMovement debit = movements.get(refund.debitKey());
        WalletMovement wanted = new WalletMovement(
                refund.key(),
                WalletMovement.Kind.REFUND,
                refund.appCode(),
                refund.userId(),
                debit == null ? 0 : debit.coins(),
                0,
                refund.debitKey());
        Optional<WalletMovement> made = made(wanted);
        if (made.isPresent()) {
            return made.get().coins();
        }
        require(!voided.containsKey(refund.debitKey()), refund.debitKey());
        require(
                debit == null || (debit.kind() == WalletMovement.Kind.DEBIT && sameUser(debit, wanted)),
                refund.debitKey());
        move(wanted);
        return wanted.coins();
    }

    @Override
    public Future<Long> balance(String appCode, String userId, long timeoutMs) {
        return Future.succeededFuture(balances.getOrDefault(new Account(appCode, userId), 0L));
    }

    /** Always. */
    @Override
    public boolean takesCalls() {
        return true;
    }

    private interface Effect<T> {
        T happens();
    }

    private static <T> Future<T> answered(Effect<T> effect) {
        try {
            return Future.succeededFuture(effect.happens());
        } catch (WalletException refused) {
            return Future.failedFuture(refused);
        }
    }

    private static WalletMovement movement(WalletMovement.Kind kind, Transfer transfer) {
        if (transfer.coins() < 1) {
            throw new WalletException(Kind.REFUSED, "coins must be at least 1");
        }
        return new WalletMovement(transfer.key(), kind, transfer.appCode(), transfer.userId(), transfer.coins(), 0, "");
    }

    private Optional<WalletMovement> made(WalletMovement wanted) {
        WalletMovement made = movements.get(wanted.key());
        require(made == null || made.sameTransfer(wanted), wanted.key());
        return Optional.ofNullable(made);
    }

    private static boolean sameUser(WalletMovement one, WalletMovement other) {
        return one.appCode().equals(other.appCode()) && one.userId().equals(other.userId());
    }

    private static void require(boolean holds, String key) {
        if (!holds) {
            throw new WalletException(Kind.REFUSED, "the key " + key + " names something else");
        }
    }

    private long balance(WalletMovement of) {
        return balances.getOrDefault(new Account(of.appCode(), of.userId()), 0L);
    }

    private long move(WalletMovement wanted) {
        long before = balance(wanted);
        if (wanted.change() > Long.MAX_VALUE - before) {
            throw new WalletException(Kind.REFUSED, "the balance would be above 2^63-1");
        }
        long after = before + wanted.change();
        WalletMovement made = new WalletMovement(
                wanted.key(),
                wanted.kind(),
                wanted.appCode(),
                wanted.userId(),
                wanted.coins(),
                after,
                wanted.debitKey());
        movements.put(made.key(), made);
        if (made.kind() == WalletMovement.Kind.REFUND) {
            voided.put(made.debitKey(), made);
        }
        balances.put(new Account(made.appCode(), made.userId()), after);
        houses.merge(made.appCode(), BigInteger.valueOf(made.change()).negate(), BigInteger::add);
        return after;
    }

    /** All movements, in the order in which they were made. */
    public List<WalletMovement> movements() {
        return List.copyOf(movements.values());
    }

    /** The movement of a key, if it was made. */
    public Optional<WalletMovement> movement(String key) {
        return Optional.ofNullable(movements.get(key));
    }

    /** Whatever does not add up, a sentence each; empty when all is well. */
    public List<String> audit() {
        Map<String, BigInteger> sums = new TreeMap<>(houses);
        List<String> wrong = new ArrayList<>();
        balances.forEach((account, balance) -> {
            sums.merge(account.appCode(), BigInteger.valueOf(balance), BigInteger::add);
            if (balance < 0) {
                wrong.add(account + " has " + balance);
            }
        });
        sums.forEach((app, sum) -> {
            if (sum.signum() != 0) {
                wrong.add("the balances of " + app + " add up to " + sum);
            }
        });
        wrong.sort(null);
        return wrong;
    }
}
