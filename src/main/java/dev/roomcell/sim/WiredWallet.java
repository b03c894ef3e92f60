package dev.roomcell.sim;

import dev.roomcell.port.Wallet;
import dev.roomcell.port.Wallet.WalletException.Kind;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** One loop's way to the shared wallet: with deadlines, and with a breaker as simple as can be. */
final class WiredWallet implements Wallet {
    /** After so many calls without an answer, one after the other, */
    private static final int FAILURES_TO_OPEN = 5;
    /** none is made for so long, ms. */
    private static final int OPEN_MS = 1_000;

    private final Surroundings around;
    private final LoopWire wire;
    private int failures;
    private long openUntilMs;

    WiredWallet(Surroundings around, LoopWire wire) {
        this.around = around;
        this.wire = wire;
    }

    @Override
    public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
        return call("takes " + debit.key() + " of " + debit.userId(), timeoutMs, () -> {
            around.gifts.debited(debit);
            return around.bank.debit(debit, timeoutMs).onComplete(moved -> around.gifts.moved(debit.userId()));
        });
    }

    @Override
    public Future<Long> credit(Transfer credit, long timeoutMs) {
        return call("gives " + credit.key() + " to " + credit.userId(), timeoutMs, () -> {
            around.gifts.credited(credit);
            if (isRefused(credit.key())) {
                return refused(credit.key());
            }
            return around.bank.credit(credit, timeoutMs).onComplete(moved -> around.gifts.moved(credit.userId()));
        });
    }

    @Override
    public Future<Long> refund(Refund refund, long timeoutMs) {
        return call(
                "undoes " + refund.debitKey(),
                timeoutMs,
                () -> isRefused(refund.key())
                        ? refused(refund.key())
                        : around.bank
                                .refund(refund, timeoutMs)
                                .onComplete(moved -> around.gifts.moved(refund.userId())));
    }

    /** As long as the wallet is not repaired, the same are refused. */
    private boolean isRefused(String key) {
        return Math.floorMod(key.hashCode(), 100) < around.refusedGiftPercent;
    }

    private static Future<Long> refused(String key) {
        return Future.failedFuture(new WalletException(Kind.REFUSED, "the wallet does not like " + key));
    }

    @Override
    public Future<Long> balance(String appCode, String userId, long timeoutMs) {
        return call("balance of " + userId, timeoutMs, () -> around.bank.balance(appCode, userId, timeoutMs));
    }

    private <T> Future<T> call(String about, long timeoutMs, Supplier<Future<T>> effect) {
        if (!takesCalls()) {
            return Future.failedFuture(new WalletException(Kind.NOT_SENT, "too many calls have failed"));
        }
        return wire.pass(Call.WALLET, about, timeoutMs, effect)
                .onComplete(over -> failures = over.succeeded() ? 0 : failed());
    }

    private int failed() {
        if (failures + 1 < FAILURES_TO_OPEN) {
            return failures + 1;
        }
        openUntilMs = around.time.nowMs() + OPEN_MS;
        return 0;
    }

    @Override
    public boolean takesCalls() {
        return around.time.nowMs() >= openUntilMs;
    }
}
