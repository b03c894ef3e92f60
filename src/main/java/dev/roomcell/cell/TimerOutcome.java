package dev.roomcell.cell;

/** What became of a timer that was due. */
public sealed interface TimerOutcome {
    /** It was acted on, or will be: its row is the room's own commit's, or comes back when the claim is over. */
    record Over() implements TimerOutcome {}

    /**
     * It was looked at, and is to be looked at again.
     *
     * @param atMs when, the owner's clock, epoch ms
     */
    record Again(long atMs) implements TimerOutcome {}

    /** It was a side task, and is done: its row is to go. */
    record Done() implements TimerOutcome {}

    /** This node can't act on it now; perhaps another can. */
    record NotHere() implements TimerOutcome {}
}
