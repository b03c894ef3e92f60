package dev.roomcell.adapter.wallet;

import dev.roomcell.port.RoomClock;
import dev.roomcell.port.Wallet;
import dev.roomcell.port.Wallet.WalletException.Kind;
import dev.roomcell.proto.wallet.v1.CreditRequest;
import dev.roomcell.proto.wallet.v1.CreditResponse;
import dev.roomcell.proto.wallet.v1.DebitRequest;
import dev.roomcell.proto.wallet.v1.DebitResponse;
import dev.roomcell.proto.wallet.v1.GetBalanceRequest;
import dev.roomcell.proto.wallet.v1.GetBalanceResponse;
import dev.roomcell.proto.wallet.v1.RefundRequest;
import dev.roomcell.proto.wallet.v1.RefundResponse;
import dev.roomcell.proto.wallet.v1.WalletServiceGrpcClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/** A {@code wallet.v1.WalletService}. Belongs to one event loop. */
public final class GrpcWallet implements Wallet {
    private final GuardedCalls calls;

    private GrpcWallet(GuardedCalls calls) {
        this.calls = calls;
    }

    /** A wallet of the calling event loop, which connects when it is needed; empty if the settings name none. */
    public static Optional<GrpcWallet> of(
            Vertx vertx, WalletSettings settings, RoomClock clock, ServiceCallMeter meter) {
        return settings.host().isEmpty()
                ? Optional.empty()
                : Optional.of(new GrpcWallet(new GuardedCalls(vertx, settings, clock::monotonicMs, meter)));
    }

    @Override
    public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
        DebitRequest request = DebitRequest.newBuilder()
                .setAppCode(debit.appCode())
                .setUserId(debit.userId())
                .setKey(debit.key())
                .setCoins(debit.coins())
                .build();
        return calls.call(WalletServiceGrpcClient.Debit, request, timeoutMs).compose(GrpcWallet::answer);
    }

    private static Future<DebitAnswer> answer(DebitResponse response) {
        return switch (response.getOutcomeCase()) {
            case DEBITED ->
                Future.succeededFuture(
                        new DebitAnswer.Debited(response.getDebited().getBalanceAfterCoins()));
            case INSUFFICIENT_BALANCE -> Future.succeededFuture(new DebitAnswer.InsufficientBalance());
            case VOIDED -> Future.succeededFuture(new DebitAnswer.Voided());
            case OUTCOME_NOT_SET ->
                Future.failedFuture(new WalletException(Kind.UNKNOWN, "the wallet did not say what became of a debit"));
        };
    }

    @Override
    public Future<Long> credit(Transfer credit, long timeoutMs) {
        CreditRequest request = CreditRequest.newBuilder()
                .setAppCode(credit.appCode())
                .setUserId(credit.userId())
                .setKey(credit.key())
                .setCoins(credit.coins())
                .build();
        return calls.call(WalletServiceGrpcClient.Credit, request, timeoutMs).map(CreditResponse::getBalanceAfterCoins);
    }

    @Override
    public Future<Long> refund(Refund refund, long timeoutMs) {
        RefundRequest request = RefundRequest.newBuilder()
                .setAppCode(refund.appCode())
                .setUserId(refund.userId())
                .setKey(refund.key())
                .setDebitKey(refund.debitKey())
                .build();
        return calls.call(WalletServiceGrpcClient.Refund, request, timeoutMs).map(RefundResponse::getRefundedCoins);
    }

    @Override
    public Future<Long> balance(String appCode, String userId, long timeoutMs) {
        GetBalanceRequest request = GetBalanceRequest.newBuilder()
                .setAppCode(appCode)
                .setUserId(userId)
                .build();
        return calls.call(WalletServiceGrpcClient.GetBalance, request, timeoutMs)
                .map(GetBalanceResponse::getBalanceCoins);
    }

    @Override
    public boolean takesCalls() {
        return calls.takesCalls();
    }

    /** Closes the connections; what is under way fails. */
    public Future<Void> close() {
        return calls.close();
    }
}
