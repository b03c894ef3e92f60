package dev.roomcell.port;

/** What a call came to on another node. */
public sealed interface PeerAnswer {
    /**
     * It was answered.
     *
     * @param reply the response's bytes
     */
    record Replied(byte[] reply) implements PeerAnswer {}

    /**
     * It failed, or was refused.
     *
     * @param error why, encoded as only the API at both ends knows
     */
    record Failed(byte[] error) implements PeerAnswer {}
}
