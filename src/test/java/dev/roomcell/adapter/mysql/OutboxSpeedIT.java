package dev.roomcell.adapter.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.config.NodeConfig;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.Claim;
import dev.roomcell.port.OutboxStore.ClaimRequest;
import dev.roomcell.port.OutboxStore.End;
import dev.roomcell.port.OutboxStore.Finish;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outbox with many rows (P12, B82). A build takes a hundredth; {@code -Doutbox.versions=600} is 1,000,000 delivered and
 * 200,000 pending ones, and prints the figures and the plans.
 */
@Alone
final class OutboxSpeedIT {
    private static final Logger log = LoggerFactory.getLogger(OutboxSpeedIT.class);
    private static final int VERSIONS = Integer.getInteger("outbox.versions", 6);
    /** Of six versions so many are delivered. */
    private static final int DELIVERED_OF_SIX = 5;

    private static final int ROOMS = 2_000;
    private static final int CLAIMS = Math.min(600, VERSIONS);
    /** Claims that are not measured: a fresh JVM compiles, and a fresh pool reads its pages. */
    private static final int WARM_UP = CLAIMS / 2;

    /** The rows of B82's claim. */
    private static final int BATCH = 100;

    private final List<Integer> partitions = new ArrayList<>();
    private Vertx vertx;
    private Context context;
    private MysqlSettings settings;
    private Connection jdbc;

    @BeforeEach
    void fill() throws SQLException {
        vertx = Vertx.vertx();
        context = vertx.getOrCreateContext();
        SharedServers.MysqlServer server = SharedServers.mysql();
        String schema = SharedServers.newSchema();
        settings = new MysqlSettings(
                "127.0.0.1", server.port(), server.user(), server.password(), schema, 4, 5_000, 60_000, 10_000);
        Migrations.migrate(settings);
        jdbc = DriverManager.getConnection(
                server.jdbcUrl(schema) + "&rewriteBatchedStatements=true", server.user(), server.password());
        insertFirstVersion();
        for (int there = 1; there < VERSIONS; there *= 2) {
            insertAsManyMore(there);
        }
        run("ANALYZE TABLE room_outbox");
        log.info("rows: {}", rows("SELECT status, COUNT(*) FROM room_outbox GROUP BY status"));
    }

    @AfterEach
    void close() throws SQLException {
        jdbc.close();
        Await.result(vertx.close());
    }

