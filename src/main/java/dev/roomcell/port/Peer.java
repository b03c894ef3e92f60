package dev.roomcell.port;

/**
 * A node, as others call it.
 *
 * @param nodeId its id, with its boot nonce (LEASE-16)
 * @param advertiseAddr where it is reached, {@code host:port} (LEASE-5)
 */
public record Peer(String nodeId, String advertiseAddr) {}
