package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ClaimPlan;
import dev.roomcell.port.ClaimPlan.Before;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.Claim;
import dev.roomcell.port.OutboxStore.ClaimRequest;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.FactId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One claim. It locks the rows of its partitions first, so that everything that claims or finishes in a partition does so
 * one after the other; what is due it reads without locks, in the order of the index; and only then it locks rows, by
 * primary key. So nobody ever waits for a lock in another order than anybody else.
 *
 * <p>One look at the index tells of each partition the first rows that are not finished, whether due or not. Mostly these
 * are all there are, and then nobody else of their rooms can be in front of them. Only where there are more, a partition is
 * looked at more deeply, and what is in front of its rows is looked up room by room.
 */
final class ClaimTransaction {
    private static final String HELD = "SELECT partition_no FROM room_outbox_partitions FORCE INDEX (PRIMARY)"
            + " WHERE partition_no IN " + OutboxSql.placeholders(OutboxStore.PARTITIONS)
            + " AND worker_id = ? AND lease_until_ms > " + OutboxSql.NOW_MS + " FOR UPDATE";

    /** How much of each partition the first look shows. */
    private static final int FIRST_ROWS = 64;
    /** So many partitions are looked at first, and the others only if these have not enough. */
    private static final int FIRST_PARTITIONS = 8;
    /** So many partitions at most are looked at more deeply. */
    private static final int DEEP_PARTITIONS = 8;
    /** There is no such lane. */
    private static final int NO_LANE = Short.MIN_VALUE;

    static final String UNFINISHED =
            "(SELECT " + OutboxSql.FACT_COLUMNS + ", lane, due_ms, due_ms <= " + OutboxSql.NOW_MS + " FROM "
                    + OutboxSql.BY_DUE + " WHERE lane = ? ORDER BY due_ms LIMIT " + FIRST_ROWS + ")";

    static final String DUE = "SELECT " + OutboxSql.FACT_COLUMNS + " FROM " + OutboxSql.BY_DUE
            + " WHERE lane = ? AND due_ms <= " + OutboxSql.NOW_MS + " ORDER BY due_ms LIMIT ?";

    /** A room's rows up to one of them, that one first: it, and the one before it, and so on. */
    static final String UP_TO = "SELECT room_version, event_index, lane, due_ms, type, envelope, attempts"
            + " FROM room_outbox FORCE INDEX (PRIMARY) WHERE " + Sql.ONE_ROOM
            + " AND room_version <= ? AND (room_version < ? OR event_index <= ?)"
            + " ORDER BY room_version DESC, event_index DESC LIMIT ?";

    static final String TAKE =
            "UPDATE room_outbox FORCE INDEX (PRIMARY) SET status = 'delivering', worker_id = ?, claim_token = ?,"
                    + " due_ms = " + OutboxSql.NOW_MS + " + ? WHERE";

    static final String CONTENT = "SELECT " + OutboxSql.FACT_COLUMNS
            + ", type, envelope, attempts FROM room_outbox FORCE INDEX (PRIMARY) WHERE";

    static final String POSTPONE = "UPDATE room_outbox FORCE INDEX (PRIMARY) SET due_ms = ? WHERE";

    private final Session session;
    private final ClaimRequest request;
    /** What was seen to be due, by partition, the one that is to be served first before the others. */
    private final Map<Integer, DueRows> due = new LinkedHashMap<>();
    /** What is in front of rows, where there is anything. */
    private final Map<FactId, Before> before = new HashMap<>();
    /** Rows of which that is known. */
    private final Set<FactId> beforeKnown = new HashSet<>();
    /** Rows that were read on the way. */
    private final Map<FactId, Claimed> content = new HashMap<>();

    ClaimTransaction(Session session, ClaimRequest request) {
        this.session = session;
        this.request = request;
    }

    private record Unfinished(FactId id, long dueMs, boolean due) {}

    /** What is due in a partition, the row that has been due longest first; whether there may be more. */
    private record DueRows(List<FactId> ids, boolean more) {}

