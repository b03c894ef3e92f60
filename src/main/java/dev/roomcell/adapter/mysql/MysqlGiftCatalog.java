package dev.roomcell.adapter.mysql;

import dev.roomcell.port.GiftCatalog;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The table {@code gift_catalog}, with a memory of what was asked lately. Belongs to one event loop. */
public final class MysqlGiftCatalog implements GiftCatalog {
    private static final String FIND = "SELECT unit_price, lucky FROM gift_catalog WHERE app_code = ? AND gift_id = ?"
            + " AND on_sale AND unit_price > 0";

    /** Gifts that are remembered; the one longest in memory goes. */
    private static final int MOST_REMEMBERED = 10_000;

    private final Connections connections;
    private final RoomClock clock;
    private final long rememberMs;
    private final Map<Name, Remembered> remembered = new LinkedHashMap<>();

    private record Name(String appCode, String giftId) {}

    private record Remembered(Optional<Gift> gift, long sinceMs) {}

    /**
     * The gifts in the database of {@code connections}.
     *
     * @param rememberMs for how long an answer is taken for the present, ms; a price that changes is seen by then
     */
    public MysqlGiftCatalog(Connections connections, RoomClock clock, long rememberMs) {
        this.connections = connections;
        this.clock = clock;
        this.rememberMs = rememberMs;
    }

    @Override
    public Future<Optional<Gift>> find(String appCode, String giftId) {
        Name name = new Name(appCode, giftId);
        Remembered lately = remembered.get(name);
        if (lately != null && clock.monotonicMs() - lately.sinceMs < rememberMs) {
            return Future.succeededFuture(lately.gift);
        }
        return connections
                .read(FIND, Tuple.of(Values.bytes(appCode), Values.bytes(giftId)))
                .map(rows -> {
                    Optional<Gift> gift = Optional.empty();
                    for (Row row : rows) {
                        gift = Optional.of(new Gift(giftId, row.getLong(0), row.getInteger(1) != 0));
                    }
                    remember(name, gift);
                    return gift;
                });
    }

    private void remember(Name name, Optional<Gift> gift) {
        remembered.remove(name);
        if (remembered.size() >= MOST_REMEMBERED) {
            remembered.remove(remembered.keySet().iterator().next());
        }
        remembered.put(name, new Remembered(gift, clock.monotonicMs()));
    }
}
