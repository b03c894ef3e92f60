package dev.roomcell.adapter.mysql;

import dev.roomcell.port.StoreException;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table {@code room_timers}. */
public final class MysqlTimerStore implements TimerStore {
    /** A newer node's timers are left to it: one that can't be read would stop all that come after it. */
    private static final String KINDS =
            Stream.of(Kind.values()).map(kind -> "'" + kind.name() + "'").collect(Collectors.joining(", "));

    private final Connections connections;

    /** The timers in the database of {@code connections}. */
    public MysqlTimerStore(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Future<List<DueTimer>> claimDue(long nowMs, long untilMs, int limit) {
        return connections
                .beside(connection ->
                        claim(connection, nowMs, untilMs, limit).onFailure(failure -> connection.rollback()))
                .recover(failure -> Future.failedFuture(new StoreException("timers not claimed", failure)));
    }

    @Override
    public Future<Void> giveBack(List<DueTimer> timers, long untilMs, long dueMs) {
        return connections
                .beside(connection ->
                        move(connection, timers, untilMs, dueMs).onFailure(failure -> connection.rollback()))
                .recover(failure -> Future.failedFuture(new StoreException("timers not given back", failure)));
    }

    private static Future<Void> move(Session connection, List<DueTimer> timers, long fromMs, long toMs) {
        List<Future<RowSet<Row>>> moved = new ArrayList<>();
        // In one order whoever gives back: two that share rooms would else wait for each other.
        List<DueTimer> inOrder =
                timers.stream().sorted(Comparator.comparing(DueTimer::key)).toList();
        for (DueTimer timer : inOrder) {
            moved.add(connection.execute(
                    "UPDATE room_timers SET due_ms = ? WHERE " + Sql.ONE_ROOM + " AND kind = ? AND due_ms = ?",
                    Tuple.of(
                            toMs,
                            Values.bytes(timer.key().appCode()),
                            Values.bytes(timer.key().roomId()),
                            timer.kind().name(),
                            fromMs)));
        }
        return Future.all(moved).compose(all -> connection.commit());
    }

    private static Future<List<DueTimer>> claim(Session connection, long nowMs, long untilMs, int limit) {
        // One due column in index order: a plan that sorts would lock every candidate.
        String select = "SELECT app_code, room_id, kind FROM room_timers WHERE due_ms <= ? AND kind IN (" + KINDS
                + ") ORDER BY due_ms LIMIT ? FOR UPDATE SKIP LOCKED";
        return connection.execute(select, Tuple.of(nowMs, limit)).compose(rows -> {
            List<DueTimer> due = new ArrayList<>();
            List<Future<RowSet<Row>>> moved = new ArrayList<>();
            for (Row row : rows) {
                DueTimer timer = new DueTimer(Values.key(row, 0), Kind.valueOf(row.getString(2)));
                due.add(timer);
                moved.add(connection.execute(
                        "UPDATE room_timers SET due_ms = ? WHERE " + Sql.ONE_ROOM + " AND kind = ?",
                        Tuple.of(
                                untilMs,
                                Values.bytes(timer.key().appCode()),
                                Values.bytes(timer.key().roomId()),
                                timer.kind().name())));
            }
            return Future.all(moved).compose(all -> connection.commit()).map(due);
        });
    }
}
