package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;

/**
 * The way of what robots show to those who look at a room (LANE-5). It is another one than the messages about the room
 * itself take, and best effort: nobody may depend on a display.
 */
public interface RobotDisplays {
    /**
     * Shows something to everybody in the room's group. Completes when the group has it. When it fails, or is given up,
     * the group may have it all the same; it is not shown again.
     *
     * @param timeoutMs how long the sender waits, ms; what is not answered by then is to be called off
     */
    Future<Void> show(Display display, long timeoutMs);

    /** Whether displays go anywhere. */
    default boolean isConnected() {
        return true;
    }

    /** Of a node that is connected to no IM provider. */
    static RobotDisplays none() {
        return new RobotDisplays() {
            @Override
            public Future<Void> show(Display display, long timeoutMs) {
                return Future.failedFuture(new IllegalStateException("there is no IM provider"));
            }

            @Override
            public boolean isConnected() {
                return false;
            }
        };
    }

    /**
     * What a robot shows.
     *
     * @param key the room
     * @param version the room's version when it was asked for; a display makes none
     * @param robotUserId who shows it
     * @param type what it is, in the clients' own vocabulary
     * @param payloadJson its parameters: a JSON object as its caller wrote it, or empty
     * @param atMs when it was asked for, epoch ms
     */
    record Display(RoomKey key, long version, String robotUserId, String type, String payloadJson, long atMs) {}
}
