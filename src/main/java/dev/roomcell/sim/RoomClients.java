package dev.roomcell.sim;

import dev.roomcell.check.Invariant;
import dev.roomcell.check.LaneChecker.Seen;
import dev.roomcell.check.Violation;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomMessenger.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Those who look at the rooms: what nodes told them, in order of arrival. Not thread-safe. */
final class RoomClients {
    private final Surroundings around;
    private final Map<RoomKey, List<Seen>> seen = new HashMap<>();

    RoomClients(Surroundings around) {
        this.around = around;
    }

    /** {@code sender} sends a message: what it tells of must have been committed by then (LANE-2). */
    void told(String sender, Message message) {
        long committed = around.database
                .room(message.key())
                .map(MemoryDatabase.RoomFields::version)
                .orElse(0L);
        if (committed < message.version()) {
            around.found(new Violation(
                    Invariant.LANE_2,
                    message.key(),
                    sender + " tells of version " + message.version() + " while version " + committed
                            + " is the last that is committed"));
        }
    }

    /** A message arrives; {@code answered} says whether its sender will hear so. */
    void see(String sender, Message message, boolean answered) {
        seen.computeIfAbsent(message.key(), first -> new ArrayList<>())
                .add(new Seen(
                        sender,
                        message.version(),
                        message.fact().index(),
                        message.fact().envelope(),
                        answered));
    }

    /** What a room's clients saw, in order of arrival. */
    List<Seen> saw(RoomKey room) {
        return List.copyOf(seen.getOrDefault(room, List.of()));
    }
}
