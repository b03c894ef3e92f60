package dev.roomcell.sim;

import dev.roomcell.cell.ReadAnswer;
import dev.roomcell.check.AckChecker;
import dev.roomcell.check.ArrivalChecker;
import dev.roomcell.check.ArrivalChecker.Arrival;
import dev.roomcell.check.GiftLedger;
import dev.roomcell.check.GivenGift;
import dev.roomcell.check.HistoryChecker;
import dev.roomcell.check.Invariant;
import dev.roomcell.check.LaneChecker;
import dev.roomcell.check.Operation;
import dev.roomcell.check.Purged;
import dev.roomcell.check.RejectionChecker;
import dev.roomcell.check.RocketAccount;
import dev.roomcell.check.RoomHistory;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.check.SightChecker;
import dev.roomcell.check.Violation;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.CommandStore.StoredEvents;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.Chronicle.Mint;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import dev.roomcell.sim.MemoryRedis.Value.Lease;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Looks at everything, once all is quiet: what is stored, what is in memory, what clients were told. */
final class Examination {
    /** From its setting on, and from a claim on, a timer is due within so many ms. */
    private static final long LONGEST_TIMER_MS = 60_000;
    /** For so long a timer may be claimed by a node that has died, ms. */
    private static final long LONGEST_CLAIM_MS = 10_000;

    private final Cluster cluster;
    private final Rooms rooms;
    private final RoomCodec codec;
    /** The gifts of all logs, as they were when it checked. */
    private final List<GivenGift> given = new ArrayList<>();
    /** The versions that list and queue must show once writers behind have had their time (ROOM-8, OUT-6). */
    private final Map<RoomKey, Long> seenLast = new HashMap<>();
    /** The rooms as they were by their logs when somebody looked last. */
    private final Map<RoomKey, RoomState> replayed = new HashMap<>();

    private final RocketWatch rockets;

    Examination(Cluster cluster, Nemesis nemesis, Rooms rooms, RoomCodec codec) {
        this.rockets = new RocketWatch(cluster, nemesis);
        this.cluster = cluster;
        this.rooms = rooms;
        this.codec = codec;
    }

    /** Reads every room on every node: whoever serves one must have the newest version of it (I2). */
    List<Violation> lookEverywhere() {
        List<Violation> found = new ArrayList<>();
        for (RoomKey room : rooms.all()) {
            for (SimulatedNode node : cluster.nodes()) {
                Recorder.Moment asked = cluster.recorder.now();
                long storedBefore = storedVersion(room);
                Optional<Future<ReadAnswer>> answer = node.router().map(router -> router.read(room));
                cluster.around.time.advance(cluster.settings.leaseTtlMs());
                answer.filter(Future::isComplete)
                        .map(Future::result)
                        .ifPresentOrElse(
                                read -> {
                                    cluster.recorder.read(room, asked, read);
                                    look(room, node, read, storedBefore).ifPresent(found::add);
                                },
                                () -> found.add(new Violation(Invariant.I14, room, node + " is silent")));
            }
        }
        rooms.all().forEach(room -> seenLast.put(room, storedVersion(room)));
        return found;
    }

    private long storedVersion(RoomKey room) {
        return cluster.around.database.room(room).map(RoomFields::version).orElse(0L);
    }

    /** Meanwhile the room's own timers may have gone on with it. */
    private Optional<Violation> look(RoomKey room, SimulatedNode node, ReadAnswer read, long storedBefore) {
        long stored = storedVersion(room);
        return read instanceof ReadAnswer.Found seen
                        && (seen.state().version() < storedBefore
                                || seen.state().version() > stored)
                ? Optional.of(new Violation(
                        Invariant.I2,
                        room,
                        node + " is at version " + seen.state().version() + ", MySQL at " + storedBefore + " to "
                                + stored))
                : Optional.empty();
    }

    /** Checks every room's history and what was told of it. */
    List<Violation> check() {
        List<Violation> found = new ArrayList<>();
        for (RoomKey room : rooms.all()) {
            RoomHistory history = StoredParts.everOf(cluster.around.database, room);
            List<LogRow> log = new ArrayList<>();
            history.log().forEach(log::add);
            log.forEach(row -> GivenGift.in(room, row, codec).ifPresent(given::add));
            List<Operation> operations = cluster.recorder.operations(room, log);
            if (history.row().isEmpty()) {
                found.addAll(AckChecker.check(room, operations, List.of()));
                continue;
            }
            found.addAll(new HistoryChecker(codec).check(history, List.of()));
            found.addAll(purged(room));
            found.addAll(AckChecker.check(room, operations, log));
            found.addAll(minted(room, log));
            found.addAll(rockets.check(room, RocketAccount.flights(room, log, codec)));
            found.addAll(RejectionChecker.check(room, operations, log, codec));
            found.addAll(SightChecker.check(room, operations, log, codec));
            found.addAll(LaneChecker.check(room, cluster.around.clients.saw(room), log, codec));
            finished(history).ifPresent(found::add);
            found.addAll(ArrivalChecker.check(room, history.outbox(), delivery(room)));
        }
        found.addAll(money());
        return found;
    }