    /** All but the COMMIT. */
    Future<Claim> run() {
        List<Integer> partitions = request.partitions();
        int first = Math.min(FIRST_PARTITIONS, partitions.size());
        Future<Set<Integer>> held = held();
        // Leaves right behind the locks: it is not answered before they are there.
        Future<Map<Integer, List<Unfinished>>> looked = look(partitions.subList(0, first));
        return Future.all(held, looked)
                .compose(both -> {
                    List<Integer> others = partitions.subList(first, partitions.size()).stream()
                            .filter(held.result()::contains)
                            .toList();
                    partitions.subList(0, first).stream()
                            .filter(held.result()::contains)
                            .forEach(partition -> see(partition, looked.result()));
                    return isEnough() || others.isEmpty()
                            ? Future.succeededFuture(!others.isEmpty())
                            : look(others).map(seen -> {
                                others.forEach(partition -> see(partition, seen));
                                return false;
                            });
                })
                .compose(notAll -> deeper().compose(deep -> claim(notAll)));
    }

    private void see(int partition, Map<Integer, List<Unfinished>> looked) {
        due.put(partition, dueOf(looked.getOrDefault(partition, List.of())));
    }

    private int seen() {
        return due.values().stream().mapToInt(rows -> rows.ids.size()).sum();
    }

    private boolean isEnough() {
        return seen() >= ClaimPlan.mostCandidates(request.limit());
    }

    private Future<Set<Integer>> held() {
        List<Object> values = OutboxSql.all(request.partitions());
        values.add(request.workerId());
        return session.execute(HELD, Tuple.wrap(values)).map(rows -> {
            Set<Integer> held = new HashSet<>();
            rows.forEach(row -> held.add(row.getInteger(0)));
            return held;
        });
    }

    private Future<Map<Integer, List<Unfinished>>> look(List<Integer> partitions) {
        int looks = Sql.filledUp(partitions.size());
        List<Object> lanes = new ArrayList<>(looks);
        for (int i = 0; i < looks; i++) {
            lanes.add(i < partitions.size() ? partitions.get(i) : NO_LANE);
        }
        return session.execute(unfinished(looks), Tuple.wrap(lanes)).map(rows -> {
            Map<Integer, List<Unfinished>> byPartition = new HashMap<>();
            for (Row row : rows) {
                byPartition
                        .computeIfAbsent(row.getInteger(4), first -> new ArrayList<>())
                        .add(new Unfinished(OutboxSql.factId(row), row.getLong(5), row.getLong(6) == 1));
            }
            byPartition
                    .values()
                    .forEach(of ->
                            of.sort(Comparator.comparingLong(Unfinished::dueMs).thenComparing(Unfinished::id)));
            return byPartition;
        });
    }

    static String unfinished(int partitions) {
        return IntStream.range(0, partitions).mapToObj(i -> UNFINISHED).collect(Collectors.joining(" UNION ALL "));
    }

    private DueRows dueOf(List<Unfinished> rows) {
        List<FactId> due =
                rows.stream().filter(Unfinished::due).map(Unfinished::id).toList();
        if (rows.size() < FIRST_ROWS) {
            know(rows);
        }
        return new DueRows(due, due.size() == FIRST_ROWS);
    }

    /** These are all that are not finished in a partition: whatever else there is in their rooms is. */
    private void know(List<Unfinished> all) {
        NavigableMap<FactId, Unfinished> ordered = new TreeMap<>();
        all.forEach(row -> ordered.put(row.id, row));
        for (Unfinished row : all) {
            beforeKnown.add(row.id);
            Map.Entry<FactId, Unfinished> inFront = ordered.lowerEntry(row.id);
            if (inFront != null && inFront.getKey().key().equals(row.id.key())) {
                before.put(row.id, new Before(inFront.getKey(), false, inFront.getValue().dueMs));
            }
        }
    }

    /** Where the first look has not shown all that is due, and a claim takes more. */
    private Future<Void> deeper() {
        List<Integer> deep = due.entrySet().stream()
                .filter(entry -> entry.getValue().more)
                .map(Map.Entry::getKey)
                .limit(DEEP_PARTITIONS)
                .toList();
        if (deep.isEmpty() || isEnough()) {
            return Future.succeededFuture();
        }
        int missing = ClaimPlan.mostCandidates(request.limit()) - seen();
        int rows = FIRST_ROWS + (missing + deep.size() - 1) / deep.size();
        return Future.all(deep.stream()
                        .map(partition -> session.execute(DUE, Tuple.of(partition, rows))
                                .onSuccess(found -> {
                                    List<FactId> ids = new ArrayList<>();
                                    found.forEach(row -> ids.add(OutboxSql.factId(row)));
                                    due.put(partition, new DueRows(ids, ids.size() == rows));
                                }))
                        .toList())
                .mapEmpty();
    }

