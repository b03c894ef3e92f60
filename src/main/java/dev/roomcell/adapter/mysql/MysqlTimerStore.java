package dev.roomcell.adapter.mysql;

import dev.roomcell.port.StoreException;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table {@code room_timers}. */
public final class MysqlTimerStore implements TimerStore {
    static final String LOCK = "SELECT app_code, room_id, kind, ref, due_ms FROM room_timers FORCE INDEX (PRIMARY)"
            + " WHERE due_ms <= ? AND";

    static final String MOVE = "UPDATE room_timers FORCE INDEX (PRIMARY) SET due_ms = ? WHERE";

    private final Connections connections;

    /** The timers in the database of {@code connections}. */
    public MysqlTimerStore(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Future<List<DueTimer>> claimDue(TimerClaim claim) {
        return connections
                .beside(connection -> claim(connection, claim).onFailure(failure -> connection.rollback()))
                .recover(failure -> Future.failedFuture(new StoreException("timers not claimed", failure)));
    }

    @Override
    public Future<Void> giveBack(List<GivenBack> timers, long untilMs) {
        return connections
                .beside(connection -> move(connection, timers, untilMs).onFailure(failure -> connection.rollback()))
                .recover(failure -> Future.failedFuture(new StoreException("timers not given back", failure)));
    }

    @Override
    public Future<Void> done(RoomTimer timer, long untilMs) {
        Tuple values = Tuple.tuple();
        addKey(values, timer);
        return change("DELETE FROM room_timers WHERE " + Sql.ONE_TIMER + " AND due_ms = ?", values.addLong(untilMs));
    }

    @Override
    public Future<Void> plan(RoomTimer timer, long dueMs) {
        Tuple values = Tuple.tuple();
        addKey(values, timer);
        return change(
                "INSERT INTO room_timers (app_code, room_id, kind, ref, due_ms) VALUES (?, ?, ?, ?, ?)"
                        + " ON DUPLICATE KEY UPDATE due_ms = LEAST(due_ms, VALUES(due_ms))",
                values.addLong(dueMs));
    }

    private Future<Void> change(String sql, Tuple values) {
        return connections
                .beside(connection -> connection
                        .execute(sql, values)
                        .compose(changed -> connection.commit())
                        .onFailure(failure -> connection.rollback()))
                .recover(failure -> Future.failedFuture(new StoreException("timer not changed", failure)));
    }

    private static Future<Void> move(Session connection, List<GivenBack> timers, long untilMs) {
        List<Future<RowSet<Row>>> moved = new ArrayList<>();
        // In one order whoever gives back: two that share rooms would else wait for each other.
        List<GivenBack> inOrder = timers.stream()
                .sorted(Comparator.comparing((GivenBack given) -> given.timer().key())
                        .thenComparing(given -> given.timer().kind())
                        .thenComparing(given -> given.timer().ref()))
                .toList();
        for (GivenBack given : inOrder) {
            Tuple values = Tuple.of(given.dueMs());
            addKey(values, given.timer());
            moved.add(connection.execute(
                    "UPDATE room_timers SET due_ms = ? WHERE " + Sql.ONE_TIMER + " AND due_ms = ?",
                    values.addLong(untilMs)));
        }
        return Future.all(moved).compose(all -> connection.commit());
    }

    /**
     * Looks without a lock, then locks what is still so by primary key, and takes what others have locked for claimed: it
     * waits for nobody while it holds a lock, so nothing waits in a circle.
     */
    private static Future<List<DueTimer>> claim(Session connection, TimerClaim claim) {
        Future<RowSet<Row>> own = find(connection, claim, claim.nowMs(), "IN");
        Future<RowSet<Row>> ofOthers = find(connection, claim, claim.lateMs(), "NOT IN");
        return Future.all(own, ofOthers).compose(found -> {
            // Each look sees the rows as they are then: of a room that changed hands in between both find the timer.
            List<DueTimer> wanted = Stream.concat(timers(own.result()).stream(), timers(ofOthers.result()).stream())
                    .distinct()
                    .limit(claim.limit())
                    .toList();
            return wanted.isEmpty()
                    ? connection.commit().map(wanted)
                    : lock(connection, claim, wanted).compose(locked -> take(connection, claim, wanted, locked));
        });
    }

    /** What is due by {@code dueMs} of rooms whose owner is this node or nobody ("IN"), or another ("NOT IN"). */
    private static Future<RowSet<Row>> find(Session connection, TimerClaim claim, long dueMs, String whose) {
        // A newer node's timers are left to it, too: one that can't be read would stop all that come after it.
        String kinds =
                claim.kinds().stream().map(kind -> "'" + kind.name() + "'").collect(Collectors.joining(", "));
        return connection.execute(
                // One due column in index order: a plan that sorts would read every candidate.
                "SELECT t.app_code, t.room_id, t.kind, t.ref, t.due_ms FROM room_timers t FORCE INDEX (room_timers_due)"
                        + " STRAIGHT_JOIN rooms r ON r.app_code = t.app_code AND r.room_id = t.room_id"
                        + " WHERE t.due_ms <= ? AND t.kind IN (" + kinds + ") AND r.owner_node_id " + whose + " (?, '')"
                        + " ORDER BY t.due_ms LIMIT ?",
                Tuple.of(dueMs, claim.nodeId(), claim.limit()));
    }

    private static Future<Set<DueTimer>> lock(Session connection, TimerClaim claim, List<DueTimer> due) {
        Tuple values = Tuple.of(claim.nowMs());
        addKeys(values, due);
        String sql = Sql.anyOf(LOCK, Sql.TIMER, due.size(), "FOR UPDATE SKIP LOCKED");
        return connection.execute(sql, values).map(rows -> new HashSet<>(timers(rows)));
    }

    private static Future<List<DueTimer>> take(
            Session connection, TimerClaim claim, List<DueTimer> due, Set<DueTimer> locked) {
        List<DueTimer> taken = due.stream().filter(locked::contains).toList();
        if (taken.isEmpty()) {
            return connection.commit().map(taken);
        }
        Tuple values = Tuple.of(claim.untilMs());
        addKeys(values, taken);
        return connection
                .execute(Sql.anyOf(MOVE, Sql.TIMER, taken.size(), ""), values)
                .compose(moved -> connection.commit())
                .map(taken);
    }

    private static List<DueTimer> timers(RowSet<Row> rows) {
        List<DueTimer> timers = new ArrayList<>();
        for (Row row : rows) {
            RoomTimer timer = new RoomTimer(Values.key(row, 0), Kind.valueOf(row.getString(2)), Values.text(row, 3));
            timers.add(new DueTimer(timer, row.getLong(4)));
        }
        return timers;
    }

    private static void addKeys(Tuple values, List<DueTimer> timers) {
        for (int i = 0; i < Sql.filledUp(timers.size()); i++) {
            addKey(values, timers.get(Math.min(i, timers.size() - 1)).timer());
        }
    }

    private static void addKey(Tuple values, RoomTimer timer) {
        values.addValue(Values.bytes(timer.key().appCode()));
        values.addValue(Values.bytes(timer.key().roomId()));
        values.addString(timer.kind().name());
        values.addValue(Values.bytes(timer.ref()));
    }
}
