package dev.roomcell.port;

import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.domain.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stored form of what the core handles. Encodings are deterministic: equal input, equal bytes.
 *
 * <p>Decoding fails with {@link UnreadableException} on damage or on a schema version newer than this node's: the room
 * is then refused, retryably, and left alone.
 */
public interface RoomCodec {
    /** Far behind every event of a version. */
    int HEAT_INDEX = 1_000;

    /** The same for the rank. */
    int RANK_INDEX = 1_001;

    /** The same for the rocket. */
    int FUEL_INDEX = 1_002;

    /** The command for the log, and its payload hash. */
    EncodedCommand encodeCommand(RoomKey key, RoomCommand command);

    /** The command of a log row. */
    RoomCommand decodeCommand(byte[] command);

    /** The events of one version. */
    byte[] encodeEvents(List<RoomEvent> events);

    /** The inverse of {@link #encodeEvents}. */
    List<RoomEvent> decodeEvents(byte[] events);

    /** The answer, exactly as the caller will get it, now and on every replay (CMD-6). */
    byte[] encodeResult(RoomKey key, CommandResult result);

    /** What became of RTC's report, by the answer to it. */
    RtcReports.Outcome decodeRtcOutcome(byte[] result);

    /** The outbox envelope of one event. */
    RoomBatch.Fact encodeFact(
            RoomKey key, Stamp stamp, int index, String commandId, String actorUserId, RoomEvent event);

    /** The outbox envelopes of one version's events, in order. */
    default List<RoomBatch.Fact> encodeFacts(
            RoomKey key, Stamp stamp, String commandId, String actorUserId, List<RoomEvent> events) {
        List<RoomBatch.Fact> facts = new ArrayList<>(events.size());
        for (RoomEvent event : events) {
            facts.add(encodeFact(key, stamp, facts.size(), commandId, actorUserId, event));
        }
        return facts;
    }

    /**
     * How much was given in the room, for its clients alone (LANE-1). It is no event of the version that it names: its
     * index is {@link #HEAT_INDEX}.
     */
    RoomBatch.Fact encodeHeat(RoomState state, long atMs);

    /** Who gave most, the first {@code ranks} of them, for the room's clients alone (LANE-1); index {@link #RANK_INDEX}. */
    RoomBatch.Fact encodeRank(RoomState state, int ranks, long atMs);

    /**
     * How much fuel the rocket has, for the room's clients alone (LANE-1); index {@link #FUEL_INDEX}. Without a rocket it
     * says that there is none.
     */
    RoomBatch.Fact encodeFuel(RoomState state, long atMs);

    /**
     * What two gifts must have in common to be told to the room's clients as one: sender, gift, price and receivers. Empty
     * for what is no gift.
     */
    String giftKey(RoomBatch.Fact fact);

    /**
     * The later of two gifts of the same key, with the pieces and coins of both; empty if these are too many for one gift.
     * For the room's clients alone.
     */
    Optional<RoomBatch.Fact> joinGifts(RoomBatch.Fact earlier, RoomBatch.Fact later);

    /** A snapshot of {@code state}, taken at {@code atMs}. */
    SnapshotStore.Snapshot encodeState(RoomState state, long atMs);

    /** The inverse of {@link #encodeState}; checks the checksum. */
    RoomState decodeState(RoomKey key, SnapshotStore.Snapshot snapshot);

    /**
     * A command in its stored form.
     *
     * @param bytes for the log
     * @param payloadHash 16 bytes over kind, app, room, actor and business fields (CMD-1)
     */
    record EncodedCommand(byte[] bytes, byte[] payloadHash) {}

    /** The bytes are damaged, or newer than this node understands. */
    final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** What could not be read, and why. */
        public UnreadableException(String message) {
            super(message);
        }
    }
}
