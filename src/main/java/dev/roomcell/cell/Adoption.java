package dev.roomcell.cell;

import dev.roomcell.cell.AdoptionRound.Outcome;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.AdoptionMeter;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads live rooms that no node has, without waiting for a client (LEASE-14): those of nodes that are gone or shutting down,
 * and this node's own that it has lost. It asks for a room as a client does, so Redis and MySQL decide; what is known of the
 * members only says when to try. Rooms of a node that lives are that node's own to load again.
 */
public final class Adoption {
    private static final Logger log = LoggerFactory.getLogger(Adoption.class);
    /** So many looks in a lease's time to live. */
    private static final int LOOKS_PER_TTL = 8;
    /** But not longer between two looks than this, ms. */
    private static final long LONGEST_LOOK_PAUSE_MS = 500;
    /** The most owners of one look; the rest follows when these have no live rooms any more. */
    private static final int OWNERS_A_LOOK = 1_000;

    private final CellLoop loop;
    private final LiveRoomStore rooms;
    private final RoomClock clock;
    private final ClusterView cluster;
    private final String nodeId;
    private final AdoptionPorts ports;
    private final AdoptionPauses pauses;
    private final Map<String, WatchedOwner> owners = new TreeMap<>();
    private final Set<RoomKey> loading = new HashSet<>();
    private CellLoop.Cancellable nextLook;
    private int failedLooks;
    private boolean paused;
    private boolean stopped;

    /**
     * A worker that looks for the first time after one pause.
     *
     * @param loop the calling thread's
     * @param rooms belongs to {@code loop}
     * @param router of the node's rooms
     * @param nodeId the node's id, with its boot nonce: an earlier run is another node
     * @param ttlMs how long a lease lives, ms
     */
    public Adoption(
            CellLoop loop,
            LiveRoomStore rooms,
            RoomClock clock,
            CommandRouter router,
            ClusterView cluster,
            String nodeId,
            long ttlMs,
            AdoptionMeter meter) {
        this.loop = loop;
        this.rooms = rooms;
        this.clock = clock;
        this.cluster = cluster;
        this.nodeId = nodeId;
        this.pauses = new AdoptionPauses(ttlMs, Math.max(1, Math.min(ttlMs / LOOKS_PER_TTL, LONGEST_LOOK_PAUSE_MS)));
        this.ports = new AdoptionPorts(loop, rooms, clock, router, meter);
        this.nextLook = loop.schedule(pauses.lookMs(), this::look);
    }

    /** Adopts no more for a while, or again: a node that lets its rooms go must not (LEASE-10). To be called on the loop. */
    public void pause(boolean pause) {
        paused = pause;
    }

    /** Adopts no more. To be called on the loop. */
    public void stop() {
        stopped = true;
        nextLook.cancel();
    }

    private boolean isIdle() {
        return paused || stopped;
    }

    private void look() {
        Future.<Void>succeededFuture()
                .compose(begun -> isIdle() ? Future.succeededFuture() : lookAtAll())
                .onComplete(looked -> {
                    failedLooks = looked.succeeded() ? 0 : failedLooks + 1;
                    if (looked.failed()) {
                        log.warn(
                                "rooms without an owner not looked for: {}",
                                looked.cause().toString());
                    }
                    if (!stopped) {
                        nextLook = loop.schedule(pauses.afterLook(failedLooks), this::look);
                    }
                });
    }

    private Future<Void> lookAtAll() {
        return loop.reenter(rooms.owners(OWNERS_A_LOOK)).compose(found -> {
            List<String> ours =
                    found.stream().filter(owner -> !seesToThemItself(owner)).toList();
            owners.keySet().retainAll(ours);
            List<WatchedOwner> due = new ArrayList<>();
            long nowMs = clock.monotonicMs();
            for (String owner : ours) {
                WatchedOwner watched = watch(owner, nowMs);
                if (watched.isDue(nowMs)) {
                    due.add(watched);
                }
            }
            return lookAt(due, 0);
        });
    }

    private WatchedOwner watch(String owner, long nowMs) {
        boolean gone = !cluster.members().contains(owner);
        WatchedOwner watched = owners.get(owner);
        if (watched == null || watched.gone != gone) {
            watched = new WatchedOwner(owner, owner.equals(nodeId), gone, nowMs, pauses);
            owners.put(owner, watched);
        }
        return watched;
    }

    private boolean seesToThemItself(String owner) {
        return !owner.equals(nodeId) && cluster.keepsItsRooms(owner);
    }

    private Future<Void> lookAt(List<WatchedOwner> due, int from) {
        if (from == due.size() || isIdle()) {
            return Future.succeededFuture();
        }
        WatchedOwner owner = due.get(from);
        AdoptionRound round = new AdoptionRound(ports, owner, cluster, loading, this::isIdle);
        return round.run().compose(outcome -> {
            owner.lookedAt(clock.monotonicMs(), outcome);
            return outcome == Outcome.STORES_OUT
                    ? Future.failedFuture("MySQL or Redis does not load rooms")
                    : lookAt(due, from + 1);
        });
    }
}
