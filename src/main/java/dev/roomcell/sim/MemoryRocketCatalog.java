package dev.roomcell.sim;

import dev.roomcell.domain.RocketPlan;
import dev.roomcell.port.RocketCatalog;
import io.vertx.core.Future;

/** Rockets in memory, the same for every app. Not thread-safe. */
final class MemoryRocketCatalog implements RocketCatalog {
    private RocketPlan plan = RocketPlan.NONE;

    /** From now on rockets are like this. */
    void offer(RocketPlan now) {
        plan = now;
    }

    @Override
    public Future<RocketPlan> plan(String appCode) {
        return Future.succeededFuture(plan);
    }
}
