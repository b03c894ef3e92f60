package dev.roomcell.it;

import dev.roomcell.it.FaultKind.Strike;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/** What happens to Redis. */
final class RedisFaults {
    /** One key in so many survives. */
    private static final int SURVIVES = 20;

    private RedisFaults() {}

    static void flush(FaultStage stage, PartyRecord record) {
        long fromNs = System.nanoTime();
        stage.redis(Request.cmd(Command.FLUSHALL));
        record.redisLost(fromNs);
    }

    static void deleteLeases(FaultStage stage, PartyRecord record) {
        long fromNs = System.nanoTime();
        // NUL stands in the keys of leases (LEASE-2), and in no others.
        Response leases = stage.redis(Request.cmd(Command.KEYS).arg(PartyRooms.APP + "?*"));
        Request delete = Request.cmd(Command.DEL);
        int seen = 0;
        if (leases != null) {
            for (Response lease : leases) {
                if (++seen % SURVIVES != 0) {
                    delete.arg(lease.toBuffer());
                }
            }
        }
        if (seen > 0) {
            stage.redis(delete);
        }
        record.redisLost(fromNs);
    }

    static void restart(FaultStage stage, PartyRecord record, Strike strike) {
        long fromNs = System.nanoTime();
        stage.servers().killRedis();
        record.redisLost(fromNs);
        stage.pause(strike.lastsMs());
        stage.servers().restartRedis();
    }

    static void disconnect(FaultStage stage) {
        stage.redis(Request.cmd(Command.CLIENT).arg("KILL").arg("TYPE").arg("normal"));
    }

    static void pause(FaultStage stage, Strike strike) {
        NodeProcess.signal("STOP", stage.servers().redisPid());
        try {
            stage.pause(strike.lastsMs());
        } finally {
            NodeProcess.signal("CONT", stage.servers().redisPid());
        }
    }
}
