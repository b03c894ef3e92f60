package dev.roomcell.port;

/** The node's two clocks (TIME-1). */
public interface RoomClock {
    /** Database time, epoch ms: measured at the start and every 30 s, carried on by the monotonic clock in between. */
    long nowMs();

    /** A clock that only goes forward and never jumps, ms from an unknown point; for spans such as a lease's age. */
    long monotonicMs();
}
