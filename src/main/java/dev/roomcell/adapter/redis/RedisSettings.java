package dev.roomcell.adapter.redis;

/**
 * Where Redis is, and how this node appears in it.
 *
 * @param host its host
 * @param port its port
 * @param password empty for none
 * @param database its number
 * @param keyPrefix before every key; may be empty
 * @param callTimeoutMs how long a call may take, ms
 * @param leaseTtlMs how long an entry lives without renewal, ms
 * @param nodeId this node, with its boot nonce
 */
public record RedisSettings(
        String host,
        int port,
        String password,
        int database,
        String keyPrefix,
        long callTimeoutMs,
        long leaseTtlMs,
        String nodeId) {

    @Override
    public String toString() {
        return host + ":" + port + "/" + database;
    }
}
