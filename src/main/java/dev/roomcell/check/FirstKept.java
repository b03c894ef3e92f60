package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.SnapshotStore.Snapshot;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where what is kept of a room begins (LOG-1): the log at its first version, the replay at the oldest snapshot behind which
 * the log is whole. Between the two the rows are there and can't be lived again.
 *
 * @param version the first version that the log must have; 1 if nothing was purged
 * @param base the state to begin with, of that version's predecessor or a later one
 */
record FirstKept(long version, RoomState base) {
    /** A purge leaves so many snapshots of what it has deleted. */
    private static final int SNAPSHOTS = 2;

    /**
     * Where it begins.
     *
     * @param first the first row that is there
     */
    static FirstKept of(RoomHistory history, @Nullable LogRow first, RoomCodec codec, Purged purged) {
        FirstKept whole = new FirstKept(1, RoomState.creating(history.key()));
        if (first == null || first.version() <= 1) {
            return whole;
        }
        List<Snapshot> covering = history.snapshots().stream()
                .filter(snapshot -> snapshot.version() >= first.version() - 1)
                .toList();
        Optional<RoomState> base = covering.stream()
                .flatMap(snapshot -> read(history, snapshot, codec).stream())
                .findFirst();
        // A purge leaves two; of one that went bad since, SnapshotMatch tells. The room is at least as old as what is
        // gone.
        return base.filter(state -> covering.size() >= SNAPSHOTS && state.createdAtMs() < purged.logBeforeMs())
                .map(state -> new FirstKept(first.version(), state))
                .orElse(whole);
    }

    private static Optional<RoomState> read(RoomHistory history, Snapshot snapshot, RoomCodec codec) {
        try {
            // Who took it may have heard what the next owner never did, and decided without.
            return Optional.of(
                    codec.decodeState(history.key(), snapshot.withoutHint()).checked());
        } catch (RoomCodec.UnreadableException | IllegalStateException wrong) {
            // SnapshotMatch tells.
            return Optional.empty();
        }
    }
}
