package dev.roomcell.port;

import io.vertx.core.Future;

/**
 * Somebody else's accounts, in coins. Every call carries a key that its caller derives from the command alone (GIFT-5),
 * so that a call whose answer was lost is simply made again: the same key never moves money twice, and answers as it did
 * the first time.
 *
 * <p>A call fails with {@link WalletException} when its outcome is not known or it was not made.
 */
public interface Wallet {
    /**
     * Takes coins from a user, if there are as many. A repeated debit answers as the first one did; one that follows a
     * {@link #refund} of its key moves nothing.
     *
     * @param timeoutMs after so many ms the outcome counts as unknown; at least 1
     */
    Future<DebitAnswer> debit(Transfer debit, long timeoutMs);

    /**
     * Gives coins to a user, once a key.
     *
     * @param timeoutMs after so many ms the outcome counts as unknown; at least 1
     * @return the user's balance after it, coins
     */
    Future<Long> credit(Transfer credit, long timeoutMs);

    /**
     * Undoes a debit for good (GIFT-4): gives back what was taken under its key, and makes every later debit under it
     * {@link DebitAnswer.Voided}, also when no debit was seen yet. Repeating it changes nothing.
     *
     * @param timeoutMs after so many ms the outcome counts as unknown; at least 1
     * @return how much was given back, coins, the same for every repetition; 0 if nothing had been taken
     */
    Future<Long> refund(Refund refund, long timeoutMs);

    /** A user's balance, coins; 0 for one who is not known. */
    Future<Long> balance(String appCode, String userId, long timeoutMs);

    /** Whether calls are being made: neither have too many failed lately, nor are too many under way. */
    boolean takesCalls();

    /**
     * One movement of money.
     *
     * @param appCode whose accounts
     * @param userId whose account
     * @param key names it, within all apps
     * @param coins how much, at least 1
     */
    record Transfer(String appCode, String userId, String key, long coins) {}

    /**
     * A debit to be undone.
     *
     * @param appCode whose accounts
     * @param userId whose account
     * @param key names the refund, within all apps
     * @param debitKey names the debit
     */
    record Refund(String appCode, String userId, String key, String debitKey) {}

    /** What became of a debit. */
    sealed interface DebitAnswer {
        /**
         * The coins were taken.
         *
         * @param balanceAfter right after it was first so, coins
         */
        record Debited(long balanceAfter) implements DebitAnswer {}

        /** There were not as many; nothing was taken, and the same key may be tried again. */
        record InsufficientBalance() implements DebitAnswer {}

        /** The key was refunded; nothing is ever taken under it. */
        record Voided() implements DebitAnswer {}
    }

    /** A call that has no answer. */
    final class WalletException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Kind kind;

        /** What is known about such a call. */
        public enum Kind {
            /** It was not made: nothing has happened. */
            NOT_SENT,
            /** It may have had its effect, or will have it yet. */
            UNKNOWN,
            /** The wallet refuses it, now and for ever: a key that names another transfer, say. Nothing has happened. */
            REFUSED
        }

        /** A call that has no answer, for people. */
        public WalletException(Kind kind, String message) {
            super(message);
            this.kind = kind;
        }

        /** What is known about it. */
        public Kind kind() {
            return kind;
        }
    }
}
