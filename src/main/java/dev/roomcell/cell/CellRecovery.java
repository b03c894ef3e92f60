package dev.roomcell.cell;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.CellMeter;
import dev.roomcell.port.CommandStore.LoggedCommand;
import dev.roomcell.port.CommandStore.StoredEvents;
import dev.roomcell.port.CommandStore.StoredRoom;
import dev.roomcell.port.LeaseDirectory.Acquisition;
import dev.roomcell.port.NodeDirectory.Announced;
import dev.roomcell.port.Peer;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.StoreException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a room back from MySQL: takes the lease, mints an epoch <em>before anything is read</em>, copies it to Redis
 * and only then reads (LEASE-11). It also finds out what became of a commit whose answer was lost (LEASE-12).
 */
final class CellRecovery {
    private static final Logger log = LoggerFactory.getLogger(CellRecovery.class);
    /** The pauses between tries to settle a lost commit: doubled from the first to the longest, ms. */
    private static final long FIRST_PAUSE_MS = 50;

    private static final long LONGEST_PAUSE_MS = 1_000;
    /** So many tries: longer than any caller waits. Then the cell is dropped; the next load mints all the same. */
    private static final int SETTLE_TRIES = 25;

    private final CellLoop loop;
    private final CellPorts ports;
    private final CellSettings settings;

    CellRecovery(CellLoop loop, CellPorts ports, CellSettings settings) {
        this.loop = loop;
        this.ports = ports;
        this.settings = settings;
    }

    /** What a load came to. */
    sealed interface Loaded {
        /**
         * The room is ours.
         *
         * @param lease the lease, with the epoch minted for this load
         * @param replayed the room as stored
         */
        record Owned(LeaseHold lease, Replayed replayed) implements Loaded {}

        /** It is not, or not now. */
        record NotNow(Answer.Refused refused) implements Loaded {}
    }

    /**
     * A room rebuilt from what is stored.
     *
     * @param state the state
     * @param window its newest command ids
     * @param lastAtMs the newest stamp, epoch ms
     * @param logBytes bytes of log since the snapshot
     * @param logRows rows of log since the snapshot
     * @param snapshotBytes what the snapshot weighs; 0 without one
     * @param snapshotAtMs when it was taken; 0 without one
     */
    record Replayed(
            RoomState state,
            DedupeWindow window,
            long lastAtMs,
            long logBytes,
            int logRows,
            int snapshotBytes,
            long snapshotAtMs) {}

    /** Takes the lease of a room that has a row, and loads it; {@code lastOwner} is the node id in the row, or empty. */
    Future<Loaded> load(RoomKey key, String lastOwner) {
        String token = ports.tokens().newToken();
        return loop.reenter(ports.leases().acquire(key, token))
                .compose(acquired -> acquired instanceof Acquisition.OwnedBy owner
                        ? notOwner(owner.nodeId())
                        : mintAndLoad(key, token))
                .otherwise(failure -> notNow(key, failure))
                .onSuccess(loaded -> ports.cellMeter().loaded(result(loaded, lastOwner)));
    }

    private CellMeter.Load result(Loaded loaded, String lastOwner) {
        if (loaded instanceof Loaded.NotNow notNow) {
            return notNow.refused().refusal() == Answer.Refusal.NOT_OWNER
                    ? CellMeter.Load.OWNED_ELSEWHERE
                    : CellMeter.Load.FAILED;
        }
        return lastOwner.isEmpty() || lastOwner.equals(ports.nodeId())
                ? CellMeter.Load.LOADED
                : CellMeter.Load.TAKEN_OVER;
    }

    private Loaded notNow(RoomKey key, Throwable failure) {
        if (failure instanceof RoomCodec.UnreadableException unreadable) {
            log.error("room {} cannot be read: {}", key, unreadable.getMessage());
            return refused(Answer.Refusal.LOADING, "the room cannot be read by this node");
        }
        log.warn("room {} not loaded: {}", key, failure.toString());
        return refused(Answer.Refusal.STORE_UNAVAILABLE, "the room could not be loaded; try again");
    }

    private Future<Loaded> notOwner(String nodeId) {
        return loop.reenter(ports.nodes().find(List.of(nodeId))).map(found -> {
            Optional<Peer> owner = found.stream().map(Announced::peer).findFirst();
            return new Loaded.NotNow(new Answer.Refused(Answer.Refusal.NOT_OWNER, "another node owns the room", owner));
        });
    }

    private static Loaded refused(Answer.Refusal refusal, String message) {
        return new Loaded.NotNow(Answer.Refused.of(refusal, message));
    }

