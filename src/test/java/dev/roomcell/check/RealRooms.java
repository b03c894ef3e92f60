package dev.roomcell.check;

import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.Migrations;
import dev.roomcell.adapter.mysql.MysqlCommandStore;
import dev.roomcell.adapter.mysql.MysqlRoomListStore;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.mysql.MysqlSnapshotStore;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A schema in the real database, written by the real stores, and edited by hand. */
final class RealRooms implements AutoCloseable {
    private static final long LIMIT_SECONDS = 20;
    private static final List<String> TABLES =
            List.of("rooms", "room_command_log", "room_outbox", "room_snapshots", "room_timers", "room_list_entries");

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final SharedServers.MysqlServer server = SharedServers.mysql();
    private final String schema = SharedServers.newSchema();
    private final Connections connections;
    private final MysqlCommandStore commands;
    private final MysqlSnapshotStore snapshots;
    private final MysqlRoomListStore list;

    RealRooms() {
        MysqlSettings settings = new MysqlSettings(
                "127.0.0.1",
                server.port(),
                server.user(),
                server.password(),
                schema,
                2,
                5_000,
                LIMIT_SECONDS * 1_000,
                10_000);
        Migrations.migrate(settings);
        connections = run(() -> Future.succeededFuture(new Connections(vertx, settings)));
        commands = new MysqlCommandStore(connections);
        snapshots = new MysqlSnapshotStore(connections);
        list = new MysqlRoomListStore(connections);
    }

    private <T> T run(Supplier<Future<T>> call) {
        Promise<T> over = Promise.promise();
        loop.runOnContext(now -> call.get().onComplete(over));
        try {
            return over.future().toCompletionStage().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the store failed", e);
        }
    }

    /** {@code HOST:PORT/SCHEMA}. */
    String address() {
        return "127.0.0.1:" + server.port() + "/" + schema;
    }

    SharedServers.MysqlServer server() {
        return server;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl(schema), server.user(), server.password());
    }

    /** Stores all that {@code room} has lived, and what it made of its snapshots and its line in the list. */
    RealRooms store(LivedRoom room) {
        run(() -> commands.insertCreating(room.key(), Long.MAX_VALUE));
        room.batches().forEach(this::commit);
        room.snapshots().forEach(snapshot -> run(() -> snapshots.save(room.key(), snapshot)));
        room.listEntry().ifPresent(entry -> run(() -> list.write(List.of(entry))));
        if (room.state().status() == Lifecycle.Status.CLOSING) {
            // No store writes it: such a row is found, and finished (ROOM-5).
            edit("UPDATE rooms SET state = 'CLOSING' WHERE room_id = '"
                    + room.key().roomId() + "'");
        }
        return this;
    }

    /** Loads the room as often as its batch says, and commits it. */
    void commit(RoomBatch batch) {
        long epoch = run(() -> commands.find(batch.key())).orElseThrow().epoch();
        while (epoch < batch.epoch()) {
            epoch = run(() -> commands.mint(batch.key(), batch.nodeId(), batch.leaseToken(), OptionalLong.empty()))
                    .orElseThrow();
        }
        GroupOutcome outcome = run(() -> commands.commit(List.of(batch), false));
        if (!outcome.equals(new GroupOutcome.Committed(List.of(Verdict.APPENDED)))) {
            throw new AssertionError("not committed: " + outcome);
        }
    }

    /** Changes exactly one row. */
    void edit(String sql) {
        int rows = execute(sql);
        if (rows != 1) {
            throw new AssertionError(rows + " rows changed by " + sql);
        }
    }

    void clear() {
        TABLES.forEach(table -> execute("DELETE FROM " + table));
    }

    private int execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    @Override
    public void close() {
        run(connections::close);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
