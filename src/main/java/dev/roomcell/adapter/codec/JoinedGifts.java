package dev.roomcell.adapter.codec;

import dev.roomcell.domain.RoomEvent;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.RoomGiftSent;
import java.util.Optional;

/** Gifts of the same kind that follow each other faster than a room's clients can be told of each. */
final class JoinedGifts {
    private static final String GIFT = RoomEvent.Type.ROOM_GIFT_SENT.name();

    private JoinedGifts() {}

    static String key(Fact fact) {
        if (!fact.type().equals(GIFT)) {
            return "";
        }
        RoomGiftSent gift = Envelopes.of(fact).getRoomGiftSent();
        // Ids have no NUL.
        return gift.getSenderUserId()
                + '\0'
                + gift.getGiftId()
                + '\0'
                + gift.getUnitPriceCoins()
                + '\0'
                + String.join("\0", gift.getReceiverUserIdsList());
    }

    static Optional<Fact> join(Fact earlier, Fact later) {
        RoomGiftSent first = Envelopes.of(earlier).getRoomGiftSent();
        FactEnvelope envelope = Envelopes.of(later);
        RoomGiftSent last = envelope.getRoomGiftSent();
        try {
            RoomGiftSent both = last.toBuilder()
                    .setCount(Math.addExact(first.getCount(), last.getCount()))
                    .setTotalPriceCoins(Math.addExact(first.getTotalPriceCoins(), last.getTotalPriceCoins()))
                    .setRewardCoins(Math.addExact(first.getRewardCoins(), last.getRewardCoins()))
                    .build();
            byte[] bytes =
                    StoredForm.bytes(envelope.toBuilder().setRoomGiftSent(both).build());
            return Optional.of(new Fact(later.index(), later.type(), later.durable(), bytes));
        } catch (ArithmeticException tooMany) {
            return Optional.empty();
        }
    }
}
