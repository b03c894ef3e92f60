package dev.roomcell.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.dev.EmbeddedServers;
import dev.roomcell.fault.FaultProxy.CutPoint;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.mysqlclient.MySQLException;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The proxy before a real MariaDB: {@code direct} goes around it. */
class FaultProxyMysqlIT {

    private static final int DEADLINE_MS = 20_000;
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    private Vertx vertx;
    private FaultProxy proxy;
    private MySQLConnectOptions options;
    private MySQLConnection direct;

    @BeforeEach
    void start() {
        EmbeddedServers servers = SharedServers.get();
        vertx = Vertx.vertx();
        options = new MySQLConnectOptions()
                .setHost("127.0.0.1")
                .setPort(servers.mysqlPort())
                .setUser(servers.mysqlUser())
                .setPassword(servers.mysqlPassword())
                .setDatabase(SharedServers.newSchema());
        direct = await(MySQLConnection.connect(vertx, options));
        run(direct, "CREATE TABLE notes (id INT PRIMARY KEY) ENGINE = InnoDB");
        proxy = await(FaultProxy.startMysql(vertx, servers.mysqlPort()));
    }

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @Test
    void aCommitThatIsNotCutCommits() {
        MySQLConnection client = connect(1);
        insert(client, 1);
        run(client, "COMMIT");
        assertThat(isStored(1)).isTrue();
        assertThat(proxy.commitsSeen()).isEqualTo(1);
        assertThat(proxy.cuts()).isZero();
    }

    @Test
    void aCommitCutBeforeTheServerIsRolledBack() {
        for (int id = 1; id <= 5; id++) {
            loseCommitOf(id, CutPoint.BEFORE_SERVER);
            // Waits for the lost transaction's lock, and would meet its row if that had been committed.
            run(direct, "INSERT INTO notes VALUES (" + id + ")");
        }
        assertThat(proxy.cuts()).isEqualTo(5);
    }

    @Test
    void aCommitCutAfterTheServerIsStored() {
        for (int id = 1; id <= 5; id++) {
            loseCommitOf(id, CutPoint.AFTER_SERVER);
            assertThat(isStored(id)).isTrue();
        }
        assertThat(proxy.cuts()).isEqualTo(5);
    }

    @Test
    void onlyTheTransactionThatIsMeantLosesItsCommit() {
        MySQLConnection client = connect(1);
        MySQLConnection other = connect(1);
        Future<Void> cut = proxy.cutNextCommit(CutPoint.BEFORE_SERVER, "VALUES (77)");
        insert(client, 1);
        run(client, "COMMIT");
        insert(client, 77);
        run(client, "ROLLBACK");
        insert(client, 2);
        run(client, "COMMIT");
        assertThat(cut.isComplete()).as("that one was rolled back").isFalse();
        insert(client, 77);
        insert(other, 3);
        run(other, "COMMIT");
        assertThat(cut.isComplete()).as("that is another's").isFalse();
        assertLost(query(client, "COMMIT"));
        await(cut);
        assertThat(isStored(77)).isFalse();
        assertThat(List.of(isStored(1), isStored(2), isStored(3))).containsOnly(true);
    }

    /** A prepared statement's text goes by once, its parameters each time. */
    @Test
    void aTransactionIsKnownByItsParametersToo() {
        run(direct, "CREATE TABLE names (name VARCHAR(20) PRIMARY KEY) ENGINE = InnoDB");
        MySQLConnection client = connect(1);
        Future<Void> cut = proxy.cutNextCommit(CutPoint.AFTER_SERVER, "caf\u00e9");
        run(client, "START TRANSACTION");
        await(client.preparedQuery("INSERT INTO names VALUES (?)").execute(Tuple.of("caf\u00e9")));
        assertLost(query(client, "COMMIT"));
        await(cut);
    }

    private void loseCommitOf(int id, CutPoint at) {
        MySQLConnection client = connect(1);
        insert(client, id);
        Future<Void> cut = proxy.cutNextCommit(at);
        assertLost(query(client, "COMMIT"));
        await(cut);
        assertThat(proxy.commitsSeen()).isEqualTo(id);
    }

    @Test
    void theConnectionAfterACutOneIsWhole() {
        loseCommitOf(1, CutPoint.AFTER_SERVER);
        MySQLConnection client = connect(1);
        insert(client, 2);
        run(client, "COMMIT");
        assertThat(isStored(2)).isTrue();
    }

    @Test
    void withPipeliningOnlyTheCommitsAnswerIsLost() {
        AtomicInteger strayAnswers = new AtomicInteger();
        MySQLConnection client = connect(8);
        insert(client, 1);
        Future<Void> cut = proxy.cutNextCommit(CutPoint.AFTER_SERVER);
        // 300 rows: the packets of the answer run past sequence 255.
        Future<RowSet<Row>> slow = query(client, "SELECT seq, SLEEP(0.001) FROM seq_1_to_300");
        Future<RowSet<Row>> insert = query(client, "INSERT INTO notes VALUES (2)");
        Future<RowSet<Row>> commit = query(client, "COMMIT");
        // Behind the COMMIT. Its future is of no use: of several commands in flight on a connection that closes,
        // the client of Vert.x 5.0.7 fails the first and forgets the others.
        query(client, "INSERT INTO notes VALUES (3)").onSuccess(wrong -> strayAnswers.incrementAndGet());
        await(cut);
        assertThat(await(slow).size()).isEqualTo(300);
        assertThat(await(insert).rowCount()).isEqualTo(1);
        assertLost(commit);
        assertThat(isStored(1)).isTrue();
        assertThat(isStored(2)).isTrue();
        run(direct, "INSERT INTO notes VALUES (3)");
        assertThat(strayAnswers).hasValue(0);
    }

