package dev.roomcell.cell;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RoomCommand;

/** The commands of these tests. */
final class Wishes {
    static final String OWNER = "ann";
    static final Profile PROFILE = new Profile(OWNER, "tea at five", "eu", "", "");

    private Wishes() {}

    static RoomCommand create() {
        return create("tea at five");
    }

    static RoomCommand create(String title) {
        return new Lifecycle.CreateRoom(OWNER, new Profile(OWNER, title, "eu", "", ""), 4);
    }

    static RoomCommand join(String userId) {
        return new Presence.JoinRoom(userId);
    }

    static RoomCommand leave(String userId) {
        return new Presence.LeaveRoom(userId);
    }

    static RoomCommand close() {
        return new Lifecycle.CloseRoom(OWNER);
    }
}
