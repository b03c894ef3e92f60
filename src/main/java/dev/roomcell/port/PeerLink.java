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

        private final Fate fate;

        /** What is known of a call without an answer. */
        public enum Fate {
            /** It was certainly not run: the peer was not reached, or does not take it. */
            NOT_RUN,
            /** It was certainly not run, for too many calls go to the peer already. The peer is there all the same. */
            BUSY,
            /** It may have had its effect, or may still have it. */
            MAY_HAVE_RUN
        }

        /** A failure with a sentence for the log. */
        public PeerException(String message, Fate fate) {
            super(message);
            this.fate = fate;
        }

        /** What is known of the call. */
        public Fate fate() {
            return fate;
        }
    }
}
