package dev.roomcell.adapter.mysql;

import dev.roomcell.port.GiftCatalog;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;

/** The table {@code gift_catalog}, with a memory of what was asked lately. Belongs to one event loop. */
public final class MysqlGiftCatalog implements GiftCatalog {
    private static final String FIND = "SELECT unit_price, lucky, fuel_per_piece FROM gift_catalog"
            + " WHERE app_code = ? AND gift_id = ? AND on_sale AND unit_price > 0 AND fuel_per_piece >= 0";

    private final Connections connections;
    private final Lately<Name, Optional<Gift>> lately;

    private record Name(String appCode, String giftId) {}

    /**
     * The gifts in the database of {@code connections}.
     *
     * @param rememberMs for how long an answer is taken for the present, ms; a price that changes is seen by then
     */
    public MysqlGiftCatalog(Connections connections, RoomClock clock, long rememberMs) {
        this.connections = connections;
        this.lately = new Lately<>(clock, rememberMs);
    }

    @Override
    public Future<Optional<Gift>> find(String appCode, String giftId) {
        return lately.get(
                new Name(appCode, giftId),
                () -> connections
                        .read(FIND, Tuple.of(Values.bytes(appCode), Values.bytes(giftId)))
                        .map(rows -> {
                            Optional<Gift> gift = Optional.empty();
                            for (Row row : rows) {
                                gift = Optional.of(
                                        new Gift(giftId, row.getLong(0), row.getInteger(1) != 0, row.getLong(2)));
                            }
                            return gift;
                        }));
    }
}
