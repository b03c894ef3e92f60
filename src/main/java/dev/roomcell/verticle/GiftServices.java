package dev.roomcell.verticle;

import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.MysqlGiftCatalog;
import dev.roomcell.adapter.mysql.MysqlGiftStore;
import dev.roomcell.adapter.mysql.MysqlRocketCatalog;
import dev.roomcell.adapter.wallet.GrpcLuckyGift;
import dev.roomcell.adapter.wallet.GrpcWallet;
import dev.roomcell.adapter.wallet.ServiceCallMeter;
import dev.roomcell.adapter.wallet.WalletSettings;
import dev.roomcell.cell.GiftPorts;
import dev.roomcell.port.GiftCatalog;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.LuckyGift;
import dev.roomcell.port.RocketCatalog;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/** One event loop's ways to the wallet and the lottery, if there are any. */
public final class GiftServices {
    private final Optional<GrpcWallet> wallet;
    private final Optional<GrpcLuckyGift> lottery;
    private final long catalogCacheMs;

    private GiftServices(Optional<GrpcWallet> wallet, Optional<GrpcLuckyGift> lottery, long catalogCacheMs) {
        this.catalogCacheMs = catalogCacheMs;
        this.wallet = wallet;
        this.lottery = lottery;
    }

    /**
     * What is needed to open them.
     *
     * @param wallet where users' coins are
     * @param lottery where lucky gifts are drawn for
     * @param catalogCacheMs for how long prices and rockets are remembered, ms
     * @param meter hears what becomes of the calls
     */
    public record Settings(WalletSettings wallet, WalletSettings lottery, long catalogCacheMs, ServiceCallMeter meter) {
        /** Connects when they are first asked; on the loop that uses them. */
        GiftServices open(Vertx vertx, RoomClock clock) {
            return new GiftServices(
                    GrpcWallet.of(vertx, wallet, clock, meter),
                    GrpcLuckyGift.of(vertx, lottery, clock, meter),
                    catalogCacheMs);
        }
    }

    /** The ports over the database of {@code connections}. */
    GiftPorts ports(Connections connections, RoomClock clock) {
        GiftStore store = new MysqlGiftStore(connections);
        GiftCatalog catalog = new MysqlGiftCatalog(connections, clock, catalogCacheMs);
        RocketCatalog rockets = new MysqlRocketCatalog(connections, clock, catalogCacheMs);
        GiftPorts notOffered = GiftPorts.notOffered(store, rockets);
        if (wallet.isEmpty()) {
            return notOffered;
        }
        // Without a lottery nothing can be won, so nothing is offered that may win.
        LuckyGift draws = lottery.<LuckyGift>map(there -> there).orElseGet(() -> notOffered.lottery());
        GiftCatalog offered = lottery.isPresent()
                ? catalog
                : (appCode, giftId) -> catalog.find(appCode, giftId).map(gift -> gift.filter(plain -> !plain.lucky()));
        return new GiftPorts(store, offered, rockets, wallet.get(), draws);
    }

    Future<Void> close() {
        return Future.join(
                        wallet.map(GrpcWallet::close).orElseGet(Future::succeededFuture),
                        lottery.map(GrpcLuckyGift::close).orElseGet(Future::succeededFuture))
                .mapEmpty();
    }
}
