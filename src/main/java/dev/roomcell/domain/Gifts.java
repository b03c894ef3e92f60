package dev.roomcell.domain;

import dev.roomcell.domain.Rockets.Fuel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gifts: paid for outside, committed here, or not at all (GIFT-2). */
public final class Gifts {
    /** So many users may get one gift (GIFT-7). */
    public static final int MAX_RECEIVERS = 20;

    /** So many pieces each receiver may get. */
    public static final int MAX_COUNT = 9_999;

    private Gifts() {}

    /**
     * Give something.
     *
     * @param actorUserId who gives and pays
     * @param giftId what, of the app's catalog
     * @param count how many pieces each receiver gets, 1..{@link #MAX_COUNT}
     * @param receiverUserIds 1..{@link #MAX_RECEIVERS} different users, not the actor
     * @param payment what was paid; no part of the wish, and of its hash (CMD-1)
     * @param fuel what it is worth to the rocket; no part of the wish either
     */
    public record SendGift(
            String actorUserId, String giftId, int count, List<String> receiverUserIds, Payment payment, Fuel fuel)
            implements RoomCommand {
        /** Keeps a copy of {@code receiverUserIds}. */
        public SendGift {
            receiverUserIds = List.copyOf(receiverUserIds);
        }

        @Override
        public Kind kind() {
            return Kind.SEND_GIFT;
        }

        /** The wish alone. */
        public static SendGift wish(String actorUserId, String giftId, int count, List<String> receiverUserIds) {
            return new SendGift(actorUserId, giftId, count, receiverUserIds, Payment.NONE, Fuel.NONE);
        }

        /** The same wish, paid for. */
        public SendGift paid(Payment paid, Fuel worth) {
            return new SendGift(actorUserId, giftId, count, receiverUserIds, paid, worth);
        }

        /** How many pieces are given, over all receivers. */
        public long pieces() {
            return (long) count * receiverUserIds.size();
        }
    }

    /**
     * What was paid for a gift, and won with it. All in coins.
     *
     * @param unitPriceCoins for one piece, as it was when the command first arrived
     * @param totalPriceCoins for all pieces
     * @param balanceAfterDebit what the giver had left right after paying
     * @param rewardCoins what the giver won; 0 for nothing
     * @param rewardPending whether nobody knows yet what the giver won (GIFT-6)
     */
    public record Payment(
            long unitPriceCoins,
            long totalPriceCoins,
            long balanceAfterDebit,
            long rewardCoins,
            boolean rewardPending) {
        /** Nothing was paid yet. */
        public static final Payment NONE = new Payment(0, 0, 0, 0, false);

        /** What the giver has when all is settled that is known; stops at {@link Long#MAX_VALUE}. */
        long balanceAfter() {
            long sum = balanceAfterDebit + rewardCoins;
            return sum < 0 ? Long.MAX_VALUE : sum;
        }
    }

    /**
     * A gift was given and paid for.
     *
     * @param senderUserId who gave
     * @param receiverUserIds all who got it
     * @param giftId what
     * @param count how many pieces each
     * @param unitPriceCoins for one piece
     * @param totalPriceCoins for all pieces
     * @param rewardCoins what the giver won, as far as it was known
     */
    public record RoomGiftSent(
            String senderUserId,
            List<String> receiverUserIds,
            String giftId,
            int count,
            long unitPriceCoins,
            long totalPriceCoins,
            long rewardCoins)
            implements RoomEvent {
        /** Keeps a copy of {@code receiverUserIds}. */
        public RoomGiftSent {
            receiverUserIds = List.copyOf(receiverUserIds);
        }

        @Override
        public Type type() {
            return Type.ROOM_GIFT_SENT;
        }
    }

    /**
     * The answer to {@link SendGift}, for the giver alone (LANE-4).
     *
     * @param roomVersion the version that gave it
     * @param coinBalanceAfter the giver's balance after the debit and the reward, coins
     * @param totalPriceCoins what was charged
     * @param rewardCoins what was won
     * @param rewardPending whether that is not known yet
     */
    public record GiftSent(
            long roomVersion, long coinBalanceAfter, long totalPriceCoins, long rewardCoins, boolean rewardPending)
            implements CommandResult {}

    /**
     * Why a gift may not be given in this room as it stands, money apart; asked before any moves (GIFT-3) and again when it
     * has.
     */
    public static Optional<Rejection> refused(RoomState state, SendGift wish) {
        Optional<Decision> shut =
                Lifecycle.admit(state, wish.kind()).or(() -> Presence.notIn(state, wish.actorUserId()));
        if (shut.isPresent()) {
            return Optional.of(((Decision.Rejected) shut.get()).rejection());
        }
        if (!state.isUser(wish.actorUserId())) {
            return Optional.of(new Rejection(Rejection.Reason.NOT_PRESENT, "robots give no gifts"));
        }
        // At the commit all must still qualify, else nobody gets anything (GIFT-7).
        return wish.receiverUserIds().stream()
                .filter(receiver -> !state.isUser(receiver))
                .findFirst()
                .map(receiver -> new Rejection(
                                Rejection.Reason.RECEIVER_GONE,
                                "a receiver is not in the room, or a robot; nobody was given anything")
                        .with("user_id", receiver));
    }

    static Decision send(RoomState state, SendGift command, Stamp stamp) {
        Optional<Rejection> refused = refused(state, command);
        if (refused.isPresent()) {
            return new Decision.Rejected(refused.get());
        }
        Payment paid = command.payment();
        if (paid.totalPriceCoins() <= 0) {
            throw new IllegalArgumentException("a gift that nobody paid for");
        }
        RoomGiftSent sent = new RoomGiftSent(
                command.actorUserId(),
                command.receiverUserIds(),
                command.giftId(),
                command.count(),
                paid.unitPriceCoins(),
                paid.totalPriceCoins(),
                paid.rewardCoins());
        List<RoomEvent> events = new ArrayList<>();
        events.add(sent);
        events.addAll(Rockets.fueled(state, command.fuel(), command.actorUserId(), stamp));
        return new Decision.Accepted(
                events,
                new GiftSent(
                        stamp.version(),
                        paid.balanceAfter(),
                        paid.totalPriceCoins(),
                        paid.rewardCoins(),
                        paid.rewardPending()));
    }

    static RoomState evolve(RoomState state, RoomGiftSent event, Stamp stamp) {
        return state.withBoard(state.board().given(event.senderUserId(), event.totalPriceCoins(), stamp.version()));
    }
}
