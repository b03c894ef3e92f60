package dev.roomcell.cell;

import dev.roomcell.cell.CellRecovery.Replayed;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a cell remembers of its room: the adopted state, the newest command ids, and the newest stamp. */
final class CellMemory {
    private final RoomClock clock;
    private final RoomCodec codec;
    private final CellSettings settings;
    private final SideTaskPorts sideTasks;
    private final DedupeWindow window;
    private RoomState state;
    private long lastAtMs;
    private long heardSinceMs;
    /** There while a batch is decided, and neither adopted nor given up; completes when that is over. */
    private @Nullable Promise<Void> batchOut;
    /** Whether that batch ends the room. */
    private boolean endOut;
    /** The last sign of life of each user that came while a batch was out: the state it brings does not know them. */
    private final Map<String, Long> sightings = new LinkedHashMap<>(0);

    CellMemory(Replayed replayed, CellPorts ports, CellSettings settings) {
        this.clock = ports.clock();
        this.codec = ports.codec();
        this.sideTasks = ports.sideTasks();
        this.settings = settings;
        this.window = replayed.window();
        this.state = replayed.state();
        this.lastAtMs = replayed.lastAtMs();
        this.heardSinceMs = clock.monotonicMs();
    }

    RoomState state() {
        return state;
    }

    /**
     * Completes when it is known whether the room has ended; at once when no end is out. Until then others may see it
     * closed already, in MySQL, and must not see it open here after that (CMD-7).
     */
    Future<Void> endKnown() {
        return endOut ? batchKnown() : Future.succeededFuture();
    }

    /**
     * Completes when it is known what became of the batch that is out; at once when none is. By then whatever others found
     * in MySQL before they asked is in the state, or the cell is gone.
     */
    Future<Void> batchKnown() {
        return batchOut == null ? Future.succeededFuture() : batchOut.future();
    }

    /** Decides a batch against a working copy, stamped with the owner's clock, which never goes back (TIME-1). */
    DecidedBatch decide(List<PendingCommand> batch) {
        if (batchOut == null) {
            batchOut = Promise.promise();
        }
        DecidedBatch decided = DecidedBatch.decide(
                batch, state, window, codec, settings, sideTasks, Math.max(clock.nowMs(), lastAtMs));
        endOut |= decided.after().status() == Lifecycle.Status.CLOSED;
        return decided;
    }

    /** A sign of life of a user; memory only (PRES-7). */
    void seen(String userId) {
        seen(userId, clock.nowMs());
    }

    private void seen(String userId, long atMs) {
        state = Presence.seen(state, userId, atMs);
        if (batchOut != null) {
            sightings.merge(userId, atMs, Math::max);
        }
    }

    /** Since when signs of life are heard without a break, monotonic, ms (PRES-7). */
    long heardSinceMs() {
        return heardSinceMs;
    }

    /** Nobody is shown the room now; whoever asked may have meant to say that they are there (PRES-7). */
    Optional<RoomState> turnedAway() {
        heardSinceMs = clock.monotonicMs();
        return Optional.empty();
    }

    /** The newest stamp, epoch ms. */
    long lastAtMs() {
        return lastAtMs;
    }

    /** The batch is durable: from now on it is what the room is. */
    void adopt(DecidedBatch decided) {
        state = decided.after();
        lastAtMs = decided.atMs();
        sightings.forEach((userId, atMs) -> state = Presence.seen(state, userId, atMs));
        decided.accepted().forEach(command -> window.add(command.commandId(), decided.atMs()));
    }

    /** No batch is out any more; from now on a sign of life is in the state and nowhere else. */
    void batchOver() {
        Promise<Void> over = batchOut;
        batchOut = null;
        endOut = false;
        sightings.clear();
        if (over != null) {
            over.complete();
        }
    }
}
