package dev.roomcell.port;

import dev.roomcell.domain.RocketPlan;
import io.vertx.core.Future;

/** How the rockets of the apps are. */
public interface RocketCatalog {
    /**
     * The plan of an app; {@link RocketPlan#NONE} where there are no rockets. Fails with {@link StoreException} when it can't
     * be read.
     */
    Future<RocketPlan> plan(String appCode);
}
