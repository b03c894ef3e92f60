package dev.roomcell.domain;

/**
 * What the operator fixes for all rooms and {@code decide} has to know. It is not part of a room: a change takes effect
 * with the next command, and what was decided under another policy stays as it was.
 *
 * @param publishWithinMs how long a seat may be taken without confirmed audio, ms; more than 0 (MIC-3)
 * @param doubtedForMs how long the audio of a doubted seat is waited for, ms; at least {@code publishWithinMs} (MIC-9,
 *     MIC-10): whoever speaks must have the time to say so, though a heartbeat is lost
 */
public record RoomPolicy(long publishWithinMs, long doubtedForMs) {
    /** The policy of a node whose configuration says nothing else. */
    public static final RoomPolicy STANDARD = new RoomPolicy(15_000, 35_000);

    /** Refuses a policy under which nobody could ever publish. */
    public RoomPolicy {
        if (publishWithinMs <= 0) {
            throw new IllegalArgumentException("publishWithinMs must be more than 0, not " + publishWithinMs);
        }
        if (doubtedForMs < publishWithinMs) {
            throw new IllegalArgumentException("doubtedForMs is less than publishWithinMs: " + doubtedForMs);
        }
    }
}
