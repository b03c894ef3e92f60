package dev.roomcell.sim;

import dev.roomcell.domain.RocketPlan;
import dev.roomcell.port.RocketCatalog;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** Rockets in memory, the same for every app. Not thread-safe. */
final class MemoryRocketCatalog implements RocketCatalog {
    private final List<RocketPlan> offered = new ArrayList<>(List.of(RocketPlan.NONE));

    /** From now on rockets are like this. */
    void offer(RocketPlan now) {
        offered.add(now);
    }

    /** All plans that there have been. */
    List<RocketPlan> offered() {
        return List.copyOf(offered);
    }

    @Override
    public Future<RocketPlan> plan(String appCode) {
        return Future.succeededFuture(offered.get(offered.size() - 1));
    }
}
