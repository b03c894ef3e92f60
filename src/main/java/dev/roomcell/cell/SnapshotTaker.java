package dev.roomcell.cell;

import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.SnapshotStore.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a room's snapshots when the log has grown enough (LOG-4): of adopted state, encoded off the loop. */
final class SnapshotTaker {
    private static final Logger log = LoggerFactory.getLogger(SnapshotTaker.class);

    private final CellLoop loop;
    private final CellPorts ports;
    private final CellSettings.SnapshotPolicy policy;
    private long logBytes;
    private int logRows;
    private int lastBytes;
    private long lastAtMs;
    private long notBeforeMs;
    private boolean inFlight;

    SnapshotTaker(CellLoop loop, CellPorts ports, CellSettings.SnapshotPolicy policy, CellRecovery.Replayed replayed) {
        this.loop = loop;
        this.ports = ports;
        this.policy = policy;
        this.logBytes = replayed.logBytes();
        this.logRows = replayed.logRows();
        this.lastBytes = replayed.snapshotBytes();
        this.lastAtMs = replayed.snapshotAtMs();
    }

    void appended(List<RoomBatch.LogRow> rows) {
        logRows += rows.size();
        for (RoomBatch.LogRow row : rows) {
            logBytes += row.storedBytes();
        }
    }

    /**
     * Takes a snapshot if the policy says so.
     *
     * @param stampedAtMs the newest stamp of {@code adopted}; a snapshot is never older, or the stamps of whoever loads
     *     it would go back behind the log's (TIME-1)
     */
    void takeIfDue(RoomState adopted, long stampedAtMs) {
        long nowMs = Math.max(ports.clock().nowMs(), stampedAtMs);
        if (!inFlight && nowMs >= notBeforeMs && policy.due(logBytes, logRows, nowMs - lastAtMs, lastBytes)) {
            take(adopted, nowMs);
        }
    }

    /**
     * The snapshot at passivation or hand-over; completes in any case, as a snapshot is never needed.
     *
     * @param stampedAtMs see {@link #takeIfDue}
     */
    Future<Void> takeLast(RoomState adopted, long stampedAtMs) {
        return logRows == 0
                ? Future.succeededFuture()
                : take(adopted, Math.max(ports.clock().nowMs(), stampedAtMs));
    }

    private Future<Void> take(RoomState adopted, long nowMs) {
        inFlight = true;
        long bytesTaken = logBytes;
        int rowsTaken = logRows;
        return loop.offload(() -> ports.codec().encodeState(adopted, nowMs))
                .compose(snapshot -> loop.reenter(ports.snapshots().save(adopted.key(), snapshot))
                        .map(snapshot))
                .onSuccess(snapshot -> taken(snapshot, bytesTaken, rowsTaken))
                .onFailure(failure -> log.warn("room {}: no snapshot: {}", adopted.key(), failure.toString()))
                .transform(done -> {
                    inFlight = false;
                    // A failed one is due again after the policy's age, however long the log has grown.
                    notBeforeMs = done.failed() ? nowMs + policy.minAgeMs() : 0;
                    lastAtMs = nowMs;
                    return Future.succeededFuture();
                });
    }

    private void taken(Snapshot snapshot, long bytesTaken, int rowsTaken) {
        logBytes -= bytesTaken;
        logRows -= rowsTaken;
        lastBytes = snapshot.bytes();
    }
}
