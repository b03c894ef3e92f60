package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.StoredEvents;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** What was so in a {@link MemoryDatabase}, though no table keeps it: for whoever examines a run. */
final class Chronicle {
    private final Map<RoomKey, List<Mint>> mints = new HashMap<>();
    private final Map<RoomKey, NavigableMap<Long, LogFields>> logs = new HashMap<>();
    private final Map<RoomKey, Map<Long, Long>> writtenAtMs = new HashMap<>();

    /**
     * An epoch that was minted.
     *
     * @param epoch the new epoch
     * @param nodeId who minted it
     * @param version the room's version then; all later ones are this epoch's, or a later one's
     */
    record Mint(long epoch, String nodeId, long version) {}

    void minted(RoomKey key, Mint mint) {
        mints.computeIfAbsent(key, first -> new ArrayList<>()).add(mint);
    }

    /** A row of a room's log was committed. */
    void logged(RoomKey key, LogFields fields, long atMs) {
        long version = fields.row().version();
        logs.computeIfAbsent(key, first -> new TreeMap<>()).put(version, fields);
        writtenAtMs.computeIfAbsent(key, first -> new HashMap<>()).put(version, atMs);
    }

    /** A room's mints, in order. */
    List<Mint> mints(RoomKey key) {
        return List.copyOf(mints.getOrDefault(key, List.of()));
    }

    /**
     * When a version was committed, epoch ms.
     *
     * @throws IllegalArgumentException if there is no such version
     */
    long writtenAtMs(RoomKey key, long version) {
        Long atMs = writtenAtMs.getOrDefault(key, Map.of()).get(version);
        if (atMs == null) {
            throw new IllegalArgumentException("no version " + version + " of " + key);
        }
        return atMs;
    }

    private NavigableMap<Long, LogFields> rows(RoomKey key) {
        return logs.getOrDefault(key, new TreeMap<>());
    }

    /** A room's log from its first version on, by version: what was purged, and what is there. */
    List<LogFields> log(RoomKey key) {
        return rows(key).values().stream().map(MemoryTables::copy).toList();
    }

    /** The events of all that was ever logged after a version, in order. */
    List<StoredEvents> eventsAfter(RoomKey key, long version) {
        return rows(key).tailMap(version, false).values().stream()
                .map(fields -> MemoryTables.events(fields.row()))
                .toList();
    }

    /** The first row of a command that was ever in a room's log. */
    Optional<LogFields> logged(RoomKey key, String commandId) {
        return rows(key).values().stream()
                .filter(fields -> fields.row().commandId().equals(commandId))
                .findFirst();
    }
}
