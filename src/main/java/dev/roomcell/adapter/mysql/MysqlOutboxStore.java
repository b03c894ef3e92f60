package dev.roomcell.adapter.mysql;

import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The tables {@code room_outbox}, {@code room_outbox_partitions} and {@code room_outbox_workers}. */
public final class MysqlOutboxStore implements OutboxStore {
    /** A transaction that lost a deadlock or a wait is tried so often in all; each wait takes its time by itself. */
    private static final int TRIES = 4;
    /** A worker that has been dead for so long is forgotten, ms. */
    private static final long REMEMBERED_MS = 600_000;

    private static final String LOCK_PARTITIONS = "SELECT partition_no, worker_id, lease_until_ms > " + OutboxSql.NOW_MS
            + " FROM room_outbox_partitions FORCE INDEX (PRIMARY) ORDER BY partition_no FOR UPDATE";

    private static final String LIVE = "INSERT INTO room_outbox_workers (worker_id, alive_until_ms) VALUES (?, "
            + OutboxSql.NOW_MS + " + ?) ON DUPLICATE KEY UPDATE alive_until_ms = VALUES(alive_until_ms)";

    private static final String LIVING =
            "SELECT COUNT(*) FROM room_outbox_workers WHERE alive_until_ms > " + OutboxSql.NOW_MS;

    private static final String FORGET =
            "DELETE FROM room_outbox_workers WHERE alive_until_ms < " + OutboxSql.NOW_MS + " - ?";

    private static final String SET_HOLDER = "UPDATE room_outbox_partitions SET worker_id = ?, lease_until_ms = "
            + OutboxSql.NOW_MS + " + ? WHERE partition_no IN " + OutboxSql.placeholders(PARTITIONS);

    private static final String DELIVERED_BEFORE = "SELECT " + OutboxSql.FACT_COLUMNS + " FROM " + OutboxSql.BY_DUE
            + " WHERE lane = " + OutboxSql.DELIVERED_LANE + " AND due_ms <= " + OutboxSql.NOW_MS
            + " - ? ORDER BY due_ms LIMIT ?";

    private static final String COUNT = "SELECT COUNT(*) FROM (SELECT 1 FROM " + OutboxSql.BY_DUE + " WHERE lane IN "
            + OutboxSql.placeholders(PARTITIONS) + " LIMIT " + Backlog.MOST_ROWS + ") AS rows_left";

    private final Connections connections;

    /** The outbox in the database of {@code connections}. */
    public MysqlOutboxStore(Connections connections) {
        this.connections = connections;
    }

    private <T> Future<T> transaction(String undone, Function<Session, Future<T>> work) {
        return attempt(work, TRIES).recover(failure -> Future.failedFuture(new StoreException(undone, failure)));
    }

    private <T> Future<T> attempt(Function<Session, Future<T>> work, int triesLeft) {
        return connections
                .beside(session -> work.apply(session)
                        .compose(done -> session.commit().map(done))
                        .recover(failure -> session.rollback().compose(undone -> Future.<T>failedFuture(failure))))
                .recover(failure -> triesLeft > 1 && Failures.causeOf(failure) == Cause.TRANSIENT
                        ? attempt(work, triesLeft - 1)
                        : Future.failedFuture(failure));
    }

    @Override
    public Future<List<Integer>> lease(String workerId, long leaseMs) {
        return transaction(
                "partitions not leased",
                session -> session.execute(LOCK_PARTITIONS, Tuple.tuple())
                        .compose(partitions -> Future.all(List.of(
                                        session.execute(LIVE, Tuple.of(workerId, leaseMs)),
                                        session.execute(FORGET, Tuple.of(REMEMBERED_MS))))
                                .compose(living -> session.execute(LIVING, Tuple.tuple()))
                                .compose(living -> share(
                                        session,
                                        workerId,
                                        leaseMs,
                                        partitions,
                                        living.iterator().next().getInteger(0)))));
    }

    private static Future<List<Integer>> share(
            Session session, String workerId, long leaseMs, RowSet<Row> partitions, int living) {
        int share = (PARTITIONS + living - 1) / living;
        List<Integer> mine = new ArrayList<>();
        List<Integer> free = new ArrayList<>();
        for (Row row : partitions) {
            boolean held = !row.getString(1).isEmpty() && row.getLong(2) == 1;
            if (row.getString(1).equals(workerId)) {
                mine.add(row.getInteger(0));
            } else if (!held) {
                free.add(row.getInteger(0));
            }
        }
        List<Integer> kept = new ArrayList<>(mine.subList(0, Math.min(share, mine.size())));
        List<Integer> tooMany = mine.subList(kept.size(), mine.size());
        kept.addAll(free.subList(0, Math.min(share - kept.size(), free.size())));
        kept.sort(Integer::compare);
        return setHolder(session, workerId, leaseMs, kept)
                .compose(taken -> setHolder(session, "", 0, tooMany))
                .map(kept);
    }

