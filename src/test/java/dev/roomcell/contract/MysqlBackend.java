package dev.roomcell.contract;

import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.Migrations;
import dev.roomcell.adapter.mysql.MysqlCommandStore;
import dev.roomcell.adapter.mysql.MysqlExternalRooms;
import dev.roomcell.adapter.mysql.MysqlGiftStore;
import dev.roomcell.adapter.mysql.MysqlLiveRoomStore;
import dev.roomcell.adapter.mysql.MysqlOutboxStore;
import dev.roomcell.adapter.mysql.MysqlPurgeStore;
import dev.roomcell.adapter.mysql.MysqlRoomListStore;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.mysql.MysqlSnapshotStore;
import dev.roomcell.adapter.mysql.MysqlTimerStore;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.ExternalRooms;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import dev.roomcell.sim.MemoryOutbox.DeliveryFields;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.ParkedGifts;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** MariaDB, with a migrated schema of its own for a test class, emptied before each test. */
final class MysqlBackend implements Database, BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    /** Of a node, for reads and mints. */
    static final int READ_CONNECTIONS = 4;

    private static final long CONNECT_TIMEOUT_MS = 5_000;
    private static final long SILENT_TRANSACTION_MS = 10_000;
    /** Longer than any wait of these tests, so that none ends because the node lost patience. */
    private static final long STATEMENT_TIMEOUT_MS = 60_000;

    private final List<Runnable> closers = new ArrayList<>();
    private @Nullable Opened opened;

    private record Opened(
            Vertx vertx,
            String schema,
            MysqlTables tables,
            Stores node,
            Stores otherNode,
            ExternalRooms externalRooms) {}

    @Override
    public void beforeAll(ExtensionContext context) {
        SharedServers.MysqlServer server = SharedServers.mysql();
        String schema = SharedServers.newSchema();
        MysqlSettings settings = settings(schema, server.port(), SILENT_TRANSACTION_MS, STATEMENT_TIMEOUT_MS);
        Migrations.migrate(settings);
        Vertx vertx = Vertx.vertx();
        closers.add(() -> Await.result(vertx.close()));
        MysqlTables tables = new MysqlTables(server.jdbcUrl(schema), server.user(), server.password());
        closers.add(tables::close);
        EventLoop loop = EventLoop.of(vertx);
        Connections connections = connections(vertx, loop, settings);
        opened = new Opened(
                vertx,
                schema,
                tables,
                stores(loop, connections),
                connect(vertx, settings),
                loop.port(ExternalRooms.class, new MysqlExternalRooms(connections)));
    }

    private static MysqlSettings settings(String schema, int port, long silentTransactionMs, long statementTimeoutMs) {
        return new MysqlSettings(
                "127.0.0.1",
                port,
                SharedServers.mysql().user(),
                SharedServers.mysql().password(),
                schema,
                READ_CONNECTIONS,
                CONNECT_TIMEOUT_MS,
                statementTimeoutMs,
                silentTransactionMs);
    }

    private Stores connect(Vertx vertx, MysqlSettings settings) {
        EventLoop loop = EventLoop.of(vertx);
        return stores(loop, connections(vertx, loop, settings));
    }

    private Connections connections(Vertx vertx, EventLoop loop, MysqlSettings settings) {
        Connections connections = loop.call(() -> new Connections(vertx, settings));
        closers.add(0, () -> Await.result(loop.call(connections::close)));
        return connections;
    }

    private static Stores stores(EventLoop loop, Connections connections) {
        return new Stores(
                loop.port(CommandStore.class, new MysqlCommandStore(connections)),
                loop.port(SnapshotStore.class, new MysqlSnapshotStore(connections)),
                loop.port(RoomListStore.class, new MysqlRoomListStore(connections)),
                loop.port(TimerStore.class, new MysqlTimerStore(connections)),
                loop.port(LiveRoomStore.class, new MysqlLiveRoomStore(connections)),
                loop.port(OutboxStore.class, new MysqlOutboxStore(connections)),
                loop.port(GiftStore.class, new MysqlGiftStore(connections)),
                loop.port(PurgeStore.class, new MysqlPurgeStore(connections)));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        tables().clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        closers.forEach(Runnable::run);
    }

    private Opened opened() {
        Opened now = opened;
        if (now == null) {
            throw new IllegalStateException("register this as a static extension");
        }
        return now;
    }

    Vertx vertx() {
        return opened().vertx;
    }

    MysqlTables tables() {
        return opened().tables;
    }

    /** A further node, whose connections go through {@code port}; closed with the rest. */
    Stores nodeThrough(int port, long silentTransactionMs) {
        return connect(vertx(), settings(opened().schema, port, silentTransactionMs, STATEMENT_TIMEOUT_MS));
    }

    /** A further node, through {@code port}, that waits for no connection and no answer for longer than that. */
    Stores impatientNodeThrough(int port, long statementTimeoutMs) {
        return connect(vertx(), settings(opened().schema, port, SILENT_TRANSACTION_MS, statementTimeoutMs));
    }

    /** The name of the schema. */
    String schema() {
        return opened().schema;
    }

    /** Of the first node. */
    ExternalRooms externalRooms() {
        return opened().externalRooms;
    }

    @Override
    public Stores node() {
        return opened().node;
    }

    @Override
    public Stores otherNode() {
        return opened().otherNode;
    }

    @Override
    public Optional<RoomFields> room(RoomKey key) {
        return tables().room(key);
    }

    @Override
    public List<LogFields> log(RoomKey key) {
        return tables().log(key);
    }

    @Override
    public List<OutboxFields> outbox(RoomKey key) {
        return tables().outbox(key);
    }

    @Override
    public Map<FactId, DeliveryFields> deliveries(RoomKey key) {
        return tables().deliveries(key);
    }

    @Override
    public void letOutboxTimePass(long ms) {
        tables().letOutboxTimePass(ms);
    }

    @Override
    public long nowMs() {
        return tables().nowMs();
    }

    @Override
    public void letGiftsAge(long ms) {
        tables().change("UPDATE gift_intents SET begun_at_ms = begun_at_ms - ?", ms);
    }

    @Override
    public void putParkedGiftBack(GiftKey key) {
        tables().change(ParkedGifts.putBack(key));
    }

    @Override
    public List<Snapshot> snapshots(RoomKey key) {
        return tables().snapshots(key);
    }

    @Override
    public Optional<ListEntry> listEntry(RoomKey key) {
        return tables().listEntry(key);
    }

    @Override
    public Map<TimerStore.Kind, Long> timers(RoomKey key) {
        return tables().timers(key);
    }

    @Override
    public void damageSnapshot(RoomKey key, long version) {
        tables().damageSnapshot(key, version);
    }

    @Override
    public HeldRow holdRow(RoomKey key) {
        return tables().holdRow(key);
    }
}
