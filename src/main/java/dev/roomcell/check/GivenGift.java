package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Gifts.Payment;
import dev.roomcell.domain.Gifts.RoomGiftSent;
import dev.roomcell.domain.Gifts.SendGift;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.RoomCodec;
import java.util.List;
import java.util.Optional;

/**
 * A gift in a room's log.
 *
 * @param key names its intent
 * @param room where it was given
 * @param version the room version that gave it
 * @param wish what was asked for, with what was paid
 * @param sent the event that it made
 */
public record GivenGift(GiftKey key, RoomKey room, long version, SendGift wish, RoomGiftSent sent) {
    /** The gift of a log row; empty if it gave none, and if it can't be read. */
    public static Optional<GivenGift> in(RoomKey room, LogRow row, RoomCodec codec) {
        // What can't be read is for HistoryChecker to tell.
        DecodedRow decoded = DecodedRow.of(room, row, codec, new Findings(room));
        Optional<SendGift> wish =
                decoded.command().filter(SendGift.class::isInstance).map(SendGift.class::cast);
        return wish.flatMap(paid -> decoded.events().orElse(List.of()).stream()
                .filter(RoomGiftSent.class::isInstance)
                .map(sent -> new GivenGift(
                        new GiftKey(room.appCode(), row.commandId()), room, row.version(), paid, (RoomGiftSent) sent))
                .findFirst());
    }

    Payment payment() {
        return wish.payment();
    }
}
