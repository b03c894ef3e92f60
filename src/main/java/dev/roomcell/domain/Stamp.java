package dev.roomcell.domain;

/**
 * What the owner fixes when it takes a command: the only time that a decision and its replay ever see (TIME-1).
 *
 * @param version the room version that the command gets if it is accepted; at least 1
 * @param atMs the owner's clock when it took the batch, epoch ms
 */
public record Stamp(long version, long atMs) {}
