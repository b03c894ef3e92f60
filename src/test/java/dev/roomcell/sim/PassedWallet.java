package dev.roomcell.sim;

import dev.roomcell.port.Wallet;
import io.vertx.core.Future;

/** Another wallet, passed on as it is. */
class PassedWallet implements Wallet {
    private final Wallet right;

    PassedWallet(Wallet right) {
        this.right = right;
    }

    @Override
    public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
        return right.debit(debit, timeoutMs);
    }

    @Override
    public Future<Long> credit(Transfer credit, long timeoutMs) {
        return right.credit(credit, timeoutMs);
    }

    @Override
    public Future<Long> refund(Refund refund, long timeoutMs) {
        return right.refund(refund, timeoutMs);
    }

    @Override
    public Future<Long> balance(String appCode, String userId, long timeoutMs) {
        return right.balance(appCode, userId, timeoutMs);
    }

    @Override
    public boolean takesCalls() {
        return right.takesCalls();
    }
}
