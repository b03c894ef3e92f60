package dev.roomcell.demo;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/** What a consumer of facts sees. */
@FunctionalInterface
public interface FactView {
    /**
     * The ids of the facts of a room that have arrived, in order.
     *
     * @param target {@code HOST:PORT} of the queue
     */
    Future<List<String>> eventIds(Vertx vertx, String target, String appCode, String roomId);
}
