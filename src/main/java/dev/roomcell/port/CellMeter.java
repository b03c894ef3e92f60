package dev.roomcell.port;

import dev.roomcell.domain.RoomCommand;

/**
 * Hears what the rooms of a node do, for its operators. Called on the room loops, several at once and often: it must be
 * quick, and never throws.
 */
public interface CellMeter {
    /** A caller was told what became of a command. */
    void answered(RoomCommand.Kind kind, Result result);

    /**
     * A room takes its next batch.
     *
     * @param waiting commands in its mailbox, at least 1
     * @param oldestMs for how long the first of them has waited, ms
     */
    void taken(int waiting, long oldestMs);

    /**
     * A transaction is over.
     *
     * @param rooms batches in it, at least 1
     * @param ms from when the database was asked to when it answered, or was given up
     */
    void transactionEnded(Transaction outcome, int rooms, long ms);

    /** A transaction made so many commands of one room durable, at least 1. */
    void batchCommitted(int commands);

    /** A room that has a row was to be loaded. */
    void loaded(Load result);

    /** A lease that Redis had lost was taken again, or could not be (LEASE-16). */
    void retaken(boolean ours);

    /** What became of a commit whose answer was lost was found out, or given up (LEASE-12). */
    void settled(Settled result);

    /** A loaded room was dropped at once, as it is or may be another's. */
    void dropped(Drop reason);

    /** What callers are told. The names are tags of the metrics. */
    enum Result {
        /** It is done and durable. */
        DONE,
        /** It was done before, by the same command id. */
        REPLAYED,
        /** A no: by the rules, or as the command id belongs to another command. */
        REJECTED,
        /** Nothing happened, the same may succeed later or elsewhere. */
        REFUSED,
        /** It may have happened or not. */
        UNKNOWN,
        /** A fault of ours. */
        FAULT
    }

    /** What a transaction came to. The names are tags of the metrics. */
    enum Transaction {
        /** MySQL said that it is committed. */
        COMMITTED,
        /** Nothing was written. */
        ROLLED_BACK,
        /** Nobody knows yet. */
        UNKNOWN
    }

    /** What a load came to. The names are tags of the metrics. */
    enum Load {
        /** The room is here; this node had it last, or nobody ever. */
        LOADED,
        /** The room is here; another node, or an earlier start of this one, had it last. */
        TAKEN_OVER,
        /** Another node has the lease. */
        OWNED_ELSEWHERE,
        /** It could not be loaded. */
        FAILED
    }

    /** What became of a commit whose answer was lost. The names are tags of the metrics. */
    enum Settled {
        /** It is in the log. */
        COMMITTED,
        /** It is not and never will be, or another incarnation of the room did the same. */
        NOT_COMMITTED,
        /** The database could not be asked for too long. */
        GIVEN_UP
    }

    /** Why a room was dropped. The names are tags of the metrics. */
    enum Drop {
        /** Redis says that the lease expired or changed hands. */
        LEASE_LOST,
        /** MySQL says that another incarnation has taken over (LEASE-11). */
        FENCED,
        /** A commit that nobody knows the outcome of, or a fault of ours on the way: memory can't be trusted. */
        UNKNOWN_OUTCOME
    }

    /** Of a node that counts nothing. */
    static CellMeter none() {
        return new CellMeter() {
            @Override
            public void answered(RoomCommand.Kind kind, Result result) {}

            @Override
            public void taken(int waiting, long oldestMs) {}

            @Override
            public void transactionEnded(Transaction outcome, int rooms, long ms) {}

            @Override
            public void batchCommitted(int commands) {}

            @Override
            public void loaded(Load result) {}

            @Override
            public void retaken(boolean ours) {}

            @Override
            public void settled(Settled result) {}

            @Override
            public void dropped(Drop reason) {}
        };
    }
}
