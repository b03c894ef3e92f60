package dev.roomcell.adapter.mysql;

import static dev.roomcell.adapter.mysql.MeasuredSchema.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.mysql.MeasuredSchema.Step;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How the server finds rows by keys: those rows and no others are read, and so locked (LEASE-15), also in a table of so few
 * rows that a scan would seem cheaper.
 */
final class KeyPlanIT {
    private static final int ROWS = 140;
    private static final int[] KEYS = {1, 2, 3, 20, 64, 128};

    private static MeasuredSchema tables;

    @BeforeAll
    static void fillTheTables() throws SQLException {
        tables = MeasuredSchema.make();
        fill("INSERT INTO rooms (app_code, room_id, state, version, lease_epoch, owner_node_id, lease_token, live)"
                + " VALUES ('app', ?, 'ACTIVE', 1, 1, 'node', 't', TRUE)");
        fill("INSERT INTO room_timers (app_code, room_id, kind, ref, due_ms) VALUES ('app', ?, 'STALE_SWEEP', '', 1)");
        fill(
                "INSERT INTO room_outbox (app_code, room_id, room_version, event_index, partition_no, type, status, envelope)"
                        + " VALUES ('app', ?, 1, 0, 7, 'T', 'pending', '')");
        fill("INSERT INTO gift_intents (app_code, command_id, room_id, payload_hash, actor_user_id, gift_id, pieces,"
                + " unit_price, total_price, lucky, state, reward_state, reward, begun_at_ms, due_ms, tries)"
                + " VALUES ('app', ?, 'room', '', 'ann', 'rose', 1, 1, 1, FALSE, 'INTENT', 'NONE', 0, 1, 2, 0)");
        tables.filled("rooms", "room_timers", "room_outbox", "gift_intents");
    }

    private static void fill(String sql) throws SQLException {
        try (PreparedStatement row = tables.insert(sql)) {
            for (int i = 0; i < ROWS; i++) {
                row.setBytes(1, bytes("room-" + i));
                row.addBatch();
            }
            row.executeBatch();
        }
    }

    @AfterAll
    static void close() throws SQLException {
        tables.close();
    }

    static Stream<Arguments> statements() {
        return Stream.of(
                statement("rooms are locked", GroupTransaction.LOCK_ROOMS, Sql.ROOM, "FOR UPDATE SKIP LOCKED"),
                statement(
                        "timers are moved",
                        MysqlTimerStore.MOVE.replace("?", "2"),
                        Sql.TIMER,
                        "",
                        "STALE_SWEEP",
                        bytes("")),
                statement(
                        "timers are locked",
                        MysqlTimerStore.LOCK.replace("?", "2"),
                        Sql.TIMER,
                        "FOR UPDATE SKIP LOCKED",
                        "STALE_SWEEP",
                        bytes("")),
                statement(
                        "facts are taken",
                        ClaimTransaction.TAKE
                                .replaceFirst("\\?", "'w'")
                                .replaceFirst("\\?", "'t'")
                                .replaceFirst("\\?", "9"),
                        OutboxSql.FACT_COLUMNS,
                        "",
                        1,
                        0),
                statement(
                        "facts are postponed",
                        ClaimTransaction.POSTPONE.replace("?", "9"),
                        OutboxSql.FACT_COLUMNS,
                        "",
                        1,
                        0),
                statement("gifts are found", MysqlGiftStore.FIND, GiftSql.INTENT, ""),
                statement("gifts are given", GiftSql.COMMIT, GiftSql.INTENT, ""),
                statement("facts are read", ClaimTransaction.CONTENT, OutboxSql.FACT_COLUMNS, "", 1, 0));
    }

    private static Arguments statement(String what, String head, String columns, String tail, Object... behindRoom) {
        return Arguments.of(Named.of(what, head), columns, tail, List.of(behindRoom));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void onlyTheNamedRowsAreRead(String head, String columns, String tail, List<Object> behindRoom)
            throws SQLException {
        for (int keys : KEYS) {
            onlyThoseAreRead(Sql.anyOf(head, columns, keys, tail), keys, behindRoom);
        }
    }

    /** Of a table of which nearly all is named the server reads the rest as well. */
    @Test
    void onlyTheNamedRowsAreReadForADelete() throws SQLException {
        for (int keys : new int[] {1, 2, 3, 20, 64}) {
            onlyThoseAreRead(
                    Sql.anyOf("DELETE FROM gift_intents WHERE", GiftSql.INTENT, keys, Sql.limit(keys)),
                    keys,
                    List.of());
            onlyThoseAreRead(
                    Sql.anyOf(
                            "DELETE FROM room_outbox WHERE",
                            OutboxSql.FACT_COLUMNS,
                            keys,
                            Sql.limit(OutboxSql.FACTS_A_STATEMENT)),
                    keys,
                    List.of(1, 0));
        }
    }

    private static void onlyThoseAreRead(String sql, int keys, List<Object> behindRoom) throws SQLException {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < Sql.filledUp(keys); i++) {
            values.add(bytes("app"));
            values.add(bytes("room-" + Math.min(i, keys - 1)));
            values.addAll(behindRoom);
        }
        Step step = tables.plan(sql, values.toArray()).get(0);
        assertThat(step.key()).as("%s keys: %s", keys, step).isEqualTo("PRIMARY");
        long before = tables.rowsRead();
        int found =
                sql.startsWith("SELECT") ? tables.rows(sql, values.toArray()) : tables.changes(sql, values.toArray());
        assertThat(found).isEqualTo(keys);
        assertThat(tables.rowsRead() - before).as("rows read for %s keys", keys).isLessThanOrEqualTo(2L * keys + 3);
    }
}
