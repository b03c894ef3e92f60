package dev.roomcell.adapter.mysql;

import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.FactId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pieces that the statements of the outbox are made of. */
final class OutboxSql {
    /** The database's time, ms since 1970; no session's time zone has a say (OUT-7). */
    static final String NOW_MS = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";

    /** The lane of rows that were delivered. */
    static final int DELIVERED_LANE = -1;

    /** The outbox, by the index of what is due: a plan that sorts would read every row of the lane. */
    static final String BY_DUE = "room_outbox FORCE INDEX (room_outbox_due)";

    static final String FACT_COLUMNS = "app_code, room_id, room_version, event_index";

    /**
     * For how long the first row of each partition has been due, ms; negative for not yet, NULL where there is none. One dive
     * into the index for each partition: a GROUP BY over the index reads all rows that are left, whatever EXPLAIN says.
     */
    static final String FIRST_DUE = "SELECT p.partition_no, (SELECT " + NOW_MS + " - o.due_ms FROM room_outbox o"
            + " FORCE INDEX (room_outbox_due) WHERE o.lane = p.partition_no ORDER BY o.due_ms LIMIT 1)"
            + " FROM room_outbox_partitions p";

    /** Reads {@link #FIRST_DUE}: for how long something has been due, in partitions where that is so. */
    static Map<Integer, Long> overdueMs(RowSet<Row> rows) {
        Map<Integer, Long> overdueMs = new HashMap<>();
        for (Row row : rows) {
            Long ms = row.getLong(1);
            if (ms != null && ms >= 0) {
                overdueMs.put(row.getInteger(0), ms);
            }
        }
        return overdueMs;
    }

    /** The most facts that one statement names. */
    static final int FACTS_A_STATEMENT = 128;

    private OutboxSql() {}

    /** {@code count} placeholders in parentheses. */
    static String placeholders(int count) {
        return "(" + Sql.placeholders(count) + ")";
    }

    /** As many as there are partitions, the last one repeated, so that one text does for any number; at least one. */
    static List<Object> all(List<Integer> partitions) {
        List<Object> values = new ArrayList<>(OutboxStore.PARTITIONS + 1);
        for (int i = 0; i < OutboxStore.PARTITIONS; i++) {
            values.add(partitions.get(Math.min(i, partitions.size() - 1)));
        }
        return values;
    }

    static FactId factId(Row row) {
        return new FactId(Values.key(row, 0), row.getLong(2), row.getInteger(3));
    }

    static void addFact(List<Object> values, FactId id) {
        values.add(Values.bytes(id.key().appCode()));
        values.add(Values.bytes(id.key().roomId()));
        values.add(id.version());
        values.add(id.index());
    }

    /** The parameters of {@link Sql#anyOf} with {@link #FACT_COLUMNS}. */
    static void addFacts(List<Object> values, List<FactId> ids) {
        for (int i = 0; i < Sql.filledUp(ids.size()); i++) {
            addFact(values, ids.get(Math.min(i, ids.size() - 1)));
        }
    }

    /** Sends one statement for these facts, or a few for very many: {@code head}, the facts, {@code tail}. */
    static List<Future<RowSet<Row>>> onFacts(
            Session session, String head, List<Object> before, List<FactId> ids, String tail, List<Object> after) {
        List<Future<RowSet<Row>>> sent = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += FACTS_A_STATEMENT) {
            List<FactId> some = ids.subList(from, Math.min(ids.size(), from + FACTS_A_STATEMENT));
            List<Object> values = new ArrayList<>(before);
            addFacts(values, some);
            values.addAll(after);
            sent.add(session.execute(Sql.anyOf(head, FACT_COLUMNS, some.size(), tail), Tuple.wrap(values)));
        }
        return sent;
    }
}
