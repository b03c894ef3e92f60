package dev.roomcell.port;

/** Hears what becomes of the tries to adopt rooms (LEASE-14). Called on one loop: it must be quick, and never throws. */
@FunctionalInterface
public interface AdoptionMeter {
    /** A room was tried. */
    void tried(Result result);

    /** What a try came to. The names are tags of the metrics. */
    enum Result {
        /** The room is this node's now. */
        ADOPTED,
        /** The room needs no owner any more, or it is not made yet. */
        NOT_NEEDED,
        /** A node has the room, by its lease. */
        OWNED,
        /** This node takes no further room: it has as many as it may, or is shutting down. */
        FULL,
        /** The database or Redis did not do what it was asked for, or another node was faster. */
        UNAVAILABLE,
        /** What is stored of the room can't be read by this node, or a fault of ours. */
        UNREADABLE
    }
}
