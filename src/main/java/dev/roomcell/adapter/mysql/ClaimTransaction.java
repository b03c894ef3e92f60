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

    /** The row before one, if there is any. */
    static final String BEFORE = "SELECT room_version, event_index, lane, due_ms FROM room_outbox FORCE INDEX (PRIMARY)"
            + " WHERE " + Sql.ONE_ROOM + " AND room_version <= ? AND (room_version < ? OR event_index < ?)"
            + " ORDER BY room_version DESC, event_index DESC LIMIT 1";

    /** How many rows there are from one to another. */
    private static final String COUNT = "SELECT COUNT(*) FROM room_outbox FORCE INDEX (PRIMARY) WHERE " + Sql.ONE_ROOM
            + " AND room_version >= ? AND room_version <= ? AND (room_version > ? OR event_index >= ?)"
            + " AND (room_version < ? OR event_index <= ?)";

    private static final String CONTENT = "SELECT " + OutboxSql.FACT_COLUMNS + ", type, envelope, attempts"
            + " FROM room_outbox FORCE INDEX (PRIMARY) WHERE";

    static final String TAKE = "UPDATE room_outbox SET status = 'delivering', worker_id = ?, claim_token = ?,"
            + " due_ms = " + OutboxSql.NOW_MS + " + ? WHERE";

    private static final String POSTPONE = "UPDATE room_outbox SET due_ms = ? WHERE";

    private final Session session;
    private final ClaimRequest request;
    /** Where something is due. */
    private final List<Integer> partitions;

    private final boolean everywhere;
    private boolean windowFull;

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
        Future<Map<FactId, Before>> before = before(due);
        Future<Map<FactId, Claimed>> content = content(due);
        return Future.all(before, content).compose(read -> {
            ClaimPlan plan = ClaimPlan.of(due, before.result(), request.limit());
            List<Future<RowSet<Row>>> sent = new ArrayList<>();
            plan.postponed()
                    .forEach((dueMs, rows) ->
                            sent.addAll(OutboxSql.onFacts(session, POSTPONE, List.of(dueMs), rows, "", List.of())));
            List<Object> claim = List.of(request.workerId(), request.claimToken(), request.claimMs());
            sent.addAll(OutboxSql.onFacts(session, TAKE, claim, plan.taken(), "", List.of()));
            List<Claimed> rows = new ArrayList<>();
            plan.taken().forEach(id -> rows.add(content.result().get(id)));
            return Future.all(sent).map(new Claim(rows, plan.isShort() || windowFull || !everywhere));
        });
    }

    /**
     * What is in front of each row. Within a room only the first one is looked up, as long as the count says that there are no
     * others between them: one statement for each row would take most of a claim's time.
     */
    private Future<Map<FactId, Before>> before(List<FactId> due) {
        Map<FactId, Before> found = new HashMap<>();
        Map<RoomKey, List<FactId>> rooms = new TreeMap<>();
        new TreeSet<>(due)
                .forEach(id -> rooms.computeIfAbsent(id.key(), first -> new ArrayList<>())
                        .add(id));
        List<Future<Void>> asked = new ArrayList<>();
        for (List<FactId> ofRoom : rooms.values()) {
            asked.add(before(ofRoom.get(0), found));
            if (ofRoom.size() > 1) {
                asked.add(followers(ofRoom, found));
            }
        }
        return Future.all(asked).map(found);
    }

    private Future<Void> followers(List<FactId> ofRoom, Map<FactId, Before> found) {
        FactId first = ofRoom.get(0);
        FactId last = ofRoom.get(ofRoom.size() - 1);
        Tuple range = Values.room(
                first.key(),
                first.version(),
                last.version(),
                first.version(),
                first.index(),
                last.version(),
                last.index());
        return session.execute(COUNT, range).compose(rows -> {
            boolean nothingBetween = rows.iterator().next().getLong(0) == ofRoom.size();
            List<Future<Void>> asked = new ArrayList<>();
            for (int i = 1; i < ofRoom.size(); i++) {
                if (nothingBetween) {
                    found.put(ofRoom.get(i), new Before(ofRoom.get(i - 1), false, 0));
                } else {
                    asked.add(before(ofRoom.get(i), found));
                }
            }
            return Future.all(asked).mapEmpty();
        });
    }

    private Future<Void> before(FactId id, Map<FactId, Before> found) {
        return session.execute(BEFORE, Values.room(id.key(), id.version(), id.version(), id.index()))
                .map(rows -> {
                    for (Row row : rows) {
                        FactId inFront = new FactId(id.key(), row.getLong(0), row.getInteger(1));
                        found.put(id, new Before(inFront, row.getInteger(2) < 0, row.getLong(3)));
                    }
                    return null;
                });
    }

    private Future<Map<FactId, Claimed>> content(List<FactId> candidates) {
        List<Future<RowSet<Row>>> asked = OutboxSql.onFacts(session, CONTENT, List.of(), candidates, "", List.of());
        return Future.all(asked).map(all -> {
            Map<FactId, Claimed> content = new HashMap<>();
            for (Future<RowSet<Row>> answer : asked) {
                for (Row row : answer.result()) {
                    FactId id = OutboxSql.factId(row);
                    content.put(id, new Claimed(id, row.getString(4), Values.blob(row, 5), row.getInteger(6)));
                }
            }
            return content;
        });
    }
}
