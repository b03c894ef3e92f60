package dev.roomcell.it;

import dev.roomcell.dev.EmbeddedServers;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes as processes, a MariaDB and a Redis of their own, and a proxy on each way between a node and a server. Its
 * methods may be called from any thread; two threads never work on the same node, or the same server, at once.
 */
final class FaultStage implements AutoCloseable {
    static final int NODES = 3;
    /** The nodes' user: unlike the root that embedded servers have, it may not write to a server that is read-only. */
    private static final String NODE_USER = "room";

    private static final int RESTARTS = 10;

    private final Vertx vertx;
    private final Path folder;
    private final EmbeddedServers servers;
    private final Backends backends;
    private final List<Map<String, String>> cluster = Backends.cluster(NODES);
    private final List<Integer> ports = new ArrayList<>();
    private final List<FaultProxy> toMysql = new ArrayList<>();
    private final List<FaultProxy> toRedis = new ArrayList<>();
    private final List<NodeProcess> nodes = new CopyOnWriteArrayList<>();
    /** Every process that ever was a node. */
    private final List<NodeProcess> incarnations = new CopyOnWriteArrayList<>();

    private FaultStage(Vertx vertx, Path folder, EmbeddedServers servers) {
        this.vertx = vertx;
        this.folder = folder;
        this.servers = servers;
        this.backends = Backends.on(servers);
    }

    /** Starts everything and waits until the nodes can be used. */
    static FaultStage start(Vertx vertx, Path folder) {
        FaultStage stage = new FaultStage(vertx, folder, EmbeddedServers.startTemporary());
        try {
            stage.checkPasswords();
            for (int node = 0; node < NODES; node++) {
                stage.ports.add(NodeProcess.freePort());
                stage.toMysql.add(Await.result(FaultProxy.startMysql(vertx, stage.servers.mysqlPort())));
                stage.toRedis.add(Await.result(FaultProxy.start(vertx, stage.servers.redisPort())));
                stage.nodes.add(stage.launch(node));
            }
            stage.nodes.forEach(NodeProcess::awaitReady);
            return stage;
        } catch (RuntimeException | AssertionError e) {
            stage.close();
            throw e;
        }
    }

    /** Embedded servers take everybody for root: has MariaDB know users and their rights, until it restarts. */
    private void checkPasswords() {
        sql(
                "CREATE DATABASE IF NOT EXISTS " + backends.schema(),
                "FLUSH PRIVILEGES",
                "CREATE USER IF NOT EXISTS '" + servers.mysqlUser() + "'@'127.0.0.1'",
                "GRANT ALL ON *.* TO '" + servers.mysqlUser() + "'@'127.0.0.1'",
                "CREATE USER IF NOT EXISTS '" + NODE_USER + "'@'127.0.0.1'",
                "GRANT ALL ON " + backends.schema() + ".* TO '" + NODE_USER + "'@'127.0.0.1'");
    }

    private NodeProcess launch(int node) {
        Map<String, String> settings = new HashMap<>(cluster.get(node));
        settings.putAll(Map.ofEntries(
                Map.entry("ROOM_GRPC_PORT", Integer.toString(ports.get(node))),
                Map.entry("ROOM_MYSQL_PORT", Integer.toString(toMysql(node).port())),
                Map.entry("ROOM_MYSQL_USER", NODE_USER),
                Map.entry("ROOM_REDIS_PORT", Integer.toString(toRedis(node).port())),
                Map.entry("ROOM_OUTBOX_WORKERS", "1"),
                Map.entry("ROOM_OUTBOX_CLAIM_MS", "2000"),
                Map.entry("ROOM_OUTBOX_LEASE_MS", "2000"),
                Map.entry("ROOM_OUTBOX_PUBLISH_TIMEOUT_MS", "1000"),
                Map.entry("ROOM_MIC_PUBLISH_WITHIN_MS", "2000"),
                Map.entry("ROOM_PRESENCE_HEARTBEAT_EVERY_MS", "2000"),
                Map.entry("ROOM_PRESENCE_STALE_AFTER_MS", "6000")));
        NodeProcess launched = NodeProcess.start(folder, backends.environment("node" + node, settings));
        incarnations.add(launched);
        return launched;
    }

    Backends backends() {
        return backends;
    }

    EmbeddedServers servers() {
        return servers;
    }

    NodeProcess node(int node) {
        return nodes.get(node);
    }

    FaultProxy toMysql(int node) {
        return toMysql.get(node);
    }

    FaultProxy toRedis(int node) {
        return toRedis.get(node);
    }

    /** Where the nodes are. */
    List<String> addresses() {
        return ports.stream().map(port -> "127.0.0.1:" + port).toList();
    }

    /** Starts a node that has ended and waits until it can be used; again, if it finds a server gone and gives up. */
    void startAgain(int node) {
        for (int attempt = 1; ; attempt++) {
            NodeProcess launched = launch(node);
            nodes.set(node, launched);
            try {
                launched.awaitReady();
                return;
            } catch (AssertionError notReady) {
                if (launched.isAlive() || attempt == RESTARTS) {
                    throw notReady;
                }
            }
        }
    }

    /** Brings MariaDB back after it has ended; until it knows its users again, nodes find no server. */
    void startMysqlAgain() {
        servers.restartMysql();
        checkPasswords();
        toMysql.forEach(FaultProxy::pass);
    }

    /** Has nodes find no MariaDB from now on, once it has ended. */
    void refuseMysql() {
        toMysql.forEach(FaultProxy::refuse);
    }

    /** Runs statements in MariaDB as its root, past the proxies. */
    void sql(String... statements) {
        try (Connection connection = openSql();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(List.of(statements).toString(), e);
        }
    }

    /** A connection as root, past the proxies, with no schema. */
    Connection openSql() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + servers.mysqlPort() + "/", servers.mysqlUser(), "");
    }

    static String nodeUser() {
        return NODE_USER;
    }

    /** Asks Redis, past the proxies. */
    @Nullable
    Response redis(Request request) {
        Redis redis = Redis.createClient(vertx, "redis://127.0.0.1:" + servers.redisPort());
        return Await.result(redis.send(request).eventually(redis::close));
    }

    /** Lets time pass. */
    void pause(long ms) {
        if (ms > 0) {
            Await.result(vertx.timer(ms, TimeUnit.MILLISECONDS));
        }
    }

    /** The logs of all processes that ever were a node. */
    List<String> logs() {
        return incarnations.stream().map(NodeProcess::log).toList();
    }

    @Override
    public void close() {
        try {
            incarnations.forEach(NodeProcess::close);
        } finally {
            servers.close();
        }
    }
}