    private Future<Claim> claim(boolean notAll) {
        List<List<FactId>> ids = due.values().stream().map(DueRows::ids).toList();
        List<FactId> candidates = ClaimPlan.candidates(ids, request.limit());
        boolean more = notAll
                || candidates.size() < ids.stream().mapToInt(List::size).sum()
                || due.values().stream().anyMatch(DueRows::more);
        if (candidates.isEmpty()) {
            return Future.succeededFuture(new Claim(List.of(), more));
        }
        return lookUp(candidates).compose(known -> {
            ClaimPlan plan = ClaimPlan.of(candidates, before, request.limit());
            return take(plan).map(rows -> new Claim(rows, more || plan.isShort()));
        });
    }

    private Future<List<Claimed>> take(ClaimPlan plan) {
        List<Future<RowSet<Row>>> sent = new ArrayList<>();
        plan.postponed()
                .forEach((dueMs, rows) ->
                        sent.addAll(OutboxSql.onFacts(session, POSTPONE, List.of(dueMs), rows, "", List.of())));
        List<Object> claim = List.of(request.workerId(), request.claimToken(), request.claimMs());
        sent.addAll(OutboxSql.onFacts(session, TAKE, claim, plan.taken(), "", List.of()));
        List<FactId> unread =
                plan.taken().stream().filter(id -> !content.containsKey(id)).toList();
        List<Future<RowSet<Row>>> read = OutboxSql.onFacts(session, CONTENT, List.of(), unread, "", List.of());
        sent.addAll(read);
        return Future.all(sent).map(all -> {
            read.forEach(answer -> answer.result().forEach(row -> read(OutboxSql.factId(row), row)));
            return plan.taken().stream()
                    .map(id -> Objects.requireNonNull(content.get(id)))
                    .toList();
        });
    }

    private void read(FactId id, Row row) {
        content.put(id, new Claimed(id, row.getString(4), Values.blob(row, 5), row.getInteger(6)));
    }

    /** What is in front of the rows of which the first look did not tell. */
    private Future<Void> lookUp(List<FactId> candidates) {
        Map<RoomKey, List<FactId>> rooms = new TreeMap<>();
        candidates.stream()
                .filter(id -> !beforeKnown.contains(id))
                .sorted()
                .forEach(id -> rooms.computeIfAbsent(id.key(), first -> new ArrayList<>())
                        .add(id));
        // Join: nothing is asked any more once the transaction is being rolled back.
        return Future.join(rooms.values().stream().map(this::lookUpRoom).toList())
                .mapEmpty();
    }

    /**
     * What is due in a room is mostly a run without gaps: then one statement finds all of it, and the row before it. Where
     * others stand between, each row that it did not get to is looked up by itself.
     */
    private Future<Void> lookUpRoom(List<FactId> ofRoom) {
        return readUpTo(ofRoom.get(ofRoom.size() - 1), ofRoom.size())
                .compose(read -> Future.join(ofRoom.stream()
                                .filter(id -> !beforeKnown.contains(id))
                                .map(id -> readUpTo(id, 1))
                                .toList())
                        .mapEmpty());
    }

    /** Reads {@code count} rows of a room, back from {@code last}, and what is in front of each. */
    private Future<Void> readUpTo(FactId last, int count) {
        Tuple range = Values.room(last.key(), last.version(), last.version(), last.index(), count + 1);
        return session.execute(UP_TO, range).map(rows -> {
            FactId behind = null;
            for (Row row : rows) {
                FactId id = new FactId(last.key(), row.getLong(0), row.getInteger(1));
                read(id, row);
                if (behind != null) {
                    beforeKnown.add(behind);
                    before.put(behind, new Before(id, row.getInteger(2) < 0, row.getLong(3)));
                }
                behind = id;
            }
            if (behind != null && rows.size() <= count) {
                beforeKnown.add(behind);
            }
            return null;
        });
    }
}
