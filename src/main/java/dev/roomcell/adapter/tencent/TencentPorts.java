package dev.roomcell.adapter.tencent;

import dev.roomcell.port.ImControl;
import dev.roomcell.port.RobotDisplays;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomExternals;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.UserNotices;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * One event loop's ways to Tencent IM. Messages, displays, notices and new groups have connections of their own, so that none waits
 * for the others (LANE-5); they share the signature and the circuit.
 */
public final class TencentPorts {
    /** As many as the lane of a loop sends at once. */
    private static final int MESSAGES = 64;
    /** As many as the publisher of a loop shows at once. */
    private static final int DISPLAYS = 16;

    /** As many notices as are sent at once. */
    private static final int NOTICES = 8;

    private static final int NEW_GROUPS = 32;
    private static final int WAITING_GROUPS = 1_024;

    private final TencentIm messages;
    private final TencentIm displays;
    private final TencentIm notices;
    private final TencentIm groups;
    private final RoomClock clock;
    private final RoomMessenger.Limits limits;

    /** Of the calling event loop; nothing connects before it is needed. */
    public TencentPorts(Vertx vertx, TencentSettings settings, RoomClock clock, TencentShare share) {
        ImAccess access = ImAccess.of(settings, clock::nowMs, clock::monotonicMs, share);
        this.clock = clock;
        this.limits = share.limits();
        this.messages = new TencentIm(vertx, access, MESSAGES, MESSAGES);
        this.displays = new TencentIm(vertx, access, DISPLAYS, DISPLAYS);
        this.notices = new TencentIm(vertx, access, NOTICES, NOTICES);
        this.groups = new TencentIm(vertx, access, NEW_GROUPS, WAITING_GROUPS);
    }

    /** The way to the rooms' clients. */
    public RoomMessenger messenger() {
        return new TencentMessenger(messages, limits);
    }

    /** The way of what robots show. */
    public RobotDisplays robotDisplays() {
        return new TencentDisplays(displays, limits.ofAllRooms(), clock::monotonicMs);
    }

    /** The way to one user alone. */
    public UserNotices userNotices() {
        return new TencentNotices(notices);
    }

    /** What makes the group of a room. */
    public RoomExternals rooms() {
        return new TencentRooms(groups);
    }

    /** What tells groups of rights, and of their end. */
    public ImControl control() {
        return new TencentControl(groups, clock::nowMs);
    }

    /** Closes every connection; what is on its way fails. */
    public Future<Void> close() {
        return Future.join(messages.close(), displays.close(), notices.close(), groups.close())
                .mapEmpty();
    }
}
