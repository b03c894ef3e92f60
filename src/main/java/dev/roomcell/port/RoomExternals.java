package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;

/** What a room needs outside before it can be used: its IM group and RTC room (ROOM-7). */
public interface RoomExternals {
    /** Makes them; making them again is no error. A failure leaves the room in creation, to be tried again. */
    Future<Void> prepare(RoomKey key);

    /** Of a node that is connected to no provider: a room needs nothing. */
    static RoomExternals none() {
        return key -> Future.succeededFuture();
    }
}
