package dev.roomcell.cell;

import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.sim.SteppedLoop;
import dev.roomcell.sim.SteppedTime;
import java.util.List;
import java.util.Optional;

/** The real codec; whole rooms that it has to encode or decode on the loop are reported (LOG-4). */
final class WatchedCodec implements RoomCodec {
    private final RoomCodec codec;
    private final SteppedTime time;
    private final SteppedLoop loop;

    WatchedCodec(RoomCodec codec, SteppedTime time, SteppedLoop loop) {
        this.codec = codec;
        this.time = time;
        this.loop = loop;
    }

    private void reportOnLoop(String what) {
        if (loop.isCurrent()) {
            time.report(new AssertionError(what + " on the loop"));
        }
    }

    @Override
    public RtcReports.Outcome decodeRtcOutcome(byte[] result) {
        return codec.decodeRtcOutcome(result);
    }

    @Override
    public RoomBatch.Fact encodeHeat(RoomState state, long atMs) {
        return codec.encodeHeat(state, atMs);
    }

    @Override
    public RoomBatch.Fact encodeRank(RoomState state, int ranks, long atMs) {
        return codec.encodeRank(state, ranks, atMs);
    }

    @Override
    public RoomBatch.Fact encodeFuel(RoomState state, long atMs) {
        return codec.encodeFuel(state, atMs);
    }

    @Override
    public String giftKey(RoomBatch.Fact fact) {
        return codec.giftKey(fact);
    }

    @Override
    public Optional<RoomBatch.Fact> joinGifts(RoomBatch.Fact earlier, RoomBatch.Fact later) {
        return codec.joinGifts(earlier, later);
    }

    @Override
    public Snapshot encodeState(RoomState state, long atMs) {
        reportOnLoop("a room was encoded");
        return codec.encodeState(state, atMs);
    }

    @Override
    public RoomState decodeState(RoomKey key, Snapshot snapshot) {
        reportOnLoop("a room was decoded");
        return codec.decodeState(key, snapshot);
    }

    @Override
    public List<RoomEvent> decodeEvents(byte[] events) {
        reportOnLoop("a log was decoded");
        return codec.decodeEvents(events);
    }

    @Override
    public EncodedCommand encodeCommand(RoomKey key, RoomCommand command) {
        return codec.encodeCommand(key, command);
    }

    @Override
    public RoomCommand decodeCommand(byte[] command) {
        return codec.decodeCommand(command);
    }

    @Override
    public byte[] encodeEvents(List<RoomEvent> events) {
        return codec.encodeEvents(events);
    }

    @Override
    public byte[] encodeResult(RoomKey key, CommandResult result) {
        return codec.encodeResult(key, result);
    }

    @Override
    public RoomBatch.Fact encodeFact(
            RoomKey key, Stamp stamp, int index, String commandId, String actorUserId, RoomEvent event) {
        return codec.encodeFact(key, stamp, index, commandId, actorUserId, event);
    }
}
