package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;

/**
 * What the IM provider is to know of a room's rights, so that it keeps out of the group what the room would refuse. Beside the
 * room, after its commit; the room's own answer to whether somebody may speak does not wait for it. Each call may be made
 * again and comes to the same; it fails if it is to be made again later.
 */
public interface ImControl {
    /** Until when is for ever. */
    long FOR_EVER_MS = Long.MAX_VALUE;

    /** Nobody hears {@code userId} in the room's group until then, epoch ms; a time that is over changes nothing. */
    Future<Void> forbid(RoomKey key, String userId, long untilMs);

    /** {@code userId} is heard again. */
    Future<Void> allow(RoomKey key, String userId);

    /** The group ends, with all that was said in it. */
    Future<Void> destroy(RoomKey key);
}
