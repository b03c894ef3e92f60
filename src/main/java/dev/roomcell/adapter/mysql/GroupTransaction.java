package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.RoomBatch;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One transaction for the batches of many rooms. It locks the rows, compares version and epoch under the lock
 * (LEASE-11), and writes for the rooms that pass; the order of tables is the same in every transaction (LEASE-15).
 */
final class GroupTransaction {
    private static final Sql.MultiRow ROOMS = new Sql.MultiRow(
            "INSERT INTO rooms (app_code, room_id, state, version, lease_epoch, owner_node_id, lease_token, live) VALUES",
            8,
            "ON DUPLICATE KEY UPDATE state = VALUES(state), version = VALUES(version),"
                    + " owner_node_id = VALUES(owner_node_id), lease_token = VALUES(lease_token), live = VALUES(live)");

    private static final Sql.MultiRow LOG = new Sql.MultiRow(
            "INSERT INTO room_command_log (app_code, room_id, version, command_id, payload_hash, kind, actor_user_id,"
                    + " committed_at_ms, command, events, result, owner_node_id, lease_token, lease_epoch) VALUES",
            14,
            "");

    private static final Sql.MultiRow OUTBOX = new Sql.MultiRow(
            "INSERT INTO room_outbox (app_code, room_id, room_version, event_index, partition_no, type, status,"
                    + " envelope) VALUES",
            8,
            "");

    private static final Sql.MultiRow TIMERS = new Sql.MultiRow(
            "INSERT INTO room_timers (app_code, room_id, kind, ref, due_ms) VALUES",
            5,
            "ON DUPLICATE KEY UPDATE due_ms = VALUES(due_ms)");

    /** Whatever the statistics say: a scan would lock rooms that nobody asked for. */
    static final String LOCK_ROOMS =
            "SELECT app_code, room_id, version, lease_epoch FROM rooms FORCE INDEX (PRIMARY) WHERE";

    private final Session connection;
    private final List<RoomBatch> batches;
    private final boolean skipLocked;

    GroupTransaction(Session connection, List<RoomBatch> batches, boolean skipLocked) {
        this.connection = connection;
        this.batches = batches;
        this.skipLocked = skipLocked;
    }

    private record RowFence(long version, long epoch) {}

    /** Never fails. */
    Future<GroupOutcome> run() {
        return lock().compose(this::writeAllowed).recover(this::rolledBack);
    }

    private Future<GroupOutcome> rolledBack(Throwable failure) {
        GroupOutcome outcome =
                new GroupOutcome.RolledBack(Failures.causeOf(failure), String.valueOf(failure.getMessage()));
        return connection.rollback().map(outcome);
    }

    private Future<Map<RoomKey, RowFence>> lock() {
        String sql =
                Sql.anyOf(LOCK_ROOMS, Sql.ROOM, batches.size(), skipLocked ? "FOR UPDATE SKIP LOCKED" : "FOR UPDATE");
        int keys = Sql.filledUp(batches.size());
        List<Object> values = new ArrayList<>(2 * keys);
        for (int i = 0; i < keys; i++) {
            RoomKey key = batches.get(Math.min(i, batches.size() - 1)).key();
            values.add(Values.bytes(key.appCode()));
            values.add(Values.bytes(key.roomId()));
        }
        return connection.execute(sql, Tuple.wrap(values)).map(rows -> {
            Map<RoomKey, RowFence> locked = new HashMap<>();
            for (Row row : rows) {
                locked.put(Values.key(row, 0), new RowFence(row.getLong(2), row.getLong(3)));
            }
            return locked;
        });
    }

    private Verdict verdict(RoomBatch batch, @Nullable RowFence row) {
        if (row == null) {
            return skipLocked ? Verdict.BUSY : Verdict.FENCED;
        }
        if (row.epoch != batch.epoch()) {
            return Verdict.FENCED;
        }
        return row.version == batch.expectedVersion() ? Verdict.APPENDED : Verdict.VERSION_CONFLICT;
    }

    private Future<GroupOutcome> writeAllowed(Map<RoomKey, RowFence> locked) {
        List<Verdict> verdicts = new ArrayList<>(batches.size());
        List<RoomBatch> allowed = new ArrayList<>(batches.size());
        for (RoomBatch batch : batches) {
            Verdict verdict = verdict(batch, locked.get(batch.key()));
            verdicts.add(verdict);
            if (verdict == Verdict.APPENDED) {
                allowed.add(batch);
            }
        }
        if (allowed.isEmpty()) {
            return connection.rollback().map(new GroupOutcome.Committed(verdicts));
        }
        return write(allowed).compose(written -> commit(verdicts));
    }

