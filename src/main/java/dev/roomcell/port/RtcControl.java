package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;

/**
 * What we have RTC do. Doing a thing again is no error: whoever is gone is gone, and a room that is not there has nobody in
 * it. A failure means that it may not have been done, and is to be tried again.
 */
public interface RtcControl {
    /** Puts a user out of the room's RTC room: they are neither heard nor hear. They may enter again. */
    Future<Void> removeUser(RoomKey key, String userId);

    /** Ends the room's RTC room for everybody in it. */
    Future<Void> dismissRoom(RoomKey key);
}
