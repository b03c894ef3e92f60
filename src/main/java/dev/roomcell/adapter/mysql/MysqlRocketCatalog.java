package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.RocketPlan;
import dev.roomcell.domain.RocketPlan.Level;
import dev.roomcell.port.RocketCatalog;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables {@code rocket_config} and {@code rocket_levels}, with a memory of what was asked lately. An app whose rows make
 * no sense has no rockets, and an error in the log says why. Belongs to one event loop.
 */
public final class MysqlRocketCatalog implements RocketCatalog {
    private static final Logger log = LoggerFactory.getLogger(MysqlRocketCatalog.class);
    private static final String FIND = "SELECT c.reset_at, c.zone, l.level, l.fuel_capacity, l.launch_delay_ms"
            + " FROM rocket_config c JOIN rocket_levels l ON l.app_code = c.app_code WHERE c.app_code = ?"
            + " ORDER BY l.level";

    /** What fills many rockets at once launches them one after the other: not a hundred in a blink. */
    private static final long SHORTEST_LAUNCH_DELAY_MS = 1_000;

    private final Connections connections;
    private final Lately<String, RocketPlan> lately;

    /**
     * The rockets in the database of {@code connections}.
     *
     * @param rememberMs for how long an answer is taken for the present, ms; a change is seen by then
     */
    public MysqlRocketCatalog(Connections connections, RoomClock clock, long rememberMs) {
        this.connections = connections;
        this.lately = new Lately<>(clock, rememberMs);
    }

    @Override
    public Future<RocketPlan> plan(String appCode) {
        return lately.get(
                appCode,
                () -> connections.read(FIND, Tuple.of(Values.bytes(appCode))).map(rows -> planOrNone(appCode, rows)));
    }

    private static RocketPlan planOrNone(String appCode, RowSet<Row> rows) {
        try {
            return plan(rows);
        } catch (DateTimeException | IllegalArgumentException senseless) {
            log.error("app {} has no rockets: {}", appCode, senseless.getMessage());
            return RocketPlan.NONE;
        }
    }

    private static RocketPlan plan(RowSet<Row> rows) {
        RocketPlan plan = RocketPlan.NONE;
        List<Level> levels = new ArrayList<>();
        for (Row row : rows) {
            if (row.getInteger(2) != levels.size() + 1) {
                throw new IllegalArgumentException("level " + (levels.size() + 1) + " is missing");
            }
            if (row.getLong(4) < SHORTEST_LAUNCH_DELAY_MS) {
                throw new IllegalArgumentException(
                        "launch delay " + row.getLong(4) + " ms: at least " + SHORTEST_LAUNCH_DELAY_MS);
            }
            levels.add(new Level(row.getLong(3), row.getLong(4)));
            plan = new RocketPlan(levels, LocalTime.parse(row.getString(0)), ZoneId.of(row.getString(1)));
        }
        return plan;
    }
}