    /** What is left of a room whose log was purged must be right by itself (LOG-1), unless a bad disk was there too. */
    private List<Violation> purged(RoomKey room) {
        boolean intact = cluster.around.database.snapshots(room).stream().allMatch(Snapshot::intact);
        RoomHistory left = StoredParts.of(cluster.around.database, room);
        return intact && cluster.around.database.firstLogged(room) > 1
                ? new HistoryChecker(codec, Purged.before(cluster.around.databaseNowMs())).check(left, List.of())
                : List.of();
    }

    /** How many gifts came to what, once it has checked. */
    Map<GiftWatch.Fate, Integer> fates() {
        return cluster.around.gifts.fates(given);
    }

    /** How many rockets came to what, once it has checked. */
    Map<RocketWatch.Fate, Integer> flights() {
        return rockets.fates();
    }

    /** Every coin is where it belongs (I7). */
    private List<Violation> money() {
        MemoryWallet wallet = cluster.around.wallet;
        List<Violation> found = new ArrayList<>(
                GiftLedger.check(given, cluster.around.database.gifts().all(), wallet.movements()));
        RoomKey nowhere = new RoomKey(Rooms.APP, "-");
        wallet.audit().forEach(wrong -> found.add(new Violation(Invariant.I7, nowhere, wrong)));
        return found;
    }

    private ArrivalChecker.Delivery delivery(RoomKey room) {
        List<Arrival> arrivals = cluster.around.streams.entries(room).stream()
                .map(entry -> new Arrival(entry.id().version(), entry.id().index(), entry.type(), entry.envelope()))
                .toList();
        Set<ArrivalChecker.Event> unfinished = new TreeSet<>();
        Set<ArrivalChecker.Event> needNotArrive = new TreeSet<>();
        long dueVersion = seenLast.getOrDefault(room, 0L);
        cluster.around.database.delivery().rows(room).forEach((id, row) -> {
            ArrivalChecker.Event event = new ArrivalChecker.Event(id.version(), id.index());
            // Given up without need, it counts as lost.
            if (row.status() == MemoryOutbox.Status.FAILED
                    && cluster.around.streams.refusals(id) >= cluster.outbox.maxTries()) {
                needNotArrive.add(event);
            } else if (!row.status().isFinished()) {
                // What the room's own timers have done in the last moment may be on its way.
                (id.version() > dueVersion ? needNotArrive : unfinished).add(event);
            }
        });
        return new ArrivalChecker.Delivery(arrivals, needNotArrive, unfinished);
    }

    /** Whoever committed a version had minted its epoch, and nobody had minted a later one (I5, LEASE-11). */
    private List<Violation> minted(RoomKey room, List<LogRow> log) {
        List<Violation> found = new ArrayList<>();
        Iterator<Mint> mints = cluster.around.database.chronicle().mints(room).iterator();
        Mint newest = new Mint(0, "", -1);
        Mint next = mints.hasNext() ? mints.next() : null;
        for (LogRow row : log) {
            while (next != null && next.version() < row.version()) {
                newest = next;
                next = mints.hasNext() ? mints.next() : null;
            }
            if (row.epoch() != newest.epoch() || !row.ownerNodeId().equals(newest.nodeId())) {
                found.add(new Violation(
                        Invariant.I5,
                        room,
                        "version " + row.version() + " is " + row.ownerNodeId() + "'s under epoch " + row.epoch()
                                + "; the newest epoch was " + newest.nodeId() + "'s " + newest.epoch()));
            }
        }
        return found;
    }

    /**
     * Every room has the timers that its state needs, and no other; each will come, and none that was due at {@code sinceMs},
     * database time, was not heeded (TIMER-1, ROOM-5, MIC-3, PRES-6). A node whose clock was ahead may have put one off, or
     * claimed it for longer.
     */
    List<Violation> overdue(long sinceMs) {
        long latestMs = cluster.around.databaseNowMs() + Fault.CLOCK_WRONG_MS + LONGEST_TIMER_MS;
        List<Violation> found = new ArrayList<>();
        for (RoomKey room : cluster.around.database.rooms()) {
            Map<TimerStore.Kind, Long> timers = cluster.around.database.timers(room);
            RoomState state = stored(room);
            for (TimerStore.Kind kind : TimerStore.Kind.values()) {
                Long dueMs = timers.get(kind);
                boolean asItShould = dueMs == null
                        ? !needed(state, kind)
                        : (needed(state, kind) || sideTask(kind)) && dueMs >= sinceMs && dueMs <= latestMs;
                if (!asItShould) {
                    found.add(new Violation(
                            Invariant.I12,
                            room,
                            "the room is " + state.status() + " with " + state.onlineCount() + " users and "
                                    + MicSeats.pending(state).size() + " seats pending, and its timer " + kind
                                    + " is at " + dueMs));
                }
            }
            OptionalLong deadlineMs = MicSeats.firstDeadlineMs(state);
            if (deadlineMs.isPresent() && deadlineMs.getAsLong() < sinceMs - Fault.CLOCK_WRONG_MS - LONGEST_CLAIM_MS) {
                found.add(new Violation(
                        Invariant.I10, room, "a seat is pending, though its deadline was " + deadlineMs.getAsLong()));
            }
        }
        return found;
    }

