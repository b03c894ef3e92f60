package dev.roomcell.port;

/** Hears what becomes of robots' displays. Called on a room loop: it must be quick, and never throws. */
@FunctionalInterface
public interface DisplayMeter {
    /** This became of one display; each has one fate. */
    void ended(Fate fate);

    /** What becomes of a display. */
    enum Fate {
        /** It has reached its group. */
        SENT,
        /** It was sent, and failed or was not answered in time. */
        FAILED,
        /** Its caller was refused: the room has had as many in this second as it takes. */
        TOO_MANY_IN_ROOM,
        /** Its caller was refused: as many wait on the loop as may. */
        QUEUE_FULL,
        /** The node is connected to no IM provider. */
        NOT_CONNECTED,
        /** It had waited so long that it would only confuse. */
        TOO_OLD,
        /** The node was shutting down. */
        SHUTDOWN
    }

    /** Of a node that counts nothing. */
    static DisplayMeter none() {
        return fate -> {};
    }
}
