package dev.roomcell.cell;

/**
 * How long the steps of a gift may take.
 *
 * @param walletCallMs a call of the wallet, ms; then its outcome counts as unknown, and it is made again
 * @param drawCallMs a draw, ms; then the gift is given without, and the reward follows
 * @param voidAfterMs a gift that is not committed by then is given up, ms; more than twice the longest deadline of a call,
 *     or gifts are given up while their callers still wait
 * @param reconcileEveryMs how often the gifts are looked for that somebody must see to, ms
 * @param maxRefusals so often the wallet may refuse what is left to do for a gift; then it is parked, at least 1
 * @param newsEveryMs a room's clients are told of its heat, rank and fuel at most once in so many ms (LANE-1)
 */
public record GiftSettings(
        long walletCallMs,
        long drawCallMs,
        long voidAfterMs,
        long reconcileEveryMs,
        int maxRefusals,
        long newsEveryMs) {
    /** As in the configuration's defaults. */
    public static final GiftSettings USUAL = new GiftSettings(2_000, 500, 60_000, 1_000, 8, 1_000);
}
