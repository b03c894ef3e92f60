package dev.roomcell.it;

import dev.roomcell.fault.FaultProxy;
import dev.roomcell.fault.FaultProxy.CutPoint;
import dev.roomcell.it.FaultKind.Strike;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What happens to MariaDB, and to the COMMITs on their way there and back. */
final class MysqlFaults {
    private static final Logger log = LoggerFactory.getLogger(MysqlFaults.class);
    /** Some of the lost COMMITs may be those of timers and facts. */
    private static final int CUTS = 3;
    /** Rooms whose rows somebody holds. */
    private static final int LOCKED_ROOMS = 10;

    /** There is no such connection any more. */
    private static final int NO_SUCH_THREAD = 1094;

    private MysqlFaults() {}

    static void holdCommit(FaultStage stage, Strike strike) {
        FaultProxy wire = stage.toMysql(strike.node());
        Await.result(strike.variant() % 2 == 0 ? wire.holdNextCommit() : wire.holdNextCommitClosingClient());
        stage.pause(strike.lastsMs());
        // By then the server has ended a transaction that was silent for so long (LEASE-15).
        String release = Await.result(
                wire.releaseHeldCommit().map("was answered").otherwise(gone -> "came too late: " + gone.getMessage()));
        log.info("the COMMIT that was held for {} ms {}", strike.lastsMs(), release);
    }

    static void cutCommits(FaultStage stage, Strike strike, boolean afterServer) {
        FaultProxy wire = stage.toMysql(strike.node());
        for (int cut = 1; cut <= CUTS; cut++) {
            Future<Void> lost = wire.cutNextCommit(afterServer ? CutPoint.AFTER_SERVER : CutPoint.BEFORE_SERVER);
            Await.result(lost);
        }
    }

    static void restart(FaultStage stage, Strike strike, boolean kill) {
        stage.refuseMysql();
        if (kill) {
            stage.servers().killMysql();
        } else {
            stage.servers().stopMysql();
        }
        stage.pause(strike.lastsMs());
        stage.startMysqlAgain();
    }

    static void pause(FaultStage stage, Strike strike) {
        NodeProcess.signal("STOP", stage.servers().mysqlPid());
        try {
            stage.pause(strike.lastsMs());
        } finally {
            NodeProcess.signal("CONT", stage.servers().mysqlPid());
        }
    }

    static void readOnly(FaultStage stage, Strike strike) {
        stage.sql("SET GLOBAL read_only = 1");
        try {
            stage.pause(strike.lastsMs());
        } finally {
            stage.sql("SET GLOBAL read_only = 0");
        }
    }

    /** Every second connection of the nodes, or all of them. */
    static void killConnections(FaultStage stage, Strike strike) {
        try (Connection connection = stage.openSql();
                Statement statement = connection.createStatement()) {
            List<Long> ids = new ArrayList<>();
            try (ResultSet found = statement.executeQuery("SELECT id FROM information_schema.processlist WHERE user = '"
                    + FaultStage.nodeUser() + "' ORDER BY id")) {
                while (found.next()) {
                    ids.add(found.getLong(1));
                }
            }
            for (int i = 0; i < ids.size(); i++) {
                if (strike.variant() % 2 == 0 || i % 2 == 0) {
                    kill(statement, ids.get(i));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("connections not ended", e);
        }
    }

    private static void kill(Statement statement, long id) throws SQLException {
        try {
            statement.execute("KILL CONNECTION " + id);
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                throw e;
            }
        }
    }

    static void lockRows(FaultStage stage, Strike strike) {
        try (Connection connection = stage.openSql();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT version FROM " + stage.backends().schema() + ".rooms ORDER BY app_code, room_id"
                    + " LIMIT " + LOCKED_ROOMS + " FOR UPDATE SKIP LOCKED");
            stage.pause(strike.lastsMs());
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException("rows not locked", e);
        }
    }
}
