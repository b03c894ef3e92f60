package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.mysql.Migrations;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.dev.EmbeddedServers;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.StoreException;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that is demoted while a node is connected to it, and another one that takes its place at its address. */
final class MysqlFailoverIT {
    @RegisterExtension
    static final MysqlBackend PROMOTED = new MysqlBackend();

    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final RoomKey OTHER = new RoomKey("app", "other");
    private static final long TIMEOUT_MS = 5_000;
    private static final long SILENT_TRANSACTION_MS = 10_000;

    private EmbeddedServers demoted;
    private FaultProxy address;
    private CommandStore node;

    @BeforeEach
    void start() {
        demoted = EmbeddedServers.startTemporary();
        Migrations.migrate(new MysqlSettings(
                "127.0.0.1",
                demoted.mysqlPort(),
                demoted.mysqlUser(),
                demoted.mysqlPassword(),
                PROMOTED.schema(),
                1,
                TIMEOUT_MS,
                TIMEOUT_MS,
                SILENT_TRANSACTION_MS));
        address = Await.result(FaultProxy.startMysql(PROMOTED.vertx(), demoted.mysqlPort()));
        node = PROMOTED.nodeThrough(address.port(), SILENT_TRANSACTION_MS).commands();
    }

    @AfterEach
    void stop() {
        Await.result(address.close());
        demoted.close();
    }

    private Connection root() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + demoted.mysqlPort() + "/" + PROMOTED.schema(), "admin", "");
    }

    /** Embedded servers take everybody for root, who may write to a read-only server: from here on users have rights. */
    private void giveRights() throws SQLException {
        try (Connection all = DriverManager.getConnection(
                        demoted.jdbcUrl(PROMOTED.schema()), demoted.mysqlUser(), demoted.mysqlPassword());
                Statement statement = all.createStatement()) {
            statement.execute("FLUSH PRIVILEGES");
            statement.execute("CREATE USER 'admin'@'127.0.0.1'");
            statement.execute("GRANT ALL ON *.* TO 'admin'@'127.0.0.1'");
            statement.execute("CREATE OR REPLACE USER '" + SharedServers.mysql().user() + "'@'127.0.0.1'");
            statement.execute("GRANT ALL ON " + PROMOTED.schema() + ".* TO '"
                    + SharedServers.mysql().user() + "'@'127.0.0.1'");
        }
    }

    private static int nodeConnections(Statement statement) {
        try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM information_schema.processlist"
                + " WHERE user = '" + SharedServers.mysql().user() + "'")) {
            count.next();
            return count.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException("connections not counted", e);
        }
    }

    private GroupOutcome commit(RoomKey room, long version, String commandId) {
        return Await.result(node.commit(
                List.of(Batch.of(room, version, 1).commands(commandId).done()), true));
    }

    /** B88. */
    @Test
    void afterAFailoverNoConnectionLeadsToTheDemotedServer() throws SQLException {
        GroupOutcome appended = new GroupOutcome.Committed(List.of(Verdict.APPENDED));
        giveRights();
        Await.result(node.insertCreating(ROOM, 0));
        assertThat(commit(ROOM, 0, "c-1")).isEqualTo(appended);
        assertThat(Await.result(node.find(ROOM))).isPresent();
        try (Connection admin = root();
                Statement statement = admin.createStatement()) {
            assertThat(nodeConnections(statement)).as("of three kinds").isEqualTo(3);
            statement.execute("SET GLOBAL read_only = 1");

            assertThat(commit(ROOM, 1, "c-2"))
                    .isInstanceOfSatisfying(
                            GroupOutcome.RolledBack.class,
                            rolledBack -> assertThat(rolledBack.cause()).isEqualTo(Cause.UNAVAILABLE));
            Await.until("the connections to it are closed", () -> nodeConnections(statement) == 0);
            assertThat(Await.failure(node.mint(ROOM, Batch.NODE, Batch.TOKEN, OptionalLong.empty())))
                    .isInstanceOf(StoreException.class);
            assertThat(Await.failure(node.insertCreating(OTHER, 0))).isInstanceOf(StoreException.class);
            Await.until("the connections to it are closed", () -> nodeConnections(statement) == 0);
        }

        address.pointTo(SharedServers.mysql().port());
        // At the first try, and not what the other server knows.
        assertThat(Await.result(node.find(ROOM))).isEmpty();
        assertThat(Await.result(node.insertCreating(OTHER, 0))).isTrue();
        assertThat(commit(OTHER, 0, "c-3")).isEqualTo(appended);
    }
}