    @Test
    void preparedStatementsOnTheSameConnectionDoNotHideTheCommit() {
        MySQLConnection client = connect(8);
        run(client, "BEGIN");
        for (int id = 1; id <= 3; id++) {
            await(client.preparedQuery("INSERT INTO notes VALUES (" + id + ")").execute());
        }
        Future<Void> cut = proxy.cutNextCommit(CutPoint.AFTER_SERVER);
        assertLost(query(client, "COMMIT"));
        await(cut);
        assertThat(isStored(3)).isTrue();
    }

    @Test
    void aHeldCommitKeepsItsTransactionOpenWhileItsClientIsGone() {
        MySQLConnection client = connect(1);
        insert(client, 1);
        Future<Void> held = proxy.holdNextCommitClosingClient();
        assertLost(query(client, "COMMIT"));
        await(held);
        assertThat(isStored(1)).isFalse();
        assertLocked(1);
        await(proxy.releaseHeldCommit());
        assertThat(isStored(1)).isTrue();
    }

    @Test
    void aHeldCommitIsAnsweredAfterItsRelease() {
        MySQLConnection client = connect(1);
        insert(client, 1);
        Future<Void> held = proxy.holdNextCommit();
        Future<RowSet<Row>> commit = query(client, "COMMIT");
        await(held);
        assertLocked(1);
        assertThat(commit.isComplete()).isFalse();
        await(proxy.releaseHeldCommit());
        await(commit);
        insert(client, 2);
        run(client, "COMMIT");
        assertThat(isStored(2)).isTrue();
        assertThat(proxy.commitsSeen()).isEqualTo(2);
    }

    @Test
    void otherCommitsPassOrAreCutWhileOneIsHeld() {
        MySQLConnection client = connect(1);
        insert(client, 1);
        Future<Void> held = proxy.holdNextCommit();
        Future<RowSet<Row>> commit = query(client, "COMMIT");
        await(held);
        assertThatThrownBy(proxy::holdNextCommit).isInstanceOf(IllegalStateException.class);
        MySQLConnection other = connect(1);
        insert(other, 2);
        run(other, "COMMIT");
        insert(other, 3);
        Future<Void> cut = proxy.cutNextCommit(CutPoint.AFTER_SERVER);
        assertLost(query(other, "COMMIT"));
        await(cut);
        await(proxy.releaseHeldCommit());
        await(commit);
        assertThat(isStored(1) && isStored(2) && isStored(3)).isTrue();
    }

    @Test
    void aHeldCommitWhoseConnectionTheServerEndsIsNotReleased() {
        MySQLConnection client = connect(1);
        Row id = await(query(client, "SELECT CONNECTION_ID()")).iterator().next();
        insert(client, 1);
        Future<Void> held = proxy.holdNextCommit();
        Future<RowSet<Row>> commit = query(client, "COMMIT");
        await(held);
        run(direct, "KILL " + id.getLong(0));
        assertLost(commit);
        // Which of the two depends on when the proxy hears of the end.
        assertThatThrownBy(() -> await(proxy.releaseHeldCommit()))
                .hasMessageMatching("(?s).*(its connection is gone|the connection ended before the COMMIT's answer).*");
        run(direct, "INSERT INTO notes VALUES (1)");
    }

    @Test
    void aResetWhileACommitIsHeldRollsItBack() {
        MySQLConnection client = connect(1);
        insert(client, 1);
        Future<Void> held = proxy.holdNextCommitClosingClient();
        assertLost(query(client, "COMMIT"));
        await(held);
        proxy.reset();
        run(direct, "INSERT INTO notes VALUES (1)");
    }

    @Test
    void oneCommitIsWaitedForAtATime() {
        Future<Void> cut = proxy.cutNextCommit(CutPoint.BEFORE_SERVER);
        assertThatThrownBy(proxy::holdNextCommit).isInstanceOf(IllegalStateException.class);
        await(proxy.close());
        assertThatThrownBy(() -> await(cut)).hasMessageContaining("closed before a COMMIT came");
    }

    private MySQLConnection connect(int pipelined) {
        MySQLConnectOptions through =
                new MySQLConnectOptions(options).setPort(proxy.port()).setPipeliningLimit(pipelined);
        return await(MySQLConnection.connect(vertx, through));
    }

    private static void insert(MySQLConnection client, int id) {
        run(client, "BEGIN");
        run(client, "INSERT INTO notes VALUES (" + id + ")");
    }

    private boolean isStored(int id) {
        return await(query(direct, "SELECT id FROM notes WHERE id = " + id)).size() == 1;
    }

    private void assertLocked(int id) {
        assertThatThrownBy(() -> run(direct, "SELECT id FROM notes WHERE id = " + id + " FOR UPDATE NOWAIT"))
                .isInstanceOfSatisfying(
                        MySQLException.class,
                        refused -> assertThat(refused.getErrorCode()).isEqualTo(LOCK_WAIT_TIMEOUT));
    }

    /** The client has found its connection closed: neither an answer from the server nor silence. */
    private static void assertLost(Future<RowSet<Row>> command) {
        assertThatThrownBy(() -> await(command)).isInstanceOf(ClosedConnectionException.class);
    }

    private static void run(MySQLConnection connection, String sql) {
        await(query(connection, sql));
    }

    private static Future<RowSet<Row>> query(MySQLConnection connection, String sql) {
        return connection.query(sql).execute();
    }

    private static <T> T await(Future<T> future) {
        return future.timeout(DEADLINE_MS, TimeUnit.MILLISECONDS).await();
    }
}
