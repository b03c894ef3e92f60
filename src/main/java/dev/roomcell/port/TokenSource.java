package dev.roomcell.port;

/** Randomness for the core, so that a test can script it. */
@FunctionalInterface
public interface TokenSource {
    /** A new opaque lease token: 1..64 ASCII characters, never given before. */
    String newToken();
}
