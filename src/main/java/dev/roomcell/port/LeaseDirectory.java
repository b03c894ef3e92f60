package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/**
 * Who owns a room right now, in Redis: the hot route (LEASE-1). It says where a command should run; what proves that
 * it may commit is the epoch in MySQL (LEASE-11). An entry is {node id, epoch, token} with a time to live (LEASE-16).
 *
 * <p>Every call fails with {@link LeaseStoreException} when Redis does not answer within its deadline; the call may
 * have taken effect all the same.
 */
public interface LeaseDirectory {
    /**
     * Takes the room for this node if nobody has it, or renews it if this node has it already: either way under {@code
     * token}, for one time to live from now. The epoch of an entry stays as it is; of a new one it is 0 until {@link
     * #recordEpoch}.
     */
    Future<Acquisition> acquire(RoomKey key, String token);

    /**
     * Copies a freshly minted epoch into the entry and renews it under {@code token}, if the entry is this node's with
     * an older epoch.
     *
     * @return false if the entry is gone or another's: the room is no longer ours
     */
    Future<Boolean> recordEpoch(RoomKey key, String token, long epoch);

    /** Renews many leases in one call: each entry of this node with the given epoch gets the new token. */
    Future<List<Renewal>> renew(List<Renew> leases);

    /**
     * Asks for many rooms in one call whether the entry is this node's with that epoch and one of the tokens
     * (VerifyOwner).
     */
    Future<List<Boolean>> verify(List<Proof> proofs);

    /** Gives the room up, if the entry is still this node's with that epoch; else changes nothing. */
    Future<Void> release(RoomKey key, long epoch);

    /** The outcome of {@link #acquire}. */
    sealed interface Acquisition {
        /** The room is this node's. */
        record Acquired() implements Acquisition {}

        /**
         * The room is another node's.
         *
         * @param nodeId whose
         */
        record OwnedBy(String nodeId) implements Acquisition {}
    }

    /**
     * A wish to renew.
     *
     * @param key which room
     * @param epoch the epoch the entry must have
     * @param newToken the token it shall have
     */
    record Renew(RoomKey key, long epoch, String newToken) {}

    /** The outcome of one renewal. */
    enum Renewal {
        /** Renewed, under the new token. */
        KEPT,
        /** No entry: expired, or Redis lost it. Taken again only through a mint. */
        ABSENT,
        /** Another node's, or of another epoch. */
        LOST
    }

    /**
     * What this node believes to hold.
     *
     * @param key which room
     * @param epoch the epoch the entry must have
     * @param tokens the confirmed token, and the one that was sent and not yet confirmed
     */
    record Proof(RoomKey key, long epoch, Set<String> tokens) {}

    /** Redis did not answer, or answered with an error. */
    final class LeaseStoreException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** A failure with a sentence for the log. */
        public LeaseStoreException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
