package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.AdoptionMeter.Result;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.LiveRoomStore.LiveRoom;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One walk through the live rooms of an owner: reads them page by page, and loads those that this node may take, some at a
 * time, the rooms whose timers are due first (LEASE-14). It ends early when there is no use in going on.
 */
final class AdoptionRound {
    private static final Logger log = LoggerFactory.getLogger(AdoptionRound.class);
    /** Loads at once on a node (LEASE-14). */
    private static final int LOADS_AT_ONCE = 8;

    private static final int ROOMS_A_PAGE = 512;
    /** So many rooms are put in order by their timers before the first is loaded. */
    private static final int ROOMS_IN_ORDER = 4_096;
    /** After so many refusals of one kind in a row the rest would be refused as well. */
    private static final int REFUSALS_IN_A_ROW = LOADS_AT_ONCE;

    private static final Comparator<LiveRoom> DUE_FIRST = Comparator.<LiveRoom>comparingLong(
                    room -> room.dueMs().orElse(Long.MAX_VALUE))
            .thenComparing(LiveRoom::key);

    private final AdoptionPorts ports;
    private final WatchedOwner owner;
    private final ClusterView cluster;
    private final Set<RoomKey> loading;
    private final BooleanSupplier stopped;
    private Optional<Result> last = Optional.empty();
    private int lastInARow;
    private int tries;
    private int owned;

    /** What a round came to. */
    enum Outcome {
        /** Nothing was to be done yet. */
        NONE_TRIED,
        /** Every room that was tried has a lease, of another node. */
        ALL_OWNED,
        /** Some were tried, and not all of those have a lease. */
        SOME_FREE,
        /** This node takes no further rooms. */
        FULL,
        /** MySQL or Redis does not do its part. */
        STORES_OUT
    }

    /**
     * A round that has not begun.
     *
     * @param loading the rooms that are being loaded now, by earlier rounds too
     * @param stopped whether to take no further room
     */
    AdoptionRound(
            AdoptionPorts ports,
            WatchedOwner owner,
            ClusterView cluster,
            Set<RoomKey> loading,
            BooleanSupplier stopped) {
        this.ports = ports;
        this.owner = owner;
        this.cluster = cluster;
        this.loading = loading;
        this.stopped = stopped;
    }

    /** Goes through the rooms; fails if they can't be read. */
    Future<Outcome> run() {
        if (!hasFreeLane()) {
            return Future.succeededFuture(Outcome.NONE_TRIED);
        }
        owner.beginRound();
        return collect(Optional.empty(), new ArrayList<>()).map(over -> outcome());
    }

    private Outcome outcome() {
        if (tries == 0) {
            return Outcome.NONE_TRIED;
        }
        if (isInVain() && last.equals(Optional.of(Result.FULL))) {
            return Outcome.FULL;
        }
        if (isInVain() && last.equals(Optional.of(Result.UNAVAILABLE))) {
            return Outcome.STORES_OUT;
        }
        return owned == tries ? Outcome.ALL_OWNED : Outcome.SOME_FREE;
    }

    /** Whether the last tries were all refused for a reason that may well go for the next one too. */
    private boolean isInVain() {
        return lastInARow >= REFUSALS_IN_A_ROW
                && last.filter(AdoptionRound::goesForOthers).isPresent();
    }

    private static boolean goesForOthers(Result result) {
        return switch (result) {
            case OWNED, FULL, UNAVAILABLE -> true;
            case ADOPTED, NOT_NEEDED, UNREADABLE -> false;
        };
    }

    /** While as many loads hang as there may be, the rest of the rooms need not even be read. */
    private boolean hasFreeLane() {
        return loading.size() < LOADS_AT_ONCE;
    }

    private boolean isOver() {
        return stopped.getAsBoolean() || isInVain();
    }

    private Future<Void> collect(Optional<RoomKey> after, List<LiveRoom> collected) {
        return ports.loop()
                .reenter(ports.rooms().roomsOf(owner.nodeId, after, ROOMS_A_PAGE))
                .compose(page -> needed(page).compose(needed -> {
                    collected.addAll(needed);
                    boolean more = page.size() == ROOMS_A_PAGE;
                    if (more && collected.size() < ROOMS_IN_ORDER && !stopped.getAsBoolean()) {
                        return collect(Optional.of(page.get(page.size() - 1).key()), collected);
                    }
                    return loadAll(collected).compose(loaded -> {
                        if (more && !isOver() && hasFreeLane()) {
                            return collect(Optional.of(page.get(page.size() - 1).key()), new ArrayList<>());
                        }
                        if (!more) {
                            owner.sawAll();
                        }
                        return Future.succeededFuture();
                    });
                }));
    }

