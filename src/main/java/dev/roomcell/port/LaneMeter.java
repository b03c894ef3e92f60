package dev.roomcell.port;

import dev.roomcell.domain.DeliveryLane.Priority;

/** Hears what becomes of the messages of the direct lane. Called on a room loop: it must be quick, and never throws. */
public interface LaneMeter {
    /** One message has reached its group. */
    void sent();

    /** One message was sent, and failed or was not answered in time. */
    void failed();

    /** A message was not sent at all. */
    void dropped(Drop reason, Priority priority);

    /** Why a message was not sent. The names are tags of the metrics. */
    enum Drop {
        /** The node is connected to no IM provider. */
        NOT_CONNECTED,
        /** Its room's queue was full, or all queues of the loop together. */
        QUEUE_FULL,
        /** It had waited so long that it would only confuse. */
        TOO_OLD,
        /** The provider takes no more in a second, and others were more important, or newer (LANE-6). */
        OVER_BUDGET,
        /** A later one of its kind is sent in its place, and says all that it would have said. */
        JOINED,
        /** It was longer than the provider takes; none is cut. */
        TOO_LONG,
        /** The provider had too many for its group. */
        BY_PROVIDER,
        /** The node was shutting down, and did not wait any longer. */
        SHUTDOWN,
        /** A fault of ours. */
        FAULT
    }

    /** Of a node that counts nothing. */
    static LaneMeter none() {
        return new LaneMeter() {
            @Override
            public void sent() {}

            @Override
            public void failed() {}

            @Override
            public void dropped(Drop reason, Priority priority) {}
        };
    }
}
