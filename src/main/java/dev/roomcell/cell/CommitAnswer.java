package dev.roomcell.cell;

import dev.roomcell.port.CommandStore.LoggedCommand;
import java.util.Map;
import java.util.Set;

/** What became of one room's batch. Only {@link Appended} and {@link Unknown} may have had an effect. */
sealed interface CommitAnswer {
    /** It is durable; or it was empty, and the lease was verified (LEASE-17). */
    record Appended() implements CommitAnswer {}

    /**
     * Nothing was written: some of its command ids are in the log already.
     *
     * @param found those, by id; never empty
     */
    record Duplicate(Map<String, LoggedCommand> found) implements CommitAnswer {}

    /**
     * Nothing was written: some of its gifts were given up (GIFT-2).
     *
     * @param commandIds those; never empty
     */
    record GiftsGone(Set<String> commandIds) implements CommitAnswer {}

    /** Nothing was written: another incarnation owns the room, or the row is not what memory says (LEASE-11). */
    record Fenced(String detail) implements CommitAnswer {}

    /** Nothing was written: Redis says that the room is no longer ours (LEASE-7). */
    record LeaseLost() implements CommitAnswer {}

    /** Nothing was written: Redis or the database cannot be used right now. */
    record Unavailable(String detail) implements CommitAnswer {}

    /** Nothing was written: the database refuses a statement, and will refuse it again. */
    record Refused(String detail) implements CommitAnswer {}

    /** It may have been written, and may still be (LEASE-12). */
    record Unknown(String detail) implements CommitAnswer {}

    /** What the callers of a batch are told that was surely not written. */
    default Answer.Refused noEffect() {
        if (this instanceof LeaseLost) {
            return Answer.Refused.of(
                    Answer.Refusal.LEASE_LOST, "the lease was lost before the commit; nothing happened");
        }
        return this instanceof Fenced
                ? Answer.Refused.of(Answer.Refusal.FENCED, "another owner has taken over; nothing happened")
                : nothingWritten();
    }

    /** The answer where the database did not take the batch, for no fault of anybody here. */
    static Answer.Refused nothingWritten() {
        return Answer.Refused.of(Answer.Refusal.STORE_UNAVAILABLE, "nothing was written; try again");
    }
}
