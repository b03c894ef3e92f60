package dev.roomcell.adapter.eventbus;

/**
 * Where the other nodes are.
 *
 * @param members HOST:PORT of cluster ports to join, separated by commas
 * @param host this node's own address among them
 * @param port this node's own cluster port
 * @param busPort where the event bus listens; 0 takes a free port
 * @param name only nodes of the same name join
 * @param file Hazelcast's XML configuration; empty: the one that comes with the service
 * @param nodeId this node's id, with its boot nonce
 */
public record ClusterSettings(
        String members, String host, int port, int busPort, String name, String file, String nodeId) {}
