package dev.roomcell.check;

/** What must hold of every room, whatever failed around it. */
public enum Invariant {
    /** The log's versions are 1..n, each command id is there once, and the room's row says version n and its status. */
    I1("I1"),
    /** The log replayed from nothing gives every snapshot; each command decided again gives its events and its result. */
    I2("I2"),
    /** What was acknowledged is in the log once, as it was acknowledged; what was refused is not. */
    I3("I3"),
    /** Whatever was answered before another command was sent has the lower version. */
    I4("I4"),
    /** Each version has one owner; epochs never go back, and one epoch is one owner's. */
    I5("I5"),
    /** All answers to one command id agree. */
    I6("I6"),
    /**
     * Every gift in the logs is paid for by one debit that stays, and every other debit is paid back, once; no balance is
     * negative, and the ledger's sum is zero.
     */
    I7("I7"),
    /**
     * The outbox holds the durable events of the log, each once, unchanged, and nothing else; and so does the queue, but that
     * an event may be there again, after it first came in its turn.
     */
    I8("I8"),
    /** Long after the last fault nothing is still to be delivered. */
    I9("I9"),
    /** Seats and users fit together in every version (MIC-6). */
    I10("I10"),
    /** Nobody is present without a join after the last leaving. */
    I11("I11"),
    /** Nothing follows the end of a room; its row and its list entry agree with its log. */
    I12("I12"),
    /** A rocket launches once if it ignited, and not before its time; unless a new day or the room's end came before it. */
    I13("I13"),
    /** Once nothing is in the way any more, every room answers; and no fault of ours is behind a closed door. */
    I14("I14"),
    /** Nothing is written but after a VerifyOwner that passed (LEASE-6, LEASE-7). */
    LEASE_6("LEASE-6"),
    /** Once nothing is in the way any more, every live room is loaded by the node that has its lease, and nobody had to ask (LEASE-14). */
    LEASE_14("LEASE-14"),
    /** A room's clients see only what is committed, as it is in the log, and of each owner in its order (LANE-2). */
    LANE_2("LANE-2"),
    /** The payload hash is the command's (CMD-1). */
    CMD_1("CMD-1"),
    /** Stamps never go back (TIME-1). */
    TIME_1("TIME-1");

    private final String id;

    Invariant(String id) {
        this.id = id;
    }

    /** The invariant's id as people cite it: {@code I1}, {@code TIME-1}. */
    public String id() {
        return id;
    }
}
