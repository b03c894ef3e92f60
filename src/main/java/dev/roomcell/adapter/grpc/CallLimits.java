package dev.roomcell.adapter.grpc;

/**
 * What a call may take.
 *
 * @param maxMessageBytes the largest request, bytes
 * @param defaultDeadlineMs the deadline of a call that brings none, ms
 * @param maxDeadlineMs the longest deadline that a call is granted, ms
 */
public record CallLimits(int maxMessageBytes, long defaultDeadlineMs, long maxDeadlineMs) {
    /** The deadline of a call whose {@code grpc-timeout} is {@code requestedMs}; 0 is none. */
    long timeoutMs(long requestedMs) {
        return requestedMs <= 0 ? defaultDeadlineMs : Math.min(requestedMs, maxDeadlineMs);
    }
}
