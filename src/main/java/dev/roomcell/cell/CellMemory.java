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
    /** A batch is decided, and neither adopted nor given up. */
    private boolean batchOut;
    /** There while a batch is out that ends the room; completes when that is over. */
    private @Nullable Promise<Void> endOut;
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
        return endOut == null ? Future.succeededFuture() : endOut.future();
    }

    /** Decides a batch against a working copy, stamped with the owner's clock, which never goes back (TIME-1). */
    DecidedBatch decide(List<PendingCommand> batch) {
        batchOut = true;
        DecidedBatch decided = DecidedBatch.decide(
                batch, state, window, codec, settings, sideTasks, Math.max(clock.nowMs(), lastAtMs));
        if (decided.after().status() == Lifecycle.Status.CLOSED && endOut == null) {
            endOut = Promise.promise();
        }
        return decided;
    }

    /** A sign of life of a user; memory only (PRES-7). */
    void seen(String userId) {
        seen(userId, clock.nowMs());
    }

    private void seen(String userId, long atMs) {
        state = Presence.seen(state, userId, atMs);
        if (batchOut) {
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
        batchOut = false;
        sightings.clear();
        Promise<Void> end = endOut;
        if (end != null) {
            endOut = null;
            end.complete();
        }
    }
}
