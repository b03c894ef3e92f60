package dev.roomcell.adapter.tencent;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomExternals;
import io.vertx.core.Future;

/** Makes a room's IM group before the room can be used (ROOM-7); a RTC room needs no making. */
final class TencentRooms implements RoomExternals {
    /** Within the usual deadline of the call that creates the room, ms. */
    static final long CREATE_MS = 4_000;

    private final TencentIm im;

    TencentRooms(TencentIm im) {
        this.im = im;
    }

    @Override
    public Future<Void> prepare(RoomKey key) {
        return im.createGroup(ExternalIds.groupId(key), CREATE_MS);
    }
}
