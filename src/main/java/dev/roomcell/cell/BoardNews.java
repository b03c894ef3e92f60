package dev.roomcell.cell;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the clients of a loop's rooms how heat, rank and the rocket's fuel stand (LANE-1): not after every gift, but once in a while, and then
 * the last of it. One entry a room; what is lost with the process, the next gift or the room itself tells again.
 */
final class BoardNews {
    private static final Logger log = LoggerFactory.getLogger(BoardNews.class);
    /** So many ranks are told. */
    static final int RANKS = 10;

    private final CellLoop loop;
    private final RoomClock clock;
    private final RoomCodec codec;
    private final DirectLane lane;
    private final Map<RoomKey, Change> changed = new HashMap<>();
    private final long everyMs;
    private boolean scheduled;

    /** From what was told to what is to be told. */
    private record Change(RoomState before, RoomState after) {}

    private record Fuel(String rocketId, long fuel) {}

    /** Tells {@code lane} of each room at most once in {@code everyMs}. */
    BoardNews(CellLoop loop, CellPorts ports, DirectLane lane, long everyMs) {
        this.everyMs = everyMs;
        this.loop = loop;
        this.clock = ports.clock();
        this.codec = ports.codec();
        this.lane = lane;
    }

    /** A room has become another one; in most cases nothing is to be told. */
    void changed(RoomState before, RoomState after) {
        if (after.status() == Lifecycle.Status.CLOSED) {
            // Its end is the last that is told of it (ROOM-4).
            changed.remove(after.key());
            return;
        }
        if (sameBoard(before, after) && before.rocket().equals(after.rocket())) {
            return;
        }
        changed.merge(after.key(), new Change(before, after), (first, now) -> new Change(first.before, now.after));
        if (!scheduled) {
            scheduled = true;
            loop.schedule(everyMs, this::tell);
        }
    }

    /** A board is as large as there are givers; who has not changed it has the same one. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean sameBoard(RoomState before, RoomState after) {
        return before.board() == after.board();
    }

    private void tell() {
        scheduled = false;
        Map<RoomKey, Change> now = new HashMap<>(changed);
        changed.clear();
        now.keySet().stream().sorted().forEach(key -> {
            Change change = now.get(key);
            if (change != null) {
                tell(change);
            }
        });
    }

    /** One room's fault is not the next one's. */
    private void tell(Change change) {
        RoomState room = change.after;
        try {
            if (room.board().heat() != change.before.board().heat()) {
                send(room, codec.encodeHeat(room, clock.nowMs()));
            }
            if (!room.board().top(RANKS).equals(change.before.board().top(RANKS))) {
                send(room, codec.encodeRank(room, RANKS, clock.nowMs()));
            }
            if (!fuel(room).equals(fuel(change.before))) {
                send(room, codec.encodeFuel(room, clock.nowMs()));
            }
        } catch (RuntimeException fault) {
            log.error("room {}: its clients are not told of its heat", room.key(), fault);
        }
    }

    /** What clients see of the rocket while it takes fuel. */
    private static Optional<Fuel> fuel(RoomState room) {
        return room.rocket().map(rocket -> new Fuel(rocket.id(), rocket.fuel()));
    }

    private void send(RoomState room, Fact fact) {
        lane.tell(room.key(), room.version(), fact);
    }
}
