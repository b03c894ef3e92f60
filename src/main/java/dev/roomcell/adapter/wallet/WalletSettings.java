package dev.roomcell.adapter.wallet;

/**
 * Where a service is that gifts need, and how it is called.
 *
 * @param host name or address; empty: there is none, and gifts that need it are not offered
 * @param port 1..65,535
 * @param callTimeoutMs the longest that a call may take, ms, whatever its caller grants; at least 1
 * @param maxInFlight calls of one event loop under way at once; one more is not made. At least 1
 */
public record WalletSettings(String host, int port, long callTimeoutMs, int maxInFlight) {}
