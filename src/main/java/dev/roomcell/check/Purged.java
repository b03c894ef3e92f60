package dev.roomcell.check;

/**
 * What may be gone of a room because it is old.
 *
 * @param outboxBeforeMs outbox rows of events from before then, epoch ms (OUT-7)
 * @param logBeforeMs log rows from before then, epoch ms, if two snapshots cover them (LOG-1)
 */
public record Purged(long outboxBeforeMs, long logBeforeMs) {
    /** Nothing is gone. */
    public static final Purged NOTHING = before(Long.MIN_VALUE);

    /** Whatever is from before then may be gone, epoch ms. */
    public static Purged before(long ms) {
        return new Purged(ms, ms);
    }
}
