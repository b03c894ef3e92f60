package dev.roomcell.cell;

/** When the last of something happened, as many as may happen in any 1,000 ms. Times are monotonic ms. */
public final class SlidingSecond {
    private static final long SECOND_MS = 1_000;

    private final long[] atMs;
    private long happened;

    /** Nothing has happened; {@code most} may in a second, 1 and up. */
    public SlidingSecond(int most) {
        this.atMs = new long[most];
    }

    /** How long until one more may happen, if {@code most} may in a second, at most as many as at first; 0: now. */
    public long waitMs(long nowMs, int most) {
        if (happened < most) {
            return 0;
        }
        long mostBefore = atMs[Math.floorMod(happened - most, atMs.length)];
        return Math.max(0, mostBefore + SECOND_MS - nowMs);
    }

    /** One more has happened, whether it might or not. */
    public void happens(long nowMs) {
        atMs[Math.floorMod(happened, atMs.length)] = nowMs;
        happened++;
    }

    /** Whether nothing has happened in the last second. */
    boolean isQuiet(long nowMs) {
        return waitMs(nowMs, 1) == 0;
    }
}
