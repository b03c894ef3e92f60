package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The intents of SendGift: one row a command, from before any money moves. Its state is changed by compare-and-set only,
 * so that of all who would end an intent exactly one does: the room's commit ({@link RoomBatch.GiftCommit}), or whoever
 * gives it up.
 *
 * <p>A call fails with {@link StoreException} when the database cannot be asked, or has not answered: what it was to
 * change may then have changed, and every call here may be repeated.
 */
public interface GiftStore {
    /**
     * Inserts those intents that are not there yet, in one transaction.
     *
     * @param voidAfterMs an intent that is not committed so many ms after is given up
     * @return every intent as it stands, in the order given: another command's if the id was used before (GIFT-5)
     */
    Future<List<Intent>> begin(List<Intent> intents, long voidAfterMs);

    /** Those of the intents that are there. */
    Future<Map<GiftKey, Intent>> find(Collection<GiftKey> keys);

    /**
     * Gives an intent up, if it is neither committed nor given up already: the money goes back, and the room's commit is
     * refused from now on.
     *
     * @param againMs if nobody has ended it after so many ms, somebody sees to it again
     * @return its state after; empty if there is no such intent
     */
    Future<Optional<State>> giveUp(GiftKey key, long againMs);

    /** The money of an intent that was given up is back: nothing is left to do. */
    Future<Void> voided(GiftKey key);

    /**
     * A committed gift has won so much; {@code DRAWING} becomes {@code DUE}, and the reward late, or {@code NONE} if it is
     * nothing.
     */
    Future<Void> drawn(GiftKey key, long rewardCoins, long againMs);

    /** The reward of a committed gift was credited: nothing is left to do. */
    Future<Void> rewardPaid(GiftKey key);

    /**
     * Takes intents that are due, and are nobody else's at the moment. One that is still {@code INTENT} is given up by
     * that.
     *
     * @param most at most so many, at least 1
     * @param firstAgainMs each is due again after so many ms, doubled with every try that it had, but
     * @param mostAgainMs after so many ms at the latest
     * @return the intents as they are now
     */
    Future<List<Intent>> claimDue(int most, long firstAgainMs, long mostAgainMs);

    /**
     * The wallet refuses what is left to do for an intent, now and for ever. At the last refusal that it has, the intent is
     * parked: it is not due any more before an operator says so.
     *
     * @param most the refusals that it has, at least 1
     * @param why what the wallet says, for people; its beginning is kept
     * @return whether this has parked it
     */
    Future<Boolean> refused(GiftKey key, int most, String why);

    /** How many intents are not over. */
    Future<Unsettled> unsettled();

    /**
     * How many intents are not over.
     *
     * @param open for which something is left to do, at the moment or one day
     * @param parked that wait for an operator; none of the others
     */
    record Unsettled(long open, long parked) {}

    /**
     * Names an intent.
     *
     * @param appCode the app
     * @param commandId unique in the app, whatever the room (GIFT-5)
     */
    record GiftKey(String appCode, String commandId) implements Comparable<GiftKey> {
        /** The key of the debit in the wallet (GIFT-5): a function of the command alone, whoever makes it, and when. */
        public String debitKey() {
            return "debit/" + appCode + "/" + commandId;
        }

        /** The key of the refund. */
        public String refundKey() {
            return "refund/" + appCode + "/" + commandId;
        }

        /** The key of the reward's credit. */
        public String creditKey() {
            return "credit/" + appCode + "/" + commandId;
        }

        /** The key of the draw. */
        public String drawKey() {
            return "draw/" + appCode + "/" + commandId;
        }

        @Override
        public int compareTo(GiftKey other) {
            int byApp = appCode.compareTo(other.appCode);
            return byApp != 0 ? byApp : commandId.compareTo(other.commandId);
        }
    }

    /** Where an intent is; the names are stored. */
    enum State {
        /** Money may have moved. Goes to COMMITTED or VOIDING. */
        INTENT,
        /** The gift is in the room's log. Stays so. */
        COMMITTED,
        /** It never will be; the money goes back. Goes to VOIDED. */
        VOIDING,
        /** The money is back. Stays so. */
        VOIDED
    }

    /** What becomes of the reward of a committed gift; the names are stored. */
    enum Reward {
        /** There is none. */
        NONE,
        /** Nobody knows yet. Goes to DUE or NONE. */
        DRAWING,
        /** It is owed. Goes to PAID. */
        DUE,
        /** It was credited. Stays so. */
        PAID
    }

    /**
     * An intent.
     *
     * @param key names it
     * @param roomId the room that it is for
     * @param actorUserId who pays
     * @param payloadHash of the command as it was first sent (CMD-1)
     * @param gift what is given, at the price that it had then
     * @param pieces how many, over all receivers
     * @param totalPriceCoins what they cost together
     * @param state where it is
     * @param reward what becomes of the reward
     * @param rewardCoins how much that is; 0 as long as it is not known
     * @param rewardLate whether it was drawn only after the gift was given: what its sender was answered says nothing of it
     */
    record Intent(
            GiftKey key,
            String roomId,
            String actorUserId,
            byte[] payloadHash,
            GiftCatalog.Gift gift,
            long pieces,
            long totalPriceCoins,
            State state,
            Reward reward,
            long rewardCoins,
            boolean rewardLate) {
        /** One whose gift is not given, for which no money has moved. */
        public static Intent begun(
                GiftKey key,
                String roomId,
                String actorUserId,
                byte[] payloadHash,
                GiftCatalog.Gift gift,
                long pieces,
                long totalPriceCoins) {
            return new Intent(
                    key,
                    roomId,
                    actorUserId,
                    payloadHash,
                    gift,
                    pieces,
                    totalPriceCoins,
                    State.INTENT,
                    Reward.NONE,
                    0,
                    false);
        }

        /** The same intent, elsewhere on its way. */
        public Intent with(State newState, Reward newReward, long newRewardCoins) {
            return copy(newState, newReward, newRewardCoins, rewardLate);
        }

        /** The same intent, whose reward is late. */
        public Intent late() {
            return copy(state, reward, rewardCoins, true);
        }

        private Intent copy(State newState, Reward newReward, long newRewardCoins, boolean late) {
            return new Intent(
                    key,
                    roomId,
                    actorUserId,
                    payloadHash,
                    gift,
                    pieces,
                    totalPriceCoins,
                    newState,
                    newReward,
                    newRewardCoins,
                    late);
        }

        /** Which room. */
        public RoomKey room() {
            return new RoomKey(key.appCode, roomId);
        }
    }
}
