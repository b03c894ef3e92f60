package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;

/** The way to those who look at a room: its IM group. Best effort; nobody may depend on a message. */
public interface RoomMessenger {
    /**
     * Sends a message to everybody in the room's group. Completes when the group has it. When it fails, or is given up,
     * the group may have it all the same; it is not sent again. Fails with {@link DroppedException} if the provider has
     * taken it and shown it to nobody, and with {@link TooLongException} if it would take none of this length.
     *
     * @param timeoutMs how long the sender waits, ms; what is not answered by then is to be called off
     */
    Future<Void> send(Message message, long timeoutMs);

    /** Whether messages go anywhere. */
    default boolean isConnected() {
        return true;
    }

    /** What the provider takes; whoever sends more would lose some of it, and not the least of it (LANE-6). */
    default Limits limits() {
        return Limits.NONE;
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

    /**
     * What a provider takes in any second.
     *
     * @param ofARoomInASecond messages of one room, 1 and up; 0: any number
     * @param ofAllRooms messages of all rooms
     */
    record Limits(int ofARoomInASecond, SendBudget ofAllRooms) {
        /** Of a provider that takes whatever comes. */
        public static final Limits NONE = new Limits(0, SendBudget.unlimited());

        /** Whether there are any. */
        public boolean areThere() {
            return ofARoomInASecond > 0;
        }
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

    /** The provider takes no message of this length; it was not sent. */
    final class TooLongException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** {@code bytes} is how long it would have been. */
        public TooLongException(int bytes) {
            super("a message of " + bytes + " bytes", null, false, false);
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