    /** Those of a page that this node may try now. */
    private Future<List<LiveRoom>> needed(List<LiveRoom> page) {
        if (!owner.own) {
            return Future.succeededFuture(page.stream().filter(this::mayTry).toList());
        }
        List<RoomKey> keys = page.stream().map(LiveRoom::key).toList();
        return ports.loop().reenter(ports.router().missing(keys)).map(missing -> {
            Set<RoomKey> notHere = missing.stream().collect(Collectors.toSet());
            return page.stream()
                    .filter(room -> notHere.contains(room.key()) && mayTry(room))
                    .toList();
        });
    }

    private boolean mayTry(LiveRoom room) {
        boolean first = !owner.own && cluster.isFirstFor(room.key());
        return owner.mayTry(room.key(), first, ports.clock().monotonicMs()) && !loading.contains(room.key());
    }

    private Future<Void> loadAll(List<LiveRoom> rooms) {
        Iterator<LiveRoom> inOrder = rooms.stream().sorted(DUE_FIRST).iterator();
        List<Future<Void>> lanes = new ArrayList<>();
        for (int lane = loading.size(); lane < LOADS_AT_ONCE; lane++) {
            Promise<Void> over = Promise.promise();
            loadOneByOne(inOrder, over);
            lanes.add(over.future());
        }
        return Future.join(lanes).mapEmpty();
    }

    private void loadOneByOne(Iterator<LiveRoom> rooms, Promise<Void> over) {
        // A load that was waited for in vain goes on, and counts.
        if (!rooms.hasNext() || isOver() || !hasFreeLane()) {
            over.complete();
        } else {
            load(rooms.next().key()).onComplete(loaded -> loadOneByOne(rooms, over));
        }
    }

    /** One room that does not answer must not hold up all the others: it is waited for no longer than a lease lives. */
    private Future<Void> load(RoomKey key) {
        loading.add(key);
        tries++;
        Promise<Void> overOrLate = Promise.promise();
        CellLoop.Cancellable late = ports.loop().schedule(owner.patienceMs(), overOrLate::tryComplete);
        Future<ReadAnswer> answer = Future.<Void>succeededFuture()
                .compose(begun -> ports.loop().reenter(ports.router().readOpen(key)));
        answer.onComplete(read -> {
            loading.remove(key);
            late.cancel();
            came(key, read.succeeded() ? result(read.result()) : Result.UNREADABLE);
            overOrLate.tryComplete();
        });
        return overOrLate.future();
    }

    private void came(RoomKey key, Result result) {
        ports.meter().tried(result);
        lastInARow = last.equals(Optional.of(result)) ? lastInARow + 1 : 1;
        last = Optional.of(result);
        long nowMs = ports.clock().monotonicMs();
        switch (result) {
            case ADOPTED -> {
                log.info("room {} adopted, {} had it", key, owner.nodeId);
                owner.settled(key);
            }
            case NOT_NEEDED -> owner.settled(key);
            case OWNED -> {
                owned++;
                if (owner.own) {
                    owner.refused(key, false, nowMs);
                }
            }
            case FULL, UNAVAILABLE -> owner.refused(key, false, nowMs);
            case UNREADABLE -> owner.refused(key, true, nowMs);
        }
    }

    private static Result result(ReadAnswer answer) {
        if (answer instanceof ReadAnswer.Refused refused) {
            return switch (refused.refused().refusal()) {
                case NOT_OWNER, OWNER_UNREACHABLE -> Result.OWNED;
                case OVERLOADED, DRAINING -> Result.FULL;
                case STORE_UNAVAILABLE, LEASE_LOST, FENCED, OUTCOME_UNKNOWN -> Result.UNAVAILABLE;
                case LOADING, COMMAND_ID_CONFLICT, REWARD_IN_PROGRESS, INTERNAL -> Result.UNREADABLE;
            };
        }
        return answer instanceof ReadAnswer.Found ? Result.ADOPTED : Result.NOT_NEEDED;
    }
}
