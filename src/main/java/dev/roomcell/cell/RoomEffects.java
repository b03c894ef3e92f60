package dev.roomcell.cell;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomBatch.LogRow;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** What follows from a loop's rooms having become what they are; no command waits for any of it, or fails by it. */
final class RoomEffects {
    private final RoomListWriter roomList;
    private final DirectLane lane;
    private final BoardNews boards;
    private final LaunchWatch launches;
    private final MicWatch mics;

    /** Effects of the rooms of {@code loop}; {@code launch} as in {@link LaunchWatch}. */
    RoomEffects(
            CellLoop loop,
            CellPorts ports,
            CellSettings settings,
            TimerPolicies.Rooms rooms,
            Function<RoomKey, Future<TimerOutcome>> launch) {
        this.roomList = new RoomListWriter(loop, ports.roomList());
        this.lane = new DirectLane(loop, ports, DirectLane.Limits.USUAL);
        this.boards = new BoardNews(loop, ports, lane, settings.gifts().newsEveryMs());
        this.launches = new LaunchWatch(loop, ports.clock(), launch);
        this.mics = new MicWatch(loop, ports, settings, rooms);
    }

    /** A room was loaded as it is. */
    void loaded(RoomState room) {
        if (room.status() != Lifecycle.Status.CREATING) {
            // Whoever had the room before may have died between a commit and its line. In creation it has none
            // (ROOM-1).
            roomList.changed(room);
        }
        launches.seen(room);
        mics.loaded(room);
    }

    /**
     * {@code rows} are durable and adopted; each row once, in order.
     *
     * @param lineWritten whether the room's line in the room list was written with them (ROOM-8)
     */
    void committed(RoomState before, RoomState after, List<LogRow> rows, boolean lineWritten) {
        lane.committed(after.key(), rows);
        boards.changed(before, after);
        launches.seen(after);
        mics.changed(before, after);
        if (!lineWritten) {
            roomList.changed(after);
        }
    }

    /** A room is no longer here. */
    void gone(RoomKey key) {
        launches.forget(key);
        mics.forget(key);
    }

    /** Who watches what is heard from the seats. */
    MicWatch mics() {
        return mics;
    }

    /** Writes the lines of the room list that wait. Never fails. */
    Future<Void> flush() {
        return roomList.flush();
    }

    /** Ends for good; never fails. */
    Future<Void> shutDown() {
        launches.stop();
        mics.stop();
        return lane.shutDown();
    }
}
