package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Deletes old rows of {@code room_command_log}, {@code room_snapshots} and {@code gift_intents}. What is to go is found by a
 * plain read and then named by its primary key, so that nothing else is locked (LEASE-15); but for a table of which half is to
 * go, where the server may look at the other half as well.
 */
public final class MysqlPurgeStore implements PurgeStore {
    /** More snapshots a room has only if they could not be deleted for long. */
    private static final int MOST_SNAPSHOTS = 16;
    /** Intents that one statement names. */
    private static final int GIFTS_A_STATEMENT = 256;

    /** By the key of the log, so that a room costs a dive, whatever has been logged. */
    static final String OLDEST_ROWS = "SELECT version, committed_at_ms <= " + OutboxSql.NOW_MS
            + " - ? FROM room_command_log FORCE INDEX (PRIMARY) WHERE " + Sql.ONE_ROOM
            + " AND version <= ? ORDER BY version LIMIT ?";

    static final String DELETE_ROWS =
            "DELETE FROM room_command_log WHERE " + Sql.ONE_ROOM + " AND version >= ? AND version <= ?";

    /** Nobody may drop them while the rows go that they cover. */
    private static final String HOLD_PROOF =
            "SELECT version FROM room_snapshots WHERE " + Sql.ONE_ROOM + " AND version IN (?, ?) FOR UPDATE";

    private static final String OVER =
            "due_ms IS NULL AND (state = 'VOIDED' OR (state = 'COMMITTED' AND reward_state IN ('NONE', 'PAID')))";

    /** In the order of the index, in which those with nothing left to do stand together, by age. */
    static final String OLD_GIFTS =
            "SELECT app_code, command_id FROM gift_intents FORCE INDEX (gift_intents_due) WHERE " + OVER
                    + " AND begun_at_ms <= " + OutboxSql.NOW_MS + " - ? ORDER BY begun_at_ms LIMIT ?";

    private final Connections connections;
    private final MysqlSnapshotStore snapshots;

    /** The rows in the database of {@code connections}. */
    public MysqlPurgeStore(Connections connections) {
        this.connections = connections;
        this.snapshots = new MysqlSnapshotStore(connections);
    }

    /** Reads the rooms in the order of their key, and of each the ends of what may go: three dives. */
    static String overdueSql(boolean afterKey) {
        return "SELECT r.app_code, r.room_id, " + firstOfLog("version") + ", " + firstOfLog("committed_at_ms") + " <= "
                + OutboxSql.NOW_MS + " - ?, (SELECT s.version FROM room_snapshots s WHERE s.app_code = r.app_code"
                + " AND s.room_id = r.room_id ORDER BY s.version DESC LIMIT 1 OFFSET 1)"
                + " FROM rooms r FORCE INDEX (PRIMARY)"
                // Not (app_code, room_id) > (?, ?): MySQL makes no range of that.
                + (afterKey ? " WHERE r.app_code > ? OR (r.app_code = ? AND r.room_id > ?)" : "")
                + " ORDER BY r.app_code, r.room_id LIMIT ?";
    }

    private static String firstOfLog(String column) {
        // By the ids' index the plan sorts all of a room's log, which it takes for little when it knows little of the
        // table.
        return "(SELECT l." + column + " FROM room_command_log l FORCE INDEX (PRIMARY) WHERE l.app_code = r.app_code"
                + " AND l.room_id = r.room_id ORDER BY l.version LIMIT 1)";
    }

    @Override
    public Future<Page> overdue(Optional<RoomKey> after, int most, long keptMs) {
        List<Object> values = new ArrayList<>(List.of(keptMs));
        after.ifPresent(key -> {
            values.add(Values.bytes(key.appCode()));
            values.add(Values.bytes(key.appCode()));
            values.add(Values.bytes(key.roomId()));
        });
        values.add(most);
        return connections
                .read(overdueSql(after.isPresent()), Tuple.wrap(values))
                .map(rows -> page(rows, most));
    }

    private static Page page(RowSet<Row> rows, int most) {
        List<RoomKey> overdue = new ArrayList<>();
        Optional<RoomKey> last = Optional.empty();
        for (Row row : rows) {
            RoomKey key = Values.key(row, 0);
            Long first = row.getLong(2);
            Long covered = row.getLong(4);
            if (first != null && covered != null && first <= covered && row.getLong(3) == 1) {
                overdue.add(key);
            }
            last = Optional.of(key);
        }
        return new Page(overdue, rows.size() < most ? Optional.empty() : last);
    }

    @Override
    public Future<List<Snapshot>> snapshots(RoomKey key) {
        return snapshots.newestFirst(key, MOST_SNAPSHOTS);
    }

    @Override
    public Future<Integer> purgeLog(RoomKey key, Proof proof, long keptMs, int limit) {
        Tuple values = Tuple.of(keptMs);
        Values.addRoom(values, key);
        values.addValue(proof.covered()).addValue(limit);
        return connections.read(OLDEST_ROWS, values).compose(rows -> {
            List<Long> old = new ArrayList<>();
            for (Row row : rows) {
                if (row.getLong(1) != 1) {
                    // What is left of a log has no gaps.
                    break;
                }
                old.add(row.getLong(0));
            }
            return old.isEmpty() ? Future.succeededFuture(0) : delete(key, proof, old);
        });
    }

    private Future<Integer> delete(RoomKey key, Proof proof, List<Long> versions) {
        long first = versions.get(0);
        long last = versions.get(versions.size() - 1);
        return connections
                .beside(session -> session.execute(HOLD_PROOF, Values.room(key, proof.covered(), proof.newest()))
                        .compose(held -> held.size() < 2
                                ? session.rollback().map(0)
                                : session.execute(DELETE_ROWS, Values.room(key, first, last))
                                        .compose(gone -> session.commit().map(gone.rowCount())))
                        .recover(
                                failure -> session.rollback().compose(undone -> Future.<Integer>failedFuture(failure))))
                .recover(failure -> Future.failedFuture(new StoreException("log rows not purged", failure)));
    }

    @Override
    public Future<Integer> purgeSnapshots(RoomKey key, Proof proof) {
        return snapshots.purge(key, Optional.of(proof));
    }

    @Override
    public Future<Integer> purgeGifts(long keptMs, int limit) {
        return connections.read(OLD_GIFTS, Tuple.of(keptMs, limit)).compose(rows -> {
            List<GiftKey> old = new ArrayList<>();
            rows.forEach(row -> old.add(new GiftKey(Values.text(row, 0), Values.text(row, 1))));
            old.sort(GiftKey::compareTo);
            return deleteGifts(old, 0);
        });
    }

    /** A few statements that each commit by themselves: an intent needs no other. */
    private Future<Integer> deleteGifts(List<GiftKey> keys, int deleted) {
        if (keys.isEmpty()) {
            return Future.succeededFuture(deleted);
        }
        List<GiftKey> some = keys.subList(0, Math.min(keys.size(), GIFTS_A_STATEMENT));
        List<Object> values = new ArrayList<>();
        for (GiftKey key : some) {
            values.add(Values.bytes(key.appCode()));
            values.add(Values.bytes(key.commandId()));
        }
        GiftSql.fillUp(values);
        String sql = Sql.anyOf(
                "DELETE FROM gift_intents WHERE", GiftSql.INTENT, some.size(), "AND " + OVER + Sql.limit(some.size()));
        return connections
                .read(sql, Tuple.wrap(values))
                .compose(gone -> deleteGifts(keys.subList(some.size(), keys.size()), deleted + gone.rowCount()));
    }
}
