package dev.roomcell.dev.rtc;

import java.util.ArrayDeque;

/** Lets so many through in any second. Belongs to one event loop. */
final class SlidingSecond {
    private static final long SECOND_MS = 1_000;

    private final int most;
    private final ArrayDeque<Long> admittedAtMs = new ArrayDeque<>();

    SlidingSecond(int most) {
        this.most = most;
    }

    boolean admit(long nowMs) {
        while (!admittedAtMs.isEmpty() && admittedAtMs.peekFirst() <= nowMs - SECOND_MS) {
            admittedAtMs.removeFirst();
        }
        if (admittedAtMs.size() >= most) {
            return false;
        }
        admittedAtMs.addLast(nowMs);
        return true;
    }
}
