package dev.roomcell.port;

import io.vertx.core.Future;
import java.util.Optional;

/** What an app's users can give. */
public interface GiftCatalog {
    /** The gift, if it is on sale; fails with {@link StoreException} when the catalog can't be read. */
    Future<Optional<Gift>> find(String appCode, String giftId);

    /**
     * A gift on sale.
     *
     * @param giftId names it
     * @param unitPriceCoins what one piece costs a receiver, coins, at least 1
     * @param lucky whether it may win a reward (GIFT-6)
     * @param fuelPerPiece what one piece is worth to the room's rocket, 0 and up (ROCKET-1)
     */
    record Gift(String giftId, long unitPriceCoins, boolean lucky, long fuelPerPiece) {}
}