    /** From the moment COMMIT leaves, only its answer tells whether it happened (LEASE-12). */
    private Future<GroupOutcome> commit(List<Verdict> verdicts) {
        return connection
                .commit()
                .<GroupOutcome>map(new GroupOutcome.Committed(verdicts))
                .otherwise(failure -> new GroupOutcome.Unknown(verdicts, String.valueOf(failure.getMessage())));
    }

    /** All statements leave at once; the first that failed, in their order, is the failure. */
    private Future<Void> write(List<RoomBatch> allowed) {
        List<Future<RowSet<Row>>> sent = new ArrayList<>();
        sent.addAll(ROOMS.send(roomValues(allowed), connection::execute));
        sent.addAll(LOG.send(logValues(allowed), connection::execute));
        List<Object> facts = outboxValues(allowed);
        sent.addAll(OUTBOX.send(facts, connection::execute));
        sent.addAll(sendTimers(allowed));
        List<Future<Void>> ended = GiftSql.commit(connection, allowed);
        List<Object> lines = new ArrayList<>();
        allowed.forEach(batch -> batch.listEntry().ifPresent(entry -> MysqlRoomListStore.addValues(lines, entry)));
        sent.addAll(MysqlRoomListStore.LINES.send(lines, connection::execute));
        List<Future<?>> all = new ArrayList<>(sent);
        all.addAll(ended);
        return Future.join(all).transform(joined -> {
            for (Future<?> each : all) {
                if (each.failed()) {
                    return Future.failedFuture(each.cause());
                }
            }
            return Future.succeededFuture();
        });
    }

    private List<Future<RowSet<Row>>> sendTimers(List<RoomBatch> allowed) {
        List<Future<RowSet<Row>>> sent = new ArrayList<>();
        List<Object> set = new ArrayList<>();
        for (RoomBatch batch : allowed) {
            if (batch.clearTimers()) {
                sent.add(connection.execute("DELETE FROM room_timers WHERE " + Sql.ONE_ROOM, Values.room(batch.key())));
            }
            for (RoomBatch.TimerChange timer : batch.timers()) {
                List<Object> values = new ArrayList<>(5);
                values.add(Values.bytes(batch.key().appCode()));
                values.add(Values.bytes(batch.key().roomId()));
                values.add(timer.kind().name());
                values.add(Values.bytes(timer.ref()));
                if (timer.dueMs().isPresent()) {
                    values.add(timer.dueMs().getAsLong());
                    set.addAll(values);
                } else {
                    // One by one: of several in a small table the plan is a scan, which waits for rooms of others, and
                    // FORCE INDEX does not change that.
                    sent.add(connection.execute("DELETE FROM room_timers WHERE " + Sql.ONE_TIMER, Tuple.wrap(values)));
                }
            }
        }
        sent.addAll(TIMERS.send(set, connection::execute));
        return sent;
    }

    private static List<Object> roomValues(List<RoomBatch> allowed) {
        List<Object> values = new ArrayList<>(8 * allowed.size());
        for (RoomBatch batch : allowed) {
            values.add(Values.bytes(batch.key().appCode()));
            values.add(Values.bytes(batch.key().roomId()));
            values.add(batch.statusAfter().name());
            values.add(batch.versionAfter());
            values.add(batch.epoch());
            values.add(batch.nodeId());
            values.add(batch.leaseToken());
            values.add(batch.liveAfter());
        }
        return values;
    }

    private static List<Object> logValues(List<RoomBatch> allowed) {
        List<Object> values = new ArrayList<>();
        for (RoomBatch batch : allowed) {
            for (RoomBatch.LogRow row : batch.rows()) {
                values.add(Values.bytes(batch.key().appCode()));
                values.add(Values.bytes(batch.key().roomId()));
                values.add(row.version());
                values.add(Values.bytes(row.commandId()));
                values.add(Values.bytes(row.payloadHash()));
                values.add(row.kind());
                values.add(Values.bytes(row.actorUserId()));
                values.add(row.atMs());
                values.add(Values.bytes(row.command()));
                values.add(Values.bytes(row.events()));
                values.add(Values.bytes(row.result()));
                values.add(batch.nodeId());
                values.add(batch.leaseToken());
                values.add(batch.epoch());
            }
        }
        return values;
    }

    private static List<Object> outboxValues(List<RoomBatch> allowed) {
        List<Object> values = new ArrayList<>();
        for (RoomBatch batch : allowed) {
            int partition = OutboxStore.partitionOf(batch.key());
            for (RoomBatch.LogRow row : batch.rows()) {
                for (RoomBatch.Fact fact : row.facts()) {
                    if (!fact.durable()) {
                        continue;
                    }
                    values.add(Values.bytes(batch.key().appCode()));
                    values.add(Values.bytes(batch.key().roomId()));
                    values.add(row.version());
                    values.add(fact.index());
                    values.add(partition);
                    values.add(fact.type());
                    values.add("pending");
                    values.add(Values.bytes(fact.envelope()));
                }
            }
        }
        return values;
    }
}
