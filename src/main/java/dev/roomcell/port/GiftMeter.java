package dev.roomcell.port;

import dev.roomcell.port.GiftStore.Unsettled;

/** Hears how the gifts of all nodes stand, and what became of notices to givers. It must be quick, and never throws. */
public interface GiftMeter {
    /** How many gifts are not over; told now and then. */
    void unsettled(Unsettled gifts);

    /** This became of a notice; each has one fate. */
    void noticeEnded(NoticeFate fate);

    /** What becomes of a notice to a giver. The names are tags of the metrics. */
    enum NoticeFate {
        /** The provider has it. */
        SENT,
        /** It was sent, and failed or was not answered in time. */
        FAILED,
        /** It was not sent: as many were waiting as may. */
        QUEUE_FULL,
        /** It was not sent: the node is connected to no IM provider. */
        NOT_CONNECTED,
        /** It was not sent: the node was shutting down. */
        SHUTDOWN
    }

    /** Of a node that counts nothing. */
    static GiftMeter none() {
        return new GiftMeter() {
            @Override
            public void unsettled(Unsettled gifts) {}

            @Override
            public void noticeEnded(NoticeFate fate) {}
        };
    }
}
