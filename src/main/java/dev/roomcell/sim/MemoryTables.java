package dev.roomcell.sim;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.LogEntry;
import dev.roomcell.port.CommandStore.StoredEvents;
import dev.roomcell.port.LiveRoomStore.LiveRoom;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.RoomListStore.Place;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.TimerStore.RoomTimer;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * The tables of the schema, each with its unique keys. The arrays in them are theirs alone: copied on the way in, and by
 * whoever hands them out.
 */
final class MemoryTables {
    private static final Comparator<Place> LIST_ORDER = Comparator.comparingLong(Place::heat)
            .reversed()
            .thenComparing(place -> place.roomId().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /** As in the adapter. */
    private static final long REWARD_GRACE_MS = 20_000;

    private final Set<Guard> guards;
    final Map<RoomKey, RoomFields> rooms = new TreeMap<>();
    final Map<RoomKey, ListEntry> listEntries = new TreeMap<>();
    final Map<RoomTimer, Long> timers = new HashMap<>();
    final Chronicle chronicle = new Chronicle();

    private final LongSupplier nowMs;
    final MemoryOutbox delivery;
    final MemoryGifts gifts;
    private final Map<RoomKey, NavigableMap<Long, Snapshot>> snapshots = new HashMap<>();
    private final Map<RoomKey, NavigableMap<Long, LogFields>> logs = new HashMap<>();
    private final Map<RoomKey, Map<String, Long>> loggedIds = new HashMap<>();
    private final Map<RoomKey, TreeMap<FactKey, OutboxFields>> outboxes = new HashMap<>();

    /** What the server refuses. */
    enum Guard {
        /** A version that is in the room's log already. */
        VERSION_KEY,
        /** A command id that is in the room's log already (CMD-2). */
        COMMAND_ID_KEY,
        /** An event that is in the outbox already. */
        FACT_KEY,
        /** A commit under another epoch than the row's (LEASE-11). */
        EPOCH,
        /** A commit that gives a gift whose intent was given up (GIFT-2). */
        GIFT_STATE,
        /** A claim of a fact that has an unfinished one in front of it (OUT-6). */
        FACT_ORDER
    }

    MemoryTables(Set<Guard> guards, LongSupplier nowMs) {
        this.guards = Set.copyOf(guards);
        this.nowMs = nowMs;
        this.gifts = new MemoryGifts(nowMs, guards.contains(Guard.GIFT_STATE));
        this.delivery = new MemoryOutbox(nowMs, guards.contains(Guard.FACT_ORDER));
    }

    boolean guards(Guard guard) {
        return guards.contains(guard);
    }

    private record FactKey(long version, int index) implements Comparable<FactKey> {
        @Override
        public int compareTo(FactKey other) {
            int byVersion = Long.compare(version, other.version);
            return byVersion != 0 ? byVersion : Integer.compare(index, other.index);
        }
    }

    /** The room's log by version; empty for a room that has none. */
    NavigableMap<Long, LogFields> log(RoomKey key) {
        return logs.computeIfAbsent(key, absent -> new TreeMap<>());
    }

    /** Deletes a row of a room's log. */
    void purge(RoomKey key, long version) {
        LogFields gone = log(key).remove(version);
        if (gone != null) {
            loggedIds.getOrDefault(key, Map.of()).remove(gone.row().commandId());
        }
    }

    /** The room's log row of a command, if there is one or was. */
    Optional<LogFields> everLogged(RoomKey key, String commandId) {
        return logged(key, commandId).or(() -> chronicle.logged(key, commandId));
    }

    /** The room's log row of a command, if there is one. */
    Optional<LogFields> logged(RoomKey key, String commandId) {
        return Optional.ofNullable(loggedIds.getOrDefault(key, Map.of()).get(commandId))
                .map(version -> log(key).get(version));
    }

    /** The room's outbox rows, by version and index. */
    List<OutboxFields> outbox(RoomKey key) {
        return List.copyOf(outboxes.getOrDefault(key, new TreeMap<>()).values());
    }

    /** The room's snapshots by version. */
    NavigableMap<Long, Snapshot> snapshots(RoomKey key) {
        return snapshots.computeIfAbsent(key, absent -> new TreeMap<>());
    }

    /** The unique key that inserting {@code batches} would violate, if any: against what is stored, or each other. */
    Optional<String> duplicate(List<RoomBatch> batches) {
        Set<List<Object>> inserted = new HashSet<>();
        for (RoomBatch batch : batches) {
            RoomKey key = batch.key();
            for (LogRow row : batch.rows()) {
                if (isThere(Guard.VERSION_KEY, key, row.version(), log(key).keySet(), inserted)) {
                    return Optional.of("Duplicate entry '" + key + "-" + row.version() + "' for the version");
                }
                Set<String> ids = loggedIds.getOrDefault(key, Map.of()).keySet();
                if (isThere(Guard.COMMAND_ID_KEY, key, row.commandId(), ids, inserted)) {
                    return Optional.of("Duplicate entry '" + key + "-" + row.commandId() + "' for the command id");
                }
                for (Fact fact : row.facts()) {
                    FactKey factKey = new FactKey(row.version(), fact.index());
                    Set<FactKey> facts =
                            outboxes.getOrDefault(key, new TreeMap<>()).keySet();
                    if (isThere(Guard.FACT_KEY, key, factKey, facts, inserted)) {
                        return Optional.of("Duplicate entry '" + key + "-" + factKey + "' for the outbox");
                    }
                }
            }
        }
        return Optional.empty();
    }

    private boolean isThere(Guard guard, RoomKey key, Object value, Set<?> stored, Set<List<Object>> inserted) {
        return guards(guard) && (stored.contains(value) || !inserted.add(List.of(guard, key, value)));
    }

    /** Writes a batch that has passed every check. */
    void append(RoomBatch batch) {
        RoomKey key = batch.key();
        for (LogRow row : batch.rows()) {
            LogRow own = copy(row);
            LogFields fields = new LogFields(own, batch.nodeId(), batch.leaseToken(), batch.epoch());
            log(key).put(row.version(), fields);
            chronicle.logged(key, fields, nowMs.getAsLong());
            loggedIds.computeIfAbsent(key, absent -> new HashMap<>()).put(row.commandId(), row.version());
            TreeMap<FactKey, OutboxFields> outbox = outboxes.computeIfAbsent(key, absent -> new TreeMap<>());
            own.facts().stream().filter(Fact::durable).forEach(fact -> {
                outbox.put(new FactKey(row.version(), fact.index()), new OutboxFields(row.version(), fact));
                delivery.insert(new FactId(key, row.version(), fact.index()), fact);
            });
        }
        // As in MySQL, a commit leaves the epoch as it is.
        RoomFields there = rooms.get(key);
        rooms.put(
                key,
                new RoomFields(
                        batch.statusAfter(),
                        batch.versionAfter(),
                        there == null ? batch.epoch() : there.epoch(),
                        batch.nodeId(),
                        batch.leaseToken(),
                        batch.liveAfter()));
        if (batch.clearTimers()) {
            timers.keySet().removeIf(timer -> timer.key().equals(key));
        }
        for (RoomBatch.TimerChange change : batch.timers()) {
            RoomTimer timer = new RoomTimer(key, change.kind(), change.ref());
            change.dueMs().ifPresentOrElse(dueMs -> timers.put(timer, dueMs), () -> timers.remove(timer));
        }
        gifts.end(batch, REWARD_GRACE_MS);
        batch.listEntry().ifPresent(this::putListEntry);
    }

    /** Writes a line of the room list, unless it is older than the one there. */
    void putListEntry(ListEntry entry) {
        listEntries.merge(entry.key(), entry, (there, given) -> given.version() >= there.version() ? given : there);
    }

    /** The log of a room after a version, at most so many rows of it. */
    List<LogEntry> logAfter(RoomKey key, long version, int most) {
        return log(key).tailMap(version, false).values().stream()
                .limit(most)
                .map(LogFields::row)
                .map(row -> new LogEntry(
                        row.version(),
                        row.atMs(),
                        row.commandId(),
                        row.actorUserId(),
                        row.events().clone()))
                .toList();
    }

    /** Who had live rooms last, by id; not whoever has had none yet. */
    List<String> liveOwners(int most) {
        Set<String> owners = new TreeSet<>();
        for (RoomFields room : rooms.values()) {
            if (room.live() && !room.ownerNodeId().isEmpty()) {
                owners.add(room.ownerNodeId());
            }
        }
        return owners.stream().limit(most).toList();
    }

    /** The live rooms that a node had last, by key, from the one behind {@code after} on. */
    List<LiveRoom> liveRooms(String nodeId, Optional<RoomKey> after, int most) {
        return rooms.entrySet().stream()
                .filter(room ->
                        room.getValue().live() && room.getValue().ownerNodeId().equals(nodeId))
                .map(Map.Entry::getKey)
                .filter(key -> after.map(last -> key.compareTo(last) > 0).orElse(true))
                .limit(most)
                .map(key -> new LiveRoom(key, firstDueMs(key)))
                .toList();
    }

    private OptionalLong firstDueMs(RoomKey key) {
        return timers.entrySet().stream()
                .filter(timer -> timer.getKey().key().equals(key))
                .mapToLong(Map.Entry::getValue)
                .min();
    }

    /** The active rooms of an app in the order of the room list, from a place on. */
    List<ListEntry> hottest(String appCode, Optional<String> region, Optional<Place> after, int most) {
        return listEntries.values().stream()
                .filter(entry -> entry.key().appCode().equals(appCode)
                        && entry.status() == Lifecycle.Status.ACTIVE
                        && region.map(entry.region()::equals).orElse(true)
                        && after.map(place -> LIST_ORDER.compare(entry.place(), place) > 0)
                                .orElse(true))
                .sorted(Comparator.comparing(ListEntry::place, LIST_ORDER))
                .limit(most)
                .toList();
    }

    /** What a load reads of a row. */
    static StoredEvents events(LogRow row) {
        return new StoredEvents(row.version(), row.atMs(), row.events().clone(), row.storedBytes());
    }

    static LogFields copy(LogFields fields) {
        return new LogFields(copy(fields.row()), fields.nodeId(), fields.leaseToken(), fields.epoch());
    }

    private static LogRow copy(LogRow row) {
        return new LogRow(
                row.version(),
                row.commandId(),
                row.payloadHash().clone(),
                row.kind(),
                row.actorUserId(),
                row.atMs(),
                row.command().clone(),
                row.events().clone(),
                row.result().clone(),
                row.facts().stream().map(MemoryTables::copy).toList());
    }

    static OutboxFields copy(OutboxFields fields) {
        return new OutboxFields(fields.version(), copy(fields.fact()));
    }

    private static Fact copy(Fact fact) {
        return new Fact(
                fact.index(), fact.type(), fact.durable(), fact.envelope().clone());
    }

    static Snapshot copy(Snapshot snapshot) {
        return new Snapshot(
                snapshot.version(),
                snapshot.atMs(),
                snapshot.state().clone(),
                snapshot.checksum(),
                snapshot.lastSeen().clone());
    }
}
