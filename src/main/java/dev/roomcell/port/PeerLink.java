package dev.roomcell.port;

import io.vertx.core.Future;

/**
 * Brings calls to other nodes. What a call and an answer are, only the two ends know.
 *
 * @param <C> a call
 * @param <A> an answer, a refusal included
 */
@FunctionalInterface
public interface PeerLink<C, A> {
    /**
     * Sends a call to a node, which runs it itself and never sends it on (LEASE-5). Callable from any thread. Fails with
     * {@link PeerException}, at the latest when {@code timeoutMs} is over.
     *
     * @param timeoutMs how long the caller waits, ms; the peer gives the call up then, too
     */
    Future<A> send(Peer peer, C call, long timeoutMs);

    /** No answer came from a peer. */
    final class PeerException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final boolean mayHaveRun;

        /**
         * A failure with a sentence for the log.
         *
         * @param mayHaveRun false if the call has certainly not reached the peer
         */
        public PeerException(String message, boolean mayHaveRun) {
            super(message);
            this.mayHaveRun = mayHaveRun;
        }

        /** Whether the call may have had its effect, or may still have it. */
        public boolean mayHaveRun() {
            return mayHaveRun;
        }
    }
}
