package dev.roomcell.check;

import dev.roomcell.adapter.codec.PublicForm;
import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Decision;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomPolicy;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out, by a room's log, what a success that a client was told speaks of: the version that the command made, or one
 * at which all was as wished. An answer alone does not say which.
 */
public final class Witness {
    private static final long NO_VERSION = -1;
    /** A mute that is over by then had perhaps ended when it was asked to end. */
    private static final long LONG_AFTER_MS = Long.MAX_VALUE / 2;

    private final RoomKey room;
    private final RoomCodec codec;
    private final Map<String, LogRow> byCommand = new HashMap<>();
    private final List<RoomState> states = new ArrayList<>();

    /** A witness of what {@code log} holds, which is by version and without gaps. */
    public Witness(RoomKey room, Iterable<LogRow> log, RoomCodec codec) {
        this.room = room;
        this.codec = codec;
        RoomState state = RoomState.creating(room);
        states.add(state);
        for (LogRow row : log) {
            byCommand.putIfAbsent(row.commandId(), row);
            state = RoomDecider.evolve(state, codec.decodeEvents(row.events()), new Stamp(row.version(), row.atMs()));
            states.add(state);
        }
    }

    /**
     * What the answer was; an acknowledgement of no version if nothing explains it.
     *
     * @param result the answer's {@code result}
     * @param replayed whether the answer says that it is an earlier one's
     */
    public Outcome outcome(String commandId, RoomCommand command, byte[] result, boolean replayed) {
        String resultHash = Operation.resultHash(result);
        LogRow row = byCommand.get(commandId);
        if (row != null && Operation.resultHash(row.result()).equals(resultHash)) {
            return new Outcome.Acknowledged(row.version(), resultHash);
        }
        long version = PublicForm.roomVersionOf(result);
        return !replayed && wasAsWished(command, version, result)
                ? new Outcome.Unchanged(version)
                : new Outcome.Acknowledged(NO_VERSION, resultHash);
    }

    private boolean wasAsWished(RoomCommand command, long version, byte[] result) {
        if (version < 0 || version >= states.size()) {
            return false;
        }
        Stamp stamp = new Stamp(version + 1, LONG_AFTER_MS);
        Decision decision = RoomDecider.decide(states.get((int) version), command, stamp, RoomPolicy.STANDARD);
        return decision instanceof Decision.Unchanged unchanged
                && Arrays.equals(codec.encodeResult(room, unchanged.result()), result);
    }
}
