package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;

/** The way to those who look at a room: its IM group. Best effort; nobody may depend on a message. */
public interface RoomMessenger {
    /**
     * Sends a message to everybody in the room's group. Completes when the group has it. When it fails, or is given up,
     * the group may have it all the same; it is not sent again. Fails with {@link DroppedException} if the provider has
     * taken it and shown it to nobody.
     *
     * @param timeoutMs how long the sender waits, ms; what is not answered by then is to be called off
     */
    Future<Void> send(Message message, long timeoutMs);

    /** Whether messages go anywhere. */
    default boolean isConnected() {
        return true;
    }

    /** Of a node that is connected to no IM provider. */
    static RoomMessenger none() {
        return new RoomMessenger() {
            @Override
            public Future<Void> send(Message message, long timeoutMs) {
                return Future.failedFuture(new IllegalStateException("there is no IM provider"));
            }

            @Override
            public boolean isConnected() {
                return false;
            }
        };
    }

    /** The provider is there, and has dropped the message: its group had too many. */
    final class DroppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** {@code why} is the provider's word. */
        public DroppedException(String why) {
            // No stack trace: it is thrown nowhere, and there may be many.
            super(why, null, false, false);
        }
    }

    /**
     * One event, for a room's clients; they tell repetitions and gaps by version and index (LANE-6).
     *
     * @param key the room
     * @param version the room version that the event's command made
     * @param fact the event, as outbox consumers get it
     */
    record Message(RoomKey key, long version, RoomBatch.Fact fact) {}
}
