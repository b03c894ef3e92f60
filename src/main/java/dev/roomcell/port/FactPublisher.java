package dev.roomcell.port;

import dev.roomcell.port.OutboxStore.Claimed;
import io.vertx.core.Future;
import java.util.List;

/** The message queue that other services read (LANE-3). */
public interface FactPublisher {
    /**
     * Publishes facts, those of a room in the order given: none of them before the one in front of it has arrived. A fact
     * may come twice, never under another id.
     *
     * @return what became of each, in the order given; fails when nothing is known of any of them
     */
    Future<List<Delivery>> publish(List<Claimed> facts);

    /**
     * What became of a fact.
     *
     * @param outcome what
     * @param error why not; empty if delivered
     */
    record Delivery(Outcome outcome, String error) {
        /** It has arrived. */
        public static final Delivery DELIVERED = new Delivery(Outcome.DELIVERED, "");
    }

    /** What may become of a fact. */
    enum Outcome {
        /** It has arrived, and that was confirmed (OUT-3). */
        DELIVERED,
        /** It was refused for what it is, while others are taken. */
        REFUSED,
        /** It was not tried, as one of its room in front of it did not arrive. */
        HELD,
        /** The queue takes nothing now, or does not say: perhaps it has arrived. */
        OUTAGE
    }
}
