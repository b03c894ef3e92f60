package dev.roomcell.adapter.codec;

import dev.roomcell.domain.GiftBoard;
import dev.roomcell.domain.GiftBoard.Giver;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Gifts.Payment;
import dev.roomcell.domain.Rockets.Fuel;
import dev.roomcell.proto.internal.v1.RoomGiftSentEvent;
import dev.roomcell.proto.internal.v1.SendGiftCommand;
import dev.roomcell.proto.internal.v1.StoredGiver;
import dev.roomcell.proto.internal.v1.StoredPayment;
import dev.roomcell.proto.internal.v1.StoredState;

/** Gifts in their stored form. */
final class StoredGifts {
    private StoredGifts() {}

    static SendGiftCommand encode(Gifts.SendGift send) {
        SendGiftCommand.Builder stored = SendGiftCommand.newBuilder()
                .setGiftId(send.giftId())
                .setCount(send.count())
                .addAllReceiverUserIds(send.receiverUserIds());
        Fuel fuel = send.fuel();
        if (fuel.amount() > 0 && fuel.plan().offersRockets()) {
            stored.setFuel(fuel.amount()).setRocketPlan(StoredRockets.encode(fuel.plan()));
        }
        Payment payment = send.payment();
        if (!payment.equals(Payment.NONE)) {
            stored.setPayment(StoredPayment.newBuilder()
                    .setUnitPrice(payment.unitPriceCoins())
                    .setTotalPrice(payment.totalPriceCoins())
                    .setBalanceAfterDebit(payment.balanceAfterDebit())
                    .setReward(payment.rewardCoins())
                    .setRewardPending(payment.rewardPending()));
        }
        return stored.build();
    }

    static Gifts.SendGift decode(String actor, SendGiftCommand stored) {
        StoredPayment payment = stored.getPayment();
        return new Gifts.SendGift(
                actor,
                stored.getGiftId(),
                stored.getCount(),
                stored.getReceiverUserIdsList(),
                new Payment(
                        payment.getUnitPrice(),
                        payment.getTotalPrice(),
                        payment.getBalanceAfterDebit(),
                        payment.getReward(),
                        payment.getRewardPending()),
                new Fuel(stored.getFuel(), StoredRockets.decode(stored.getRocketPlan())));
    }

    static RoomGiftSentEvent encode(Gifts.RoomGiftSent sent) {
        return RoomGiftSentEvent.newBuilder()
                .setSenderUserId(sent.senderUserId())
                .addAllReceiverUserIds(sent.receiverUserIds())
                .setGiftId(sent.giftId())
                .setCount(sent.count())
                .setUnitPrice(sent.unitPriceCoins())
                .setTotalPrice(sent.totalPriceCoins())
                .setReward(sent.rewardCoins())
                .build();
    }

    static Gifts.RoomGiftSent decode(RoomGiftSentEvent stored) {
        return new Gifts.RoomGiftSent(
                stored.getSenderUserId(),
                stored.getReceiverUserIdsList(),
                stored.getGiftId(),
                stored.getCount(),
                stored.getUnitPrice(),
                stored.getTotalPrice(),
                stored.getReward());
    }

    static void encode(GiftBoard board, StoredState.Builder stored) {
        stored.setHeat(board.heat());
        for (Giver giver : board.ranking()) {
            stored.addGivers(StoredGiver.newBuilder()
                    .setUserId(giver.userId())
                    .setCoins(giver.coins())
                    .setSinceVersion(giver.sinceVersion()));
        }
    }

    static GiftBoard board(StoredState stored) {
        return GiftBoard.of(
                stored.getHeat(),
                stored.getGiversList().stream()
                        .map(giver -> new Giver(giver.getUserId(), giver.getCoins(), giver.getSinceVersion()))
                        .toList());
    }
}
