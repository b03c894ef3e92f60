package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ClaimPlan;
import dev.roomcell.port.ClaimPlan.Before;
import dev.roomcell.port.OutboxStore.Claim;
import dev.roomcell.port.OutboxStore.ClaimRequest;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.FactId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One claim. It locks the rows of its partitions first, so that everything that claims or finishes in a partition does so
 * one after the other; what is due it reads without locks, in the order of the index; and only then it locks rows, by
 * primary key. So nobody ever waits for a lock in another order than anybody else.
 */
final class ClaimTransaction {
    private static final String HELD = "SELECT partition_no FROM room_outbox_partitions FORCE INDEX (PRIMARY)"
            + " WHERE partition_no IN " + OutboxSql.placeholders(ClaimPlan.MOST_PARTITIONS)
            + " AND worker_id = ? AND lease_until_ms > " + OutboxSql.NOW_MS + " FOR UPDATE";

    static final String DUE = "SELECT " + OutboxSql.FACT_COLUMNS + " FROM " + OutboxSql.BY_DUE
            + " WHERE lane = ? AND due_ms <= " + OutboxSql.NOW_MS + " ORDER BY due_ms LIMIT ?";

    /** A room's rows up to one of them, that one first: it, and the one before it, and so on. */
    static final String UP_TO = "SELECT room_version, event_index, lane, due_ms, type, envelope, attempts"
            + " FROM room_outbox FORCE INDEX (PRIMARY) WHERE " + Sql.ONE_ROOM
            + " AND room_version <= ? AND (room_version < ? OR event_index <= ?)"
            + " ORDER BY room_version DESC, event_index DESC LIMIT ?";

    static final String TAKE = "UPDATE room_outbox SET status = 'delivering', worker_id = ?, claim_token = ?,"
            + " due_ms = " + OutboxSql.NOW_MS + " + ? WHERE";

    private static final String POSTPONE = "UPDATE room_outbox SET due_ms = ? WHERE";

    private final Session session;
    private final ClaimRequest request;
    /** Where something is due. */
    private final List<Integer> partitions;

    private final boolean everywhere;
    private boolean windowFull;
    /** Rows that were read, those with nothing unread in front of them. */
    private final Map<FactId, Claimed> content = new HashMap<>();
    /** What is in front of them, where there is anything. */
    private final Map<FactId, Before> before = new HashMap<>();

    /**
     * A claim.
     *
     * @param due the partitions where something is due, in the order in which to look
     */
    ClaimTransaction(Session session, ClaimRequest request, List<Integer> due) {
        this.session = session;
        this.request = request;
        this.partitions = due.subList(0, ClaimPlan.partitions(request.limit(), due.size()));
        this.everywhere = due.size() == partitions.size();
    }

    /** All but the COMMIT. */
    Future<Claim> run() {
        return held().compose(this::due)
                .compose(due -> due.isEmpty() ? Future.succeededFuture(new Claim(List.of(), !everywhere)) : claim(due));
    }

    private Future<List<Integer>> held() {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < ClaimPlan.MOST_PARTITIONS; i++) {
            values.add(partitions.get(Math.min(i, partitions.size() - 1)));
        }
        values.add(request.workerId());
        return session.execute(HELD, Tuple.wrap(values)).map(rows -> {
            List<Integer> held = new ArrayList<>();
            rows.forEach(row -> held.add(row.getInteger(0)));
            return held;
        });
    }

    private Future<List<FactId>> due(List<Integer> held) {
        int window = ClaimPlan.window(request.limit(), held.size());
        List<Future<RowSet<Row>>> asked = new ArrayList<>();
        held.forEach(partition -> asked.add(session.execute(DUE, Tuple.of(partition, window))));
        return Future.all(asked).map(all -> {
            List<FactId> due = new ArrayList<>();
            for (Future<RowSet<Row>> answer : asked) {
                windowFull |= answer.result().size() >= window;
                answer.result().forEach(row -> due.add(OutboxSql.factId(row)));
            }
            return due;
        });
    }

    private Future<Claim> claim(List<FactId> due) {
        return read(due).compose(read -> {
            ClaimPlan plan = ClaimPlan.of(due, before, request.limit());
            List<Future<RowSet<Row>>> sent = new ArrayList<>();
            plan.postponed()
                    .forEach((dueMs, rows) ->
                            sent.addAll(OutboxSql.onFacts(session, POSTPONE, List.of(dueMs), rows, "", List.of())));
            List<Object> claim = List.of(request.workerId(), request.claimToken(), request.claimMs());
            sent.addAll(OutboxSql.onFacts(session, TAKE, claim, plan.taken(), "", List.of()));
            List<Claimed> rows = new ArrayList<>();
            plan.taken().forEach(id -> rows.add(content.get(id)));
            return Future.all(sent).map(new Claim(rows, plan.isShort() || windowFull || !everywhere));
        });
    }

    private Future<Void> read(List<FactId> due) {
        Map<RoomKey, List<FactId>> rooms = new TreeMap<>();
        new TreeSet<>(due)
                .forEach(id -> rooms.computeIfAbsent(id.key(), first -> new ArrayList<>())
                        .add(id));
        return Future.all(rooms.values().stream().map(this::readRoom).toList()).mapEmpty();
    }

    /**
     * What is due in a room is mostly a run without gaps: then one statement finds all of it, and the row before it. Where
     * others stand between, each row that it did not get to is looked up by itself.
     */
    private Future<Void> readRoom(List<FactId> ofRoom) {
        return readUpTo(ofRoom.get(ofRoom.size() - 1), ofRoom.size())
                .compose(read -> Future.all(ofRoom.stream()
                                .filter(id -> !content.containsKey(id))
                                .map(id -> readUpTo(id, 1))
                                .toList())
                        .mapEmpty());
    }

    /** Reads {@code count} rows of a room, back from {@code last}, and what is in front of each. */
    private Future<Void> readUpTo(FactId last, int count) {
        Tuple range = Values.room(last.key(), last.version(), last.version(), last.index(), count + 1);
        return session.execute(UP_TO, range).map(rows -> {
            Claimed behind = null;
            for (Row row : rows) {
                FactId id = new FactId(last.key(), row.getLong(0), row.getInteger(1));
                if (behind != null) {
                    content.put(behind.id(), behind);
                    before.put(behind.id(), new Before(id, row.getInteger(2) < 0, row.getLong(3)));
                }
                behind = new Claimed(id, row.getString(4), Values.blob(row, 5), row.getInteger(6));
            }
            if (behind != null && rows.size() <= count) {
                content.put(behind.id(), behind);
            }
            return null;
        });
    }
}