    private Future<Loaded> mintAndLoad(RoomKey key, String token) {
        return loop.reenter(ports.commands().mint(key, ports.nodeId(), token, OptionalLong.empty()))
                .compose(minted -> minted.isEmpty()
                        ? Future.succeededFuture(refused(Answer.Refusal.FENCED, "the room's row is gone"))
                        : confirmAndRead(key, minted.getAsLong()));
    }

    private Future<Loaded> confirmAndRead(RoomKey key, long epoch) {
        String token = ports.tokens().newToken();
        long sentAtMs = ports.clock().monotonicMs();
        return loop.reenter(ports.leases().recordEpoch(key, token, epoch)).compose(ours -> {
            if (!ours) {
                return Future.succeededFuture(refused(Answer.Refusal.LEASE_LOST, "the lease was lost while loading"));
            }
            LeaseHold lease = new LeaseHold(key, settings.leaseTtlMs(), epoch, token, sentAtMs);
            return read(key, lease).onComplete(read -> {
                if (read.failed() || read.result() instanceof Loaded.NotNow) {
                    giveUp(lease);
                }
            });
        });
    }

    private Future<Loaded> read(RoomKey key, LeaseHold lease) {
        return stored(key).map(room -> {
            if (room.stored.row().epoch() != lease.epoch()) {
                return refused(Answer.Refusal.FENCED, "another node loaded the room meanwhile");
            }
            long rowVersion = room.stored.row().version();
            if (room.replayed.state().version() != rowVersion) {
                log.error(
                        "room {}: its row says version {}, its log and snapshot give {}",
                        key,
                        rowVersion,
                        room.replayed.state().version());
                return refused(Answer.Refusal.LOADING, "the room's stored parts contradict each other");
            }
            return new Loaded.Owned(lease, room.replayed);
        });
    }

    private record StoredAndReplayed(StoredRoom stored, Replayed replayed) {}

    private Future<StoredAndReplayed> stored(RoomKey key) {
        long idsSinceMs = ports.clock().nowMs() - CellSettings.DEDUPE_MS;
        return loop.reenter(ports.commands().load(key, idsSinceMs, CellSettings.DEDUPE_IDS))
                .compose(stored -> loop.offload(() -> new StoredAndReplayed(stored, replay(key, stored))));
    }

    /** A closed room as it was left, read without lease or cell; nothing can change it any more. */
    Future<RoomState> readClosed(RoomKey key) {
        return stored(key)
                .compose(room -> room.replayed.state().version()
                                == room.stored.row().version()
                        ? Future.succeededFuture(room.replayed.state())
                        : Future.failedFuture(new StoreException("the log and the snapshot of " + key + " end early")));
    }

    private Replayed replay(RoomKey key, StoredRoom stored) {
        RoomCodec codec = ports.codec();
        RoomState state = stored.snapshot()
                .map(snapshot -> codec.decodeState(key, snapshot))
                .orElseGet(() -> RoomState.creating(key));
        long lastAtMs = stored.snapshot().map(snapshot -> snapshot.atMs()).orElse(0L);
        long logBytes = 0;
        for (StoredEvents events : stored.tail()) {
            if (events.version() != state.version() + 1) {
                // Purged since the snapshot was read, or the snapshot behind which the log begins can't be relied on
                // (LOG-1).
                break;
            }
            Stamp stamp = new Stamp(events.version(), events.atMs());
            state = RoomDecider.evolve(state, codec.decodeEvents(events.events()), stamp);
            lastAtMs = Math.max(lastAtMs, events.atMs());
            logBytes += events.storedBytes();
        }
        if (stored.row().status() == Lifecycle.Status.CLOSING && state.status() == Lifecycle.Status.ACTIVE) {
            state = state.closingBegun();
        }
        DedupeWindow window = new DedupeWindow();
        stored.recentIds().forEach(id -> window.add(id.commandId(), id.atMs()));
        return new Replayed(
                state.checked(),
                window,
                lastAtMs,
                logBytes,
                stored.tail().size(),
                stored.snapshot().map(snapshot -> snapshot.bytes()).orElse(0),
                stored.snapshot().map(snapshot -> snapshot.atMs()).orElse(0L));
    }

    /**
     * Takes a lease again that Redis no longer knows: through a mint, which succeeds only while the epoch is still the
     * cell's own, and then nobody else has written to the room (LEASE-16).
     *
     * @return why the cell must go; empty when it may stay
     */
    Future<Optional<Answer.Refused>> retake(LeaseHold lease) {
        RoomKey key = lease.key();
        String token = ports.tokens().newToken();
        return take(lease, key, token)
                .onComplete(taken -> ports.cellMeter()
                        .retaken(taken.succeeded() && taken.result().isEmpty()));
    }

