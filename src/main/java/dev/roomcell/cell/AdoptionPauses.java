package dev.roomcell.cell;

/**
 * How long adoption waits for what (LEASE-14), ms.
 *
 * @param ttlMs how long a lease lives
 * @param lookMs between two looks
 */
record AdoptionPauses(long ttlMs, long lookMs) {
    /** The longest pause of all, ms. */
    private static final long LONGEST_MS = 60_000;

    private static final int MOST_DOUBLINGS = 20;

    /** Between two looks, the last of which have failed so many times. */
    long afterLook(int failedLooks) {
        return doubled(lookMs, failedLooks, Math.max(ttlMs, lookMs));
    }

    /** Until a room is tried again that was refused so many times. Redis and MySQL come back; a room may stay unreadable. */
    long afterRefusals(int refusals, boolean unreadable) {
        return doubled(lookMs, refusals, unreadable ? longestMs() : Math.max(ttlMs, lookMs));
    }

    /** Until an owner is looked at again whose rooms all have leases, so many times after they should have run out. */
    long afterLiveLeases(int rounds) {
        return doubled(ttlMs, rounds, longestMs());
    }

    /** Between two looks at what this node itself has lost. */
    long ownMs() {
        return Math.max(lookMs, ttlMs / 2);
    }

    private long longestMs() {
        return Math.max(LONGEST_MS, ttlMs);
    }

    private static long doubled(long firstMs, int times, long longestMs) {
        return Math.min(longestMs, firstMs << Math.min(times, MOST_DOUBLINGS));
    }
}
