package dev.roomcell.sim;

import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.OutboxStore.Claimed;
import io.vertx.core.Future;
import java.util.List;

/** One node's way to the streams, which may refuse facts, and may take them and not say so. */
final class WiredStreams implements FactPublisher {
    private final Surroundings around;
    private final PortTap tap;

    WiredStreams(Surroundings around, PortTap tap) {
        this.around = around;
        this.tap = tap;
    }

    @Override
    public Future<List<Delivery>> publish(List<Claimed> facts) {
        boolean told = !around.dice.percent(around.lostArrivalPercent);
        return tap.pass(
                Call.PUBLISH,
                facts.size() + " facts from " + facts.get(0).id(),
                () -> around.streams
                        .publish(facts)
                        .compose(deliveries -> told
                                ? Future.succeededFuture(deliveries)
                                : Future.failedFuture(Call.PUBLISH.failure("taken, and not answered"))));
    }
}
