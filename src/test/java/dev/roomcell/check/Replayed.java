package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import java.util.ArrayList;
import java.util.List;

/** What a log makes of a room. */
final class Replayed {
    private Replayed() {}

    /** The room at each version, from 0 on. */
    static List<RoomState> states(RoomKey room, List<LogRow> log) {
        List<RoomState> states = new ArrayList<>(List.of(RoomState.creating(room)));
        for (LogRow row : log) {
            states.add(RoomDecider.evolve(
                    states.get(states.size() - 1),
                    LivedRoom.CODEC.decodeEvents(row.events()),
                    new Stamp(row.version(), row.atMs())));
        }
        return states;
    }
}
