package dev.roomcell.config;

/**
 * A text that must not be printed: {@link #toString()} masks it, so records that hold one can be logged.
 *
 * @param reveal the text itself, empty when not set; only for the call that needs it
 */
public record Secret(String reveal) {
    /** Whether there is a text at all, and nothing about it. */
    @Override
    public String toString() {
        return reveal.isEmpty() ? "(empty)" : "***";
    }
}
