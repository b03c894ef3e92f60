package dev.roomcell.cell;

import dev.roomcell.domain.Rejection;
import dev.roomcell.port.Peer;
import java.util.Optional;

/** What a caller is told about a command. */
public sealed interface Answer {
    /**
     * It is so, and durable.
     *
     * @param result the encoded answer (CMD-6)
     * @param replayed whether it was so already, by the same command id
     */
    record Done(byte[] result, boolean replayed) implements Answer {}

    /**
     * A business no.
     *
     * @param rejection why
     */
    record Rejected(Rejection rejection) implements Answer {}

    /**
     * It could not be dealt with.
     *
     * @param refusal why
     * @param message one sentence for the caller's log
     * @param owner who owns the room, where that is known
     */
    record Refused(Refusal refusal, String message, Optional<Peer> owner) implements Answer {
        /** Whether a cell that was told so can no longer trust its memory to be the room. */
        boolean endsOwnership() {
            return switch (refusal) {
                case NOT_OWNER, FENCED, LEASE_LOST, OUTCOME_UNKNOWN -> true;
                case DRAINING,
                        LOADING,
                        OVERLOADED,
                        STORE_UNAVAILABLE,
                        COMMAND_ID_CONFLICT,
                        OWNER_UNREACHABLE,
                        REWARD_IN_PROGRESS,
                        INTERNAL -> false;
            };
        }

        /** Nobody knows whether it happened; the same id tells (LEASE-12). */
        static Refused outcomeUnknown() {
            return of(Refusal.OUTCOME_UNKNOWN, "send the same command id again to learn it");
        }

        /** A refusal without an owner's hint. */
        public static Refused of(Refusal refusal, String message) {
            return new Refused(refusal, message, Optional.empty());
        }
    }

    /** Why a command could not be dealt with; the names are part of the API. All up to COMMAND_ID_CONFLICT promise no effect. */
    enum Refusal {
        /** Another node owns the room; the hint says which. */
        NOT_OWNER,
        /** Another incarnation of the room has taken over (LEASE-11). */
        FENCED,
        /** The lease expired or changed hands before the commit (LEASE-7). */
        LEASE_LOST,
        /** The node is shutting down (LEASE-10). */
        DRAINING,
        /** The room could not be loaded right now. */
        LOADING,
        /** A queue is full, or the command was not begun within its deadline. */
        OVERLOADED,
        /** The database or Redis cannot be used right now. */
        STORE_UNAVAILABLE,
        /** The id belongs to another command (CMD-2, CMD-3); never to be retried. */
        COMMAND_ID_CONFLICT,
        /** The owner, on another node, does not answer; another takes over when its lease runs out. */
        OWNER_UNREACHABLE,
        /** It may have happened or not; the same id will tell (LEASE-12). */
        OUTCOME_UNKNOWN,
        /** The gift is given and paid for; its reward is still being credited (GIFT-6). The same id waits for it. */
        REWARD_IN_PROGRESS,
        /** A fault of ours. */
        INTERNAL
    }
}
