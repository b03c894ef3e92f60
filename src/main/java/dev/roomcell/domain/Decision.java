package dev.roomcell.domain;

import java.util.List;
import java.util.Optional;

/** The outcome of one command against one state. */
public sealed interface Decision {

    /**
     * It happens, as one room version.
     *
     * @param events what happened, in order; never empty
     * @param result the answer to the caller
     */
    record Accepted(List<RoomEvent> events, CommandResult result) implements Decision {
        /** Refuses an acceptance without an event: it would be a version that says nothing. */
        public Accepted {
            if (events.isEmpty()) {
                throw new IllegalArgumentException("accepted without an event");
            }
            events = List.copyOf(events);
        }
    }

    /**
     * Everything is already as wished: no version, no log row.
     *
     * @param result the answer to the caller
     * @param seenUserId who gave a sign of life by asking (PRES-1); memory only (PRES-7)
     */
    record Unchanged(CommandResult result, Optional<String> seenUserId) implements Decision {
        /** Nothing to do, and no sign of life of anybody. */
        public static Unchanged answering(CommandResult result) {
            return new Unchanged(result, Optional.empty());
        }
    }

    /**
     * It may not happen.
     *
     * @param rejection why
     */
    record Rejected(Rejection rejection) implements Decision {
        /** A rejection with {@code reason} and a sentence for the caller. */
        public static Rejected because(Rejection.Reason reason, String message) {
            return new Rejected(new Rejection(reason, message));
        }
    }
}