    private static Future<Void> setHolder(Session session, String workerId, long leaseMs, List<Integer> partitions) {
        if (partitions.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Object> values = new ArrayList<>(List.of(workerId, leaseMs));
        values.addAll(OutboxSql.all(partitions));
        return session.execute(SET_HOLDER, Tuple.wrap(values)).mapEmpty();
    }

    @Override
    public Future<Void> release(String workerId) {
        return transaction(
                "partitions not released",
                session -> session.execute(LOCK_PARTITIONS, Tuple.tuple()).compose(partitions -> {
                    List<Integer> mine = new ArrayList<>();
                    for (Row row : partitions) {
                        if (row.getString(1).equals(workerId)) {
                            mine.add(row.getInteger(0));
                        }
                    }
                    return setHolder(session, "", 0, mine)
                            .compose(released -> session.execute(
                                    "DELETE FROM room_outbox_workers WHERE worker_id = ?", Tuple.of(workerId)))
                            .mapEmpty();
                }));
    }

    @Override
    public Future<Claim> claim(ClaimRequest request) {
        if (request.partitions().isEmpty()) {
            return Future.succeededFuture(new Claim(List.of(), false));
        }
        Future<Boolean> any = request.likely()
                ? Future.succeededFuture(true)
                : connections
                        .read(OutboxSql.FIRST_DUE, Tuple.tuple())
                        .map(rows ->
                                OutboxSql.overdueMs(rows).keySet().stream().anyMatch(request.partitions()::contains));
        return any.compose(due -> due
                ? transaction("nothing claimed", session -> new ClaimTransaction(session, request).run())
                : Future.succeededFuture(new Claim(List.of(), false)));
    }

    /** What is the same for many rows, so that they go in one statement. */
    private record Fate(End end, long delayMs, String error) {}

    @Override
    public Future<Integer> finish(String claimToken, List<Finish> finishes) {
        Map<Fate, List<FactId>> fates = new LinkedHashMap<>();
        Set<Integer> partitions = new TreeSet<>();
        for (Finish finish : finishes) {
            partitions.add(OutboxStore.partitionOf(finish.id().key()));
            fates.computeIfAbsent(new Fate(finish.end(), finish.delayMs(), finish.error()), first -> new ArrayList<>())
                    .add(finish.id());
        }
        if (fates.isEmpty()) {
            return Future.succeededFuture(0);
        }
        // As a claim does, so that neither ever waits for the other in the middle.
        String lock = "SELECT partition_no FROM room_outbox_partitions FORCE INDEX (PRIMARY) WHERE partition_no IN "
                + OutboxSql.placeholders(PARTITIONS) + " FOR UPDATE";
        return transaction(
                "claimed rows not finished",
                session -> session.execute(lock, Tuple.wrap(OutboxSql.all(List.copyOf(partitions))))
                        .compose(locked -> {
                            List<Future<RowSet<Row>>> sent = new ArrayList<>();
                            fates.forEach((fate, ids) -> sent.addAll(send(session, claimToken, fate, ids)));
                            return Future.all(sent)
                                    .map(all -> sent.stream()
                                            .mapToInt(
                                                    changed -> changed.result().rowCount())
                                            .sum());
                        }));
    }

    private static List<Future<RowSet<Row>>> send(Session session, String claimToken, Fate fate, List<FactId> ids) {
        List<Object> values = new ArrayList<>();
        StringBuilder head =
                new StringBuilder("UPDATE room_outbox FORCE INDEX (PRIMARY) SET due_ms = ").append(OutboxSql.NOW_MS);
        switch (fate.end) {
            case DELIVERED -> head.append(", status = 'delivered'");
            case PARKED -> head.append(", attempts = attempts + 1, status = 'failed'");
            case RETRY -> head.append(" + ?, attempts = attempts + 1, status = 'retryable'");
            case PUT_BACK -> head.append(" + ?, status = 'retryable'");
        }
        if (fate.end == End.RETRY || fate.end == End.PUT_BACK) {
            values.add(fate.delayMs);
        }
        if (!fate.error.isEmpty()) {
            head.append(", last_error = ?");
            values.add(fate.error.substring(0, Math.min(fate.error.length(), ERROR_CHARS)));
        }
        return OutboxSql.onFacts(
                session,
                head.append(" WHERE").toString(),
                values,
                ids,
                "AND status = 'delivering' AND claim_token = ?",
                List.of(claimToken));
    }

    @Override
    public Future<Integer> purge(long keptMs, int limit) {
        return connections.read(DELIVERED_BEFORE, Tuple.of(keptMs, limit)).compose(rows -> {
            List<FactId> old = new ArrayList<>();
            rows.forEach(row -> old.add(OutboxSql.factId(row)));
            if (old.isEmpty()) {
                return Future.succeededFuture(0);
            }
            old.sort(FactId::compareTo);
            // By primary key: a plan by the lane would lock rows that are to stay.
            return transaction("delivered rows not purged", session -> {
                List<Future<RowSet<Row>>> sent = OutboxSql.onFacts(
                        session,
                        "DELETE FROM room_outbox WHERE",
                        List.of(),
                        old,
                        "AND status = 'delivered'" + Sql.limit(OutboxSql.FACTS_A_STATEMENT),
                        List.of());
                return Future.all(sent).map(old.size());
            });
        });
    }

    @Override
    public Future<Backlog> backlog(List<Integer> partitions) {
        if (partitions.isEmpty()) {
            return Future.succeededFuture(new Backlog(0, 0));
        }
        return connections
                .read(COUNT, Tuple.wrap(OutboxSql.all(partitions)))
                .compose(counted -> connections
                        .read(OutboxSql.FIRST_DUE, Tuple.tuple())
                        .map(rows -> {
                            Map<Integer, Long> due = OutboxSql.overdueMs(rows);
                            long overdueMs = partitions.stream()
                                    .mapToLong(partition -> due.getOrDefault(partition, 0L))
                                    .max()
                                    .orElse(0);
                            return new Backlog(counted.iterator().next().getLong(0), overdueMs);
                        }));
    }
}