    /**
     * Every live room has a lease, and is loaded on the node that holds it (LEASE-14). Its row may name another: a mint
     * that comes late, when its lease is over, fences a room that it does not get, which the holder finds out with its next
     * commit (LEASE-11). A room that no node has had yet is in creation, and has a timer for that.
     */
    List<Violation> withoutOwner() {
        List<Violation> found = new ArrayList<>();
        for (RoomKey room : cluster.around.database.rooms()) {
            RoomFields row = cluster.around.database.room(room).orElseThrow();
            if (row.live() && !row.ownerNodeId().isEmpty() && !isLoaded(room, leaseHolder(room))) {
                found.add(new Violation(
                        Invariant.LEASE_14,
                        room,
                        "the room is live, its row names " + row.ownerNodeId() + ", and it is not loaded on the node \""
                                + leaseHolder(room) + "\" that has its lease"));
            }
        }
        return found;
    }

    /** Empty if nobody is. */
    private String leaseHolder(RoomKey room) {
        return cluster.around
                .redis
                .get(room.routeKey())
                .map(Lease.class::cast)
                .map(Lease::nodeId)
                .orElse("");
    }

    private boolean isLoaded(RoomKey room, String nodeId) {
        Optional<Future<List<RoomKey>>> missing = cluster.nodes().stream()
                .filter(node -> node.nodeId.equals(nodeId))
                .findFirst()
                .flatMap(SimulatedNode::router)
                .map(router -> router.missing(List.of(room)));
        cluster.around.time.advance(1);
        return missing.filter(Future::isComplete)
                .filter(asked -> asked.result().isEmpty())
                .isPresent();
    }

    /** What a room has done outside is owed from when it is asked for until it is done, whatever the room is by then. */
    private static boolean sideTask(TimerStore.Kind kind) {
        return switch (kind) {
            case RTC_REMOVE_USER, RTC_SILENCE_USER, RTC_DISMISS_ROOM, IM_FORBID_USER, IM_DESTROY_GROUP -> true;
            case CREATE_LIMIT, MIC_DEADLINE, STALE_SWEEP, ROCKET_LAUNCH -> false;
        };
    }

    private static boolean needed(RoomState state, TimerStore.Kind kind) {
        return switch (kind) {
            case CREATE_LIMIT -> state.status() == Lifecycle.Status.CREATING;
            case MIC_DEADLINE -> MicSeats.firstDeadlineMs(state).isPresent();
            case STALE_SWEEP -> state.onlineCount() > 0;
            case ROCKET_LAUNCH -> Rockets.launchAtMs(state).isPresent();
            case RTC_REMOVE_USER, RTC_SILENCE_USER, RTC_DISMISS_ROOM, IM_FORBID_USER, IM_DESTROY_GROUP -> false;
        };
    }

    /** The room as its log has it; what was looked at before is not read again. */
    private RoomState stored(RoomKey room) {
        RoomState state = replayed.getOrDefault(room, RoomState.creating(room));
        for (StoredEvents row : cluster.around.database.chronicle().eventsAfter(room, state.version())) {
            state = RoomDecider.evolve(state, codec.decodeEvents(row.events()), new Stamp(row.version(), row.atMs()));
        }
        replayed.put(room, state);
        return state;
    }

    /** What writers behind were to do is done (ROOM-8), and no room is half closed (ROOM-5). */
    private Optional<Violation> finished(RoomHistory history) {
        RoomHistory.RoomRow row = history.row().orElseThrow();
        if (row.status().equals(Lifecycle.Status.CLOSING.name())) {
            return Optional.of(new Violation(Invariant.I12, history.key(), "the room is half closed"));
        }
        return history.listEntry()
                .filter(line -> line.version() < seenLast.getOrDefault(history.key(), 0L))
                .map(line -> new Violation(
                        Invariant.I12,
                        history.key(),
                        "the list shows version " + line.version() + " long after version "
                                + seenLast.get(history.key())));
    }
}
