package dev.roomcell.adapter.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The Lua scripts of the leases. An entry is a hash of {@code n} (node id), {@code e} (epoch) and {@code t} (token),
 * with a time to live. Each script works on many keys, so that a group of rooms is one call.
 */
final class LeaseScripts {
    private LeaseScripts() {}

    /** KEYS[1]; ARGV: node, token, ttl ms. Answers the owner's node id. */
    static final Script ACQUIRE = new Script("""
            local owner = redis.call('HGET', KEYS[1], 'n')
            if owner and owner ~= ARGV[1] then return owner end
            if owner then
              redis.call('HSET', KEYS[1], 't', ARGV[2])
            else
              redis.call('HSET', KEYS[1], 'n', ARGV[1], 'e', '0', 't', ARGV[2])
            end
            redis.call('PEXPIRE', KEYS[1], ARGV[3])
            return ARGV[1]
            """);

    /** KEYS[1]; ARGV: node, token, epoch, ttl ms. Answers 1 if the entry was ours with an older epoch. */
    static final Script RECORD_EPOCH = new Script("""
            local entry = redis.call('HMGET', KEYS[1], 'n', 'e')
            if entry[1] ~= ARGV[1] or tonumber(entry[2]) >= tonumber(ARGV[3]) then return 0 end
            redis.call('HSET', KEYS[1], 'e', ARGV[3], 't', ARGV[2])
            redis.call('PEXPIRE', KEYS[1], ARGV[4])
            return 1
            """);

    /** KEYS; ARGV: node, ttl ms, then epoch and new token for each key. Answers 1 kept, 0 absent, -1 lost for each. */
    static final Script RENEW = new Script("""
            local answers = {}
            for i, key in ipairs(KEYS) do
              local entry = redis.call('HMGET', key, 'n', 'e')
              if not entry[1] then
                answers[i] = 0
              elseif entry[1] == ARGV[1] and entry[2] == ARGV[1 + 2 * i] then
                redis.call('HSET', key, 't', ARGV[2 + 2 * i])
                redis.call('PEXPIRE', key, ARGV[2])
                answers[i] = 1
              else
                answers[i] = -1
              end
            end
            return answers
            """);

    /** KEYS; ARGV: node, then epoch and tokens (joined by blanks, one before and after) for each key. Answers 1 or 0. */
    static final Script VERIFY = new Script("""
            local answers = {}
            for i, key in ipairs(KEYS) do
              local entry = redis.call('HMGET', key, 'n', 'e', 't')
              local ours = entry[1] == ARGV[1] and entry[2] == ARGV[2 * i]
                and string.find(ARGV[1 + 2 * i], ' ' .. entry[3] .. ' ', 1, true)
              answers[i] = ours and 1 or 0
            end
            return answers
            """);

    /** KEYS[1]; ARGV: node, epoch. Deletes the entry if it is ours. */
    static final Script RELEASE = new Script("""
            local entry = redis.call('HMGET', KEYS[1], 'n', 'e')
            if entry[1] == ARGV[1] and entry[2] == ARGV[2] then return redis.call('DEL', KEYS[1]) end
            return 0
            """);

    /**
     * A script and the name under which Redis keeps it.
     *
     * @param text Lua
     * @param sha1 of the text
     */
    record Script(String text, String sha1) {
        Script(String text) {
            this(text, sha1(text));
        }

        private static String sha1(String text) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
                return HexFormat.of().formatHex(digest);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-1", e);
            }
        }
    }
}
