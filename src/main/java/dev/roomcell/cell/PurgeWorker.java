package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.PurgeMeter;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.PurgeStore.Page;
import dev.roomcell.port.PurgeStore.Proof;
import dev.roomcell.port.PurgeStore.Table;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.SnapshotStore.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what is old enough: log rows that two snapshots cover (LOG-1), snapshots that nothing needs any more, and intents
 * of gifts that are over (LOG-3). It goes through all rooms, a page at a time, and begins anew after a pause.
 *
 * <p>A room without its log is lost with its snapshots. So both are read first, as a load would read them, and if one can't
 * be the room keeps what it has, and is counted.
 *
 * <p>Every node has one, and the first in the list of members works. The list may be wrong: two that work at once do what
 * one would have done. Confined to its loop.
 */
public final class PurgeWorker {
    private static final Logger log = LoggerFactory.getLogger(PurgeWorker.class);

    private final String nodeId;
    private final CellLoop loop;
    private final PurgeStore store;
    private final RoomCodec codec;
    private final ClusterView cluster;
    private final IntUnaryOperator below;
    private final PurgeSettings settings;
    private final PurgeMeter meter;
    private CellLoop.Cancellable next = () -> {};
    private Future<Void> look = Future.succeededFuture();
    /** Where the pass under way is; empty before its first look. */
    private Optional<RoomKey> after = Optional.empty();

    private int stuck;
    private boolean stopped;

    /**
     * One that has not begun.
     *
     * @param below of n: a random number from 0 to n - 1, for the jitter of pauses
     */
    public PurgeWorker(
            String nodeId,
            CellLoop loop,
            PurgeStore store,
            RoomCodec codec,
            ClusterView cluster,
            IntUnaryOperator below,
            PurgeSettings settings,
            PurgeMeter meter) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.store = store;
        this.codec = codec;
        this.cluster = cluster;
        this.below = below;
        this.settings = settings;
        this.meter = meter;
    }

    /** Begins; on its loop. */
    public void start() {
        lookAfter(settings.passEveryMs());
    }

    /** Ends after the batch under way; never fails. */
    public Future<Void> stop() {
        stopped = true;
        next.cancel();
        return look;
    }

    private void lookAfter(long aboutMs) {
        if (!stopped) {
            next = loop.schedule(jittered(aboutMs), this::begin);
        }
    }

    /** Between half and all of it, so that nodes don't come in step. */
    private long jittered(long ms) {
        return Math.max(1, ms - below.applyAsInt((int) Math.min(Integer.MAX_VALUE, ms / 2 + 1)));
    }

    private void begin() {
        look = Future.<Void>succeededFuture().compose(begun -> look()).transform(over -> {
            if (over.failed()) {
                log.warn("old rows not purged: {}", over.cause().toString());
            }
            lookAfter(over.succeeded() && over.result() ? settings.pageEveryMs() : settings.passEveryMs());
            return Future.succeededFuture();
        });
    }

    private boolean isFirst() {
        return cluster.members().stream().noneMatch(other -> other.compareTo(nodeId) < 0);
    }

    /** A page of rooms, and with the last one the gifts; tells whether there is more to come in this pass. */
    private Future<Boolean> look() {
        if (!isFirst()) {
            // Whoever works now begins with the first room, and so will this one.
            after = Optional.empty();
            stuck = 0;
            meter.stuck(0);
            return Future.succeededFuture(false);
        }
        return loop.reenter(store.overdue(after, settings.roomsAPage(), settings.logKeptMs()))
                .compose(page -> purge(page.overdue().iterator()).compose(purged -> goOn(page)));
    }

    private Future<Boolean> goOn(Page page) {
        if (stopped) {
            return Future.succeededFuture(false);
        }
        after = page.last();
        if (after.isPresent()) {
            return Future.succeededFuture(true);
        }
        if (stuck > 0) {
            log.warn("{} rooms keep their whole log, as a snapshot of theirs can't be read", stuck);
        }
        meter.stuck(stuck);
        stuck = 0;
        return inBatches(Table.GIFT_INTENTS, () -> store.purgeGifts(settings.giftsKeptMs(), settings.rowsABatch()))
                .map(false);
    }

    /** One room after the other. */
    private Future<Void> purge(Iterator<RoomKey> rooms) {
        return stopped || !rooms.hasNext()
                ? Future.succeededFuture()
                : purge(rooms.next()).compose(purged -> purge(rooms));
    }

    private Future<Void> purge(RoomKey key) {
        // If it fails, the next look is behind it: no room stands in the way of others.
        after = Optional.of(key);
        return proof(key).compose(proof -> {
            if (proof.isEmpty()) {
                stuck++;
                return Future.succeededFuture();
            }
            Proof covered = proof.get();
            return inBatches(
                            Table.ROOM_COMMAND_LOG,
                            () -> store.purgeLog(key, covered, settings.logKeptMs(), settings.rowsABatch()))
                    .compose(purged -> loop.reenter(store.purgeSnapshots(key, covered)))
                    .onSuccess(rows -> count(Table.ROOM_SNAPSHOTS, rows))
                    .mapEmpty();
        });
    }

    /** What this node can read, if that is enough. */
    private Future<Optional<Proof>> proof(RoomKey key) {
        return loop.reenter(store.snapshots(key))
                .compose(newestFirst -> loop.offload(() -> newestFirst.stream()
                        .filter(snapshot -> isRight(key, snapshot))
                        .map(Snapshot::version)
                        .toList()))
                .map(right -> right.size() < 2 ? Optional.empty() : Optional.of(new Proof(right)));
    }

    private boolean isRight(RoomKey key, Snapshot snapshot) {
        try {
            codec.decodeState(key, snapshot).checked();
            return true;
        } catch (RoomCodec.UnreadableException | IllegalStateException wrong) {
            log.warn(
                    "the snapshot of {} at version {} can't be relied on: {}",
                    key,
                    snapshot.version(),
                    wrong.getMessage());
            return false;
        }
    }

    /** As long as a batch is full, there may be more. */
    private Future<Void> inBatches(Table table, Supplier<Future<Integer>> batch) {
        Promise<Void> over = Promise.promise();
        oneBatch(table, batch, over);
        return over.future();
    }

    private void oneBatch(Table table, Supplier<Future<Integer>> batch, Promise<Void> over) {
        loop.reenter(Future.<Void>succeededFuture().compose(begun -> batch.get()))
                .onComplete(done -> {
                    if (done.failed()) {
                        over.fail(done.cause());
                        return;
                    }
                    count(table, done.result());
                    if (stopped || done.result() < settings.rowsABatch()) {
                        over.complete();
                    } else {
                        loop.schedule(jittered(settings.pageEveryMs()), () -> unlessStopped(table, batch, over));
                    }
                });
    }

    private void unlessStopped(Table table, Supplier<Future<Integer>> batch, Promise<Void> over) {
        if (stopped) {
            over.complete();
        } else {
            oneBatch(table, batch, over);
        }
    }

    private void count(Table table, int rows) {
        if (rows > 0) {
            meter.purged(table, rows);
        }
    }
}
