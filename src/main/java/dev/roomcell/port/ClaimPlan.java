package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.OutboxStore.FactId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a claim does with the rows that are due (OUT-6). A row may go if the one before it in its room is finished, or goes
 * too. That one row is enough: it could only go in its turn when the one before it was finished, and so on.
 *
 * @param taken to be claimed, by room, version and index
 * @param postponed rows that wait for another of their room, by the time at which that one is due: they shall be due then
 *     too, right behind it, and not stand in front of the rows of other rooms meanwhile (B74)
 * @param isShort whether the limit left out rows that may go
 */
public record ClaimPlan(List<FactId> taken, NavigableMap<Long, List<FactId>> postponed, boolean isShort) {
    /** A claim of a few rows looks at this many all the same, so that those that only wait are put off in few claims. */
    private static final int LEAST_CANDIDATES = 64;

    /**
     * The row before another in its room.
     *
     * @param id which one
     * @param finished whether it is delivered or parked
     * @param dueMs when it is due if not, database time, epoch ms
     */
    public record Before(FactId id, boolean finished, long dueMs) {}

    /** The most rows that a claim looks at, in all partitions together. */
    public static int mostCandidates(int limit) {
        return Math.max(limit, LEAST_CANDIDATES);
    }

    /**
     * The rows that a claim looks at: of each partition its share, and more of the first ones where others leave theirs.
     *
     * @param due what is due in each partition, the row that has been due longest first; the partition that is to be served
     *     first comes first
     * @param limit the most rows to take
     */
    public static List<FactId> candidates(Collection<List<FactId>> due, int limit) {
        int most = mostCandidates(limit);
        long served = due.stream().filter(rows -> !rows.isEmpty()).count();
        int share = (int) Math.max(1, most / Math.max(1, served));
        List<FactId> candidates = new ArrayList<>();
        for (List<FactId> rows : due) {
            addSome(candidates, rows.subList(0, Math.min(share, rows.size())), most);
        }
        for (List<FactId> rows : due) {
            addSome(candidates, rows.subList(Math.min(share, rows.size()), rows.size()), most);
        }
        return candidates;
    }

    private static void addSome(List<FactId> candidates, List<FactId> rows, int most) {
        candidates.addAll(rows.subList(0, Math.min(rows.size(), most - candidates.size())));
    }

    /**
     * Makes a plan.
     *
     * @param due the rows that were looked at, the one that has been due longest first
     * @param before the row before each, where there is one
     * @param limit the most rows to take
     */
    public static ClaimPlan of(List<FactId> due, Map<FactId, Before> before, int limit) {
        Map<RoomKey, List<FactId>> free = new HashMap<>();
        NavigableMap<Long, List<FactId>> postponed = new TreeMap<>();
        Set<FactId> freed = new HashSet<>();
        Map<FactId, Long> waiting = new HashMap<>();
        for (FactId id : new TreeSet<>(due)) {
            Before inFront = before.get(id);
            if (inFront == null || inFront.finished || freed.contains(inFront.id)) {
                freed.add(id);
                free.computeIfAbsent(id.key(), first -> new ArrayList<>()).add(id);
            } else {
                long dueMs = waiting.getOrDefault(inFront.id, inFront.dueMs);
                waiting.put(id, dueMs);
                postponed.computeIfAbsent(dueMs, first -> new ArrayList<>()).add(id);
            }
        }
        Set<RoomKey> rooms = new LinkedHashSet<>();
        due.forEach(id -> rooms.add(id.key()));
        List<FactId> taken = new ArrayList<>();
        for (RoomKey room : rooms) {
            List<FactId> run = free.getOrDefault(room, List.of());
            taken.addAll(run.subList(0, Math.min(run.size(), limit - taken.size())));
        }
        taken.sort(FactId::compareTo);
        return new ClaimPlan(taken, postponed, taken.size() < freed.size());
    }
}
