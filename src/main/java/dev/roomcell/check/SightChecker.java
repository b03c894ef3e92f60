package dev.roomcell.check;

import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomCodec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Holds each room that a client saw against the room that the log makes of that version, field by field (I2, I4). Which
 * versions a client may see at which time is the {@link AckChecker}'s.
 */
public final class SightChecker {
    private SightChecker() {}

    /**
     * What is wrong with what was read of a room; at most the first 100 violations.
     *
     * @param operations of the room, in any order; all but reads are left alone
     * @param log the room's log, by version, without gaps
     */
    public static List<Violation> check(
            RoomKey room, Collection<Operation> operations, Iterable<LogRow> log, RoomCodec codec) {
        return check(room, operations, log, codec, state -> Operation.stateHash(codec, state));
    }

    /**
     * The same for clients who were shown a part of the room only.
     *
     * @param hash of what was shown of a room, as the reads' {@code stateHash} has it
     */
    public static List<Violation> check(
            RoomKey room,
            Collection<Operation> operations,
            Iterable<LogRow> log,
            RoomCodec codec,
            Function<RoomState, String> hash) {
        Findings findings = new Findings(room);
        Map<Long, List<Operation>> byVersion = new HashMap<>();
        for (Operation operation : operations) {
            if (operation.outcome() instanceof Outcome.Read read) {
                byVersion
                        .computeIfAbsent(read.version(), first -> new ArrayList<>())
                        .add(operation);
            }
        }
        RoomState state = RoomState.creating(room);
        compare(state, byVersion, hash, findings);
        for (LogRow row : log) {
            state = RoomDecider.evolve(state, codec.decodeEvents(row.events()), new Stamp(row.version(), row.atMs()));
            compare(state, byVersion, hash, findings);
        }
        byVersion.forEach((version, unseen) -> unseen.forEach(operation -> findings.add(
                Invariant.I4,
                "operation " + operation.operationId() + " saw version " + version + ", which is not there")));
        return findings.violations();
    }

    private static void compare(
            RoomState state,
            Map<Long, List<Operation>> byVersion,
            Function<RoomState, String> hashOf,
            Findings findings) {
        List<Operation> seen = byVersion.remove(state.version());
        if (seen == null) {
            return;
        }
        String hash = hashOf.apply(state);
        for (Operation operation : seen) {
            findings.require(
                    hash.equals(((Outcome.Read) operation.outcome()).stateHash()),
                    Invariant.I2,
                    () -> "operation " + operation.operationId() + " saw another room than version " + state.version()
                            + " is by the log");
        }
    }
}
