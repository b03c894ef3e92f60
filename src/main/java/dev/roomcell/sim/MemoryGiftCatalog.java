package dev.roomcell.sim;

import dev.roomcell.port.GiftCatalog;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A catalog in memory, the same for every app. Not thread-safe. */
final class MemoryGiftCatalog implements GiftCatalog {
    private final Map<String, Gift> onSale = new TreeMap<>();

    /** From now on the gift is on sale, at this price. */
    void offer(Gift gift) {
        onSale.put(gift.giftId(), gift);
    }

    /** From now on the gift is not on sale. */
    void takeOff(String giftId) {
        onSale.remove(giftId);
    }

    @Override
    public Future<Optional<Gift>> find(String appCode, String giftId) {
        return Future.succeededFuture(Optional.ofNullable(onSale.get(giftId)));
    }
}
