package dev.roomcell.check;

/**
 * One movement of coins, as a wallet keeps it.
 *
 * @param key names it, within all apps
 * @param kind what it was
 * @param appCode whose accounts
 * @param userId whose account
 * @param coins how much; 0 for a refund of what was never taken
 * @param balanceAfter the user's, right after it, coins
 * @param debitKey of a refund: which debit it undid; else empty
 */
public record WalletMovement(
        String key, Kind kind, String appCode, String userId, long coins, long balanceAfter, String debitKey) {
    /** What moves coins. */
    public enum Kind {
        /** From the house to a user, who has them to begin with. */
        OPENING,
        /** From a user to the house. */
        DEBIT,
        /** From the house to a user. */
        CREDIT,
        /** From the house back to a user, whatever a debit took; no debit of that key comes after it. */
        REFUND
    }

    /** What it adds to the user's balance, coins; negative for a debit. */
    public long change() {
        return switch (kind) {
            case DEBIT -> -coins;
            case OPENING, CREDIT, REFUND -> coins;
        };
    }

    /** Whether it is the same transfer as {@code other}, whenever either was made. */
    public boolean sameTransfer(WalletMovement other) {
        return kind == other.kind
                && appCode.equals(other.appCode)
                && userId.equals(other.userId)
                && debitKey.equals(other.debitKey)
                // What a refund comes to is the wallet's to say.
                && (kind == Kind.REFUND || coins == other.coins);
    }
}
