package dev.roomcell.check;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.proto.room.v1.FactEnvelope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a room's clients saw against the log: only events that are in it, each as it is there, and those of one
 * sender in their order (LANE-2). Events may be missing: the lane is best effort.
 */
public final class LaneChecker {
    private LaneChecker() {}

    /**
     * A message that arrived.
     *
     * @param sender which incarnation of the room's owner sent it
     * @param version the room version that it tells of
     * @param index the event's place in its version
     * @param envelope the event
     * @param answered whether the sender was told so; if not, it may have arrived after what was sent later
     */
    public record Seen(String sender, long version, int index, byte[] envelope, boolean answered) {}

    private record Place(long version, int index) {
        boolean isAfter(@Nullable Place other) {
            return other == null || version > other.version || (version == other.version && index > other.index);
        }

        @Override
        public String toString() {
            return "version " + version + " event " + index;
        }
    }

    /**
     * What is wrong with what a room's clients saw; at most the first 100 violations.
     *
     * @param seen in order of arrival
     * @param log the room's log, by version, without gaps
     */
    public static List<Violation> check(RoomKey room, List<Seen> seen, Iterable<LogRow> log, RoomCodec codec) {
        Findings findings = new Findings(room);
        if (seen.isEmpty()) {
            return findings.violations();
        }
        Map<Place, byte[]> logged = envelopes(room, log, codec);
        Map<String, Place> lastOfSender = new HashMap<>();
        for (Seen message : seen) {
            if (message.index() >= RoomCodec.HEAT_INDEX) {
                continue;
            }
            Place place = new Place(message.version(), message.index());
            byte[] envelope = logged.get(place);
            findings.require(
                    envelope != null && Arrays.equals(envelope, message.envelope()),
                    Invariant.LANE_2,
                    () -> "clients saw " + place + " of " + message.sender()
                            + (envelope == null ? ", which is not in the log" : " other than it is in the log"));
            if (message.answered()) {
                Place last = lastOfSender.put(message.sender(), place);
                findings.require(
                        place.isAfter(last),
                        Invariant.LANE_2,
                        () -> "clients saw " + place + " of " + message.sender() + " after " + last);
            }
        }
        checkBoards(room, seen, log, codec, findings);
        return findings.violations();
    }

    /** Heat, rank and fuel are told as no events: they are what the log makes of the version that they name. */
    private static void checkBoards(
            RoomKey room, List<Seen> seen, Iterable<LogRow> log, RoomCodec codec, Findings findings) {
        Map<Long, List<Seen>> byVersion = new TreeMap<>();
        for (Seen message : seen) {
            if (message.index() >= RoomCodec.HEAT_INDEX) {
                byVersion
                        .computeIfAbsent(message.version(), first -> new ArrayList<>())
                        .add(message);
            }
        }
        if (byVersion.isEmpty()) {
            return;
        }
        RoomState state = RoomState.creating(room);
        for (LogRow row : log) {
            state = RoomDecider.evolve(state, codec.decodeEvents(row.events()), new Stamp(row.version(), row.atMs()));
            for (Seen message : byVersion.getOrDefault(row.version(), List.of())) {
                findings.require(
                        isBoardOf(state, message, codec),
                        Invariant.LANE_2,
                        () -> "clients saw another heat, rank or fuel at version " + row.version()
                                + " than the log makes");
            }
            byVersion.remove(row.version());
        }
        byVersion
                .keySet()
                .forEach(version -> findings.add(
                        Invariant.LANE_2,
                        "clients saw heat, rank or fuel at version " + version + ", which is not there"));
    }

    private static boolean isBoardOf(RoomState state, Seen message, RoomCodec codec) {
        try {
            FactEnvelope told = FactEnvelope.parseFrom(message.envelope());
            long atMs = told.getOccurredAtMs();
            Fact right = switch (message.index()) {
                case RoomCodec.HEAT_INDEX -> codec.encodeHeat(state, atMs);
                case RoomCodec.RANK_INDEX ->
                    codec.encodeRank(state, told.getRoomRankChanged().getTopCount(), atMs);
                default -> codec.encodeFuel(state, atMs);
            };
            return Arrays.equals(right.envelope(), message.envelope());
        } catch (InvalidProtocolBufferException damaged) {
            return false;
        }
    }

    private static Map<Place, byte[]> envelopes(RoomKey room, Iterable<LogRow> log, RoomCodec codec) {
        Map<Place, byte[]> envelopes = new HashMap<>();
        for (LogRow row : log) {
            List<Fact> facts = codec.encodeFacts(
                    room,
                    new Stamp(row.version(), row.atMs()),
                    row.commandId(),
                    row.actorUserId(),
                    codec.decodeEvents(row.events()));
            facts.forEach(fact -> envelopes.put(new Place(row.version(), fact.index()), fact.envelope()));
        }
        return envelopes;
    }
}