    private Future<Optional<Answer.Refused>> take(LeaseHold lease, RoomKey key, String token) {
        return loop.reenter(ports.leases().acquire(key, token)).compose(acquired -> {
            if (acquired instanceof Acquisition.OwnedBy) {
                return lost("another node took the lease");
            }
            return loop.reenter(ports.commands().mint(key, ports.nodeId(), token, OptionalLong.of(lease.epoch())))
                    .compose(minted -> minted.isEmpty()
                            ? lost("another node loaded the room")
                            : adoptEpoch(lease, minted.getAsLong()));
        });
    }

    private static Future<Optional<Answer.Refused>> lost(String message) {
        return Future.succeededFuture(Optional.of(Answer.Refused.of(Answer.Refusal.LEASE_LOST, message)));
    }

    private Future<Optional<Answer.Refused>> adoptEpoch(LeaseHold lease, long epoch) {
        String token = ports.tokens().newToken();
        long sentAtMs = ports.clock().monotonicMs();
        return loop.reenter(ports.leases().recordEpoch(lease.key(), token, epoch))
                .compose(ours -> {
                    if (!ours) {
                        return lost("the lease was lost while it was taken again");
                    }
                    lease.retaken(epoch, token, sentAtMs);
                    return Future.succeededFuture(Optional.empty());
                });
    }

    /**
     * What became of a commit whose answer was lost.
     *
     * @param committed whether the log holds just what the batch would have written, under the cell's own epoch
     * @param found those of its command ids that the log holds, whoever wrote them
     * @param mustGo why the cell must go; empty when it may stay, under a new epoch
     */
    record Settled(boolean committed, Map<String, LoggedCommand> found, Optional<Answer.Refused> mustGo) {}

    /**
     * Settles a lost commit: mints, which waits for the lost transaction or fences it, and then reads the log. A plain
     * read would lie, as the transaction may still be open (LEASE-12). A mint refused because the epoch is no longer
     * the cell's tells too that the transaction is over, but no longer whose the rows are that are found: the same
     * command may have been sent to the new owner and committed there, at another version.
     */
    Future<Settled> settle(LeaseHold lease, List<RoomBatch.LogRow> rows) {
        return settle(lease, rows, 1).onComplete(settled -> ports.cellMeter().settled(result(settled)));
    }

    private static CellMeter.Settled result(AsyncResult<Settled> settled) {
        if (settled.failed()) {
            return CellMeter.Settled.GIVEN_UP;
        }
        return settled.result().committed() ? CellMeter.Settled.COMMITTED : CellMeter.Settled.NOT_COMMITTED;
    }

    private Future<Settled> settle(LeaseHold lease, List<RoomBatch.LogRow> rows, int attempt) {
        RoomKey key = lease.key();
        String token = ports.tokens().newToken();
        List<String> ids = rows.stream().map(RoomBatch.LogRow::commandId).toList();
        return loop.reenter(ports.commands().mint(key, ports.nodeId(), token, OptionalLong.of(lease.epoch())))
                .compose(minted -> loop.reenter(ports.commands().findCommands(key, ids))
                        .compose(found -> stay(lease, minted)
                                .map(mustGo ->
                                        new Settled(minted.isPresent() && holdsAll(found, rows), found, mustGo))))
                .recover(failure -> {
                    if (attempt >= SETTLE_TRIES) {
                        return Future.failedFuture(failure);
                    }
                    log.warn("room {}: outcome of a commit still unknown: {}", key, failure.toString());
                    Promise<Void> pause = Promise.promise();
                    loop.schedule(pauseMs(attempt), pause::complete);
                    return pause.future().compose(over -> settle(lease, rows, attempt + 1));
                });
    }

    private static boolean holdsAll(Map<String, LoggedCommand> found, List<RoomBatch.LogRow> rows) {
        return rows.stream().allMatch(row -> {
            LoggedCommand logged = found.get(row.commandId());
            return logged != null && logged.version() == row.version() && Arrays.equals(logged.result(), row.result());
        });
    }

    private Future<Optional<Answer.Refused>> stay(LeaseHold lease, OptionalLong minted) {
        if (minted.isEmpty()) {
            return lost("another incarnation loaded the room");
        }
        return adoptEpoch(lease, minted.getAsLong())
                .otherwise(failure -> Optional.of(
                        Answer.Refused.of(Answer.Refusal.STORE_UNAVAILABLE, "the lease could not be confirmed")));
    }

    private static long pauseMs(int attempt) {
        return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(attempt - 1, 10));
    }

    /** Gives the lease up, so that the next owner need not wait for it to expire. */
    Future<Void> release(LeaseHold lease) {
        return loop.reenter(ports.leases().release(lease.key(), lease.epoch()));
    }

    private void giveUp(LeaseHold lease) {
        release(lease)
                .onFailure(failure -> log.warn("room {}: lease not released: {}", lease.key(), failure.toString()));
    }
}
