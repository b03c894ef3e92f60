package dev.roomcell.domain;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.port.RoomCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What would be in the command log of one room: events in their stored form, by stamp. */
final class RoomLog {
    private static final RoomCodec CODEC = new StoredForm();

    private final Map<Stamp, byte[]> versions = new LinkedHashMap<>();

    void append(Stamp stamp, List<RoomEvent> events) {
        versions.put(stamp, CODEC.encodeEvents(events));
    }

    /** The versions, in the order in which they were appended. */
    List<Long> versions() {
        return versions.keySet().stream().map(Stamp::version).toList();
    }

    /** The room as a load without a snapshot would find it. */
    RoomState replay(RoomKey key) {
        RoomState state = RoomState.creating(key);
        for (Map.Entry<Stamp, byte[]> version : versions.entrySet()) {
            state = RoomDecider.evolve(state, CODEC.decodeEvents(version.getValue()), version.getKey());
        }
        return state;
    }

    /** {@code state} as if nobody had shown a sign of life since joining: heartbeats leave no trace in the log (PRES-7). */
    static RoomState withoutSignsOfLife(RoomState state) {
        RoomState unseen = state;
        for (Presence.Member member : state.members().values()) {
            unseen = unseen.withMember(new Presence.Member(
                    member.userId(), member.kind(), member.joinedAtMs(), member.joinedVersion(), member.joinedAtMs()));
        }
        return unseen;
    }
}
