package dev.roomcell.cell;

import dev.roomcell.port.GiftCatalog;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.LuckyGift;
import dev.roomcell.port.LuckyGift.DrawException;
import dev.roomcell.port.RocketCatalog;
import dev.roomcell.port.Wallet;
import dev.roomcell.port.Wallet.WalletException;
import io.vertx.core.Future;
import java.util.Optional;

/** What gifts need from outside. */
public record GiftPorts(GiftStore store, GiftCatalog catalog, RocketCatalog rockets, Wallet wallet, LuckyGift lottery) {

    /**
     * Of a node without a wallet: it offers no gifts, but tells what became of those that were given elsewhere, and launches
     * what they have ignited.
     */
    public static GiftPorts notOffered(GiftStore store, RocketCatalog rockets) {
        return new GiftPorts(
                store,
                (appCode, giftId) -> Future.succeededFuture(Optional.empty()),
                rockets,
                new NoWallet(),
                (draw, timeoutMs) -> Future.failedFuture(new DrawException("this node has no lottery")));
    }

    private static final class NoWallet implements Wallet {
        @Override
        public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
            return none();
        }

        @Override
        public Future<Long> credit(Transfer credit, long timeoutMs) {
            return none();
        }

        @Override
        public Future<Long> refund(Refund refund, long timeoutMs) {
            return none();
        }

        @Override
        public Future<Long> balance(String appCode, String userId, long timeoutMs) {
            return none();
        }

        private static <T> Future<T> none() {
            return Future.failedFuture(new WalletException(WalletException.Kind.NOT_SENT, "this node has no wallet"));
        }

        @Override
        public boolean takesCalls() {
            return false;
        }
    }
}