    private void insertFirstVersion() throws SQLException {
        String sql =
                "INSERT INTO room_outbox (app_code, room_id, room_version, event_index, partition_no, type, status,"
                        + " envelope) VALUES ('app', ?, 1, 0, ?, 'RoomUserJoined', 'delivered', ?)";
        try (PreparedStatement insert = jdbc.prepareStatement(sql)) {
            for (int i = 0; i < ROOMS; i++) {
                String roomId = "room-" + i;
                insert.setBytes(1, roomId.getBytes(StandardCharsets.UTF_8));
                insert.setInt(2, OutboxStore.partitionOf(new RoomKey("app", roomId)));
                insert.setBytes(3, new byte[200]);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private void insertAsManyMore(int there) throws SQLException {
        run(
                "INSERT INTO room_outbox (app_code, room_id, room_version, event_index, partition_no, type, status, envelope)"
                        + " SELECT app_code, room_id, room_version + " + there
                        + ", 0, partition_no, type, IF(room_version + "
                        + there + " <= " + VERSIONS * DELIVERED_OF_SIX / 6 + ", 'delivered', 'pending'), envelope"
                        + " FROM room_outbox WHERE room_version + " + there + " <= " + VERSIONS);
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = jdbc.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> rows(String sql, Object... values) throws SQLException {
        try (PreparedStatement query = jdbc.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                query.setObject(i + 1, values[i]);
            }
            try (ResultSet found = query.executeQuery()) {
                List<String> rows = new ArrayList<>();
                while (found.next()) {
                    List<String> row = new ArrayList<>();
                    for (int column = 1; column <= found.getMetaData().getColumnCount(); column++) {
                        row.add(found.getMetaData().getColumnLabel(column) + "=" + found.getString(column));
                    }
                    rows.add(String.join(" ", row));
                }
                return rows;
            }
        }
    }

    private <T> T onLoop(Supplier<Future<T>> call) {
        Promise<T> answer = Promise.promise();
        context.runOnContext(turn -> call.get().onComplete(answer));
        return Await.result(answer.future());
    }

    /** What is due is found by the index, in its order, and everything else by primary key; nothing is sorted. */
    @Test
    @Tag("P12")
    void noPlanReadsMoreThanItMust() throws SQLException {
        String firstDue = told("first due", "EXPLAIN " + OutboxSql.FIRST_DUE);
        String unfinished = told("first look", "EXPLAIN " + ClaimTransaction.unfinished(4), 5, 6, 7, 8);
        String due = told("candidates", "EXPLAIN " + ClaimTransaction.DUE, 5, 16);
        byte[] app = "app".getBytes(StandardCharsets.UTF_8);
        byte[] room = "room-7".getBytes(StandardCharsets.UTF_8);
        String upTo = told("up to one", "EXPLAIN " + ClaimTransaction.UP_TO, app, room, 5, 5, 0, 9);
        String take = told(
                "take",
                "EXPLAIN " + Sql.anyOf(ClaimTransaction.TAKE, OutboxSql.FACT_COLUMNS, 2, ""),
                "w",
                "t",
                30_000,
                app,
                room,
                5,
                0,
                app,
                room,
                6,
                0);
        assertThat(firstDue)
                .contains("key=room_outbox_due", "type=ref", "Using index")
                .doesNotContain("filesort");
        String content = told(
                "content",
                "EXPLAIN " + Sql.anyOf(ClaimTransaction.CONTENT, OutboxSql.FACT_COLUMNS, 2, ""),
                app,
                room,
                5,
                0,
                app,
                room,
                6,
                0);
        assertThat(unfinished)
                .contains("key=room_outbox_due", "type=ref", "Using index")
                .doesNotContain("filesort");
        assertThat(content).contains("key=PRIMARY", "type=range", "rows=2").doesNotContain("filesort");
        assertThat(due)
                .contains("key=room_outbox_due", "type=range", "Using index")
                .doesNotContain("filesort");
        assertThat(upTo).contains("key=PRIMARY", "type=range").doesNotContain("filesort");
        assertThat(take).contains("key=PRIMARY", "type=range", "rows=2").doesNotContain("filesort");
    }

    private String told(String what, String explain, Object... values) throws SQLException {
        String plan = String.join("; ", rows(explain, values));
        log.info("EXPLAIN {}: {}", what, plan);
        return plan;
    }

    @Test
    @Tag("P12")
    void claimsAndDeliveries() throws SQLException {
        measureClaims();
        RoomNode node = Await.result(RoomNode.start(NodeConfig.load(
                null,
                Map.ofEntries(
                        Map.entry("ROOM_NODE_ID", "speed"),
                        Map.entry("ROOM_GRPC_PORT", "0"),
                        Map.entry("ROOM_OPS_PORT", "0"),
                        Map.entry("ROOM_MYSQL_PORT", Integer.toString(settings.port())),
                        Map.entry("ROOM_MYSQL_USER", settings.user()),
                        Map.entry("ROOM_MYSQL_PASSWORD", settings.password()),
                        Map.entry("ROOM_MYSQL_SCHEMA", settings.schema()),
                        Map.entry(
                                "ROOM_REDIS_PORT",
                                Integer.toString(SharedServers.get().redisPort())),
                        Map.entry("ROOM_REDIS_KEY_PREFIX", SharedServers.newRedisPrefix())))));
        try {
            long beganNs = System.nanoTime();
            long left = pending();
            for (long now = left; now > 0; now = pending()) {
                long before = now;
                Await.until("more is delivered", () -> pending() < before);
            }
            double seconds = (System.nanoTime() - beganNs) / 1e9;
            log.info("{} events delivered in {} s: {} a second", left, seconds, Math.round(left / seconds));
        } finally {
            Await.result(node.stop());
        }
        assertThat(rows("SELECT DISTINCT status FROM room_outbox")).containsExactly("status=delivered");
    }

    private long pending() {
        try {
            String counted = rows("SELECT COUNT(*) AS n FROM room_outbox FORCE INDEX (room_outbox_due) WHERE lane >= 0")
                    .get(0);
            return Long.parseLong(counted.substring("n=".length()));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void measureClaims() {
        List<Connections> opened = new ArrayList<>();
        OutboxStore store = onLoop(() -> {
            Connections connections = new Connections(vertx, settings);
            opened.add(connections);
            return Future.succeededFuture(new MysqlOutboxStore(connections));
        });
        partitions.addAll(onLoop(() -> store.lease("speed", 600_000)));
        Histogram claimsNs = new Histogram(3);
        Histogram finishesNs = new Histogram(3);
        int claimed = 0;
        for (int i = -WARM_UP; i < CLAIMS; i++) {
            if (i == 0) {
                claimsNs.reset();
                finishesNs.reset();
                claimed = 0;
            }
            String token = "t" + i;
            long beganNs = System.nanoTime();
            Claim claim = onLoop(
                    () -> store.claim(new ClaimRequest("speed", token, List.copyOf(partitions), BATCH, 30_000, true)));
            claimsNs.recordValue(System.nanoTime() - beganNs);
            claimed += claim.rows().size();
            List<Finish> finishes = claim.rows().stream()
                    .map(row -> new Finish(row.id(), End.DELIVERED, 0, ""))
                    .toList();
            if (!finishes.isEmpty()) {
                long finishNs = System.nanoTime();
                assertThat(onLoop(() -> store.finish(token, finishes))).isEqualTo(finishes.size());
                finishesNs.recordValue(System.nanoTime() - finishNs);
            }
            Collections.rotate(partitions, -8);
        }
        onLoop(() -> store.release("speed"));
        onLoop(() -> opened.get(0).close());
        log.info(
                "{} claims of {} rows: p50 {} ms, p99 {} ms; finishes p50 {} ms, p99 {} ms",
                CLAIMS,
                claimed,
                ms(claimsNs.getValueAtPercentile(50)),
                ms(claimsNs.getValueAtPercentile(99)),
                ms(finishesNs.getValueAtPercentile(50)),
                ms(finishesNs.getValueAtPercentile(99)));
    }

    private static double ms(long ns) {
        return TimeUnit.NANOSECONDS.toMicros(ns) / 1000.0;
    }
}
