package dev.roomcell.verticle;

import dev.roomcell.port.PurgeMeter;
import dev.roomcell.port.PurgeStore.Table;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts {@code room_purged_rows_total} by table, and shows {@code room_purge_stuck}. */
public final class PurgeCounters implements PurgeMeter {
    private final Map<Table, Counter> purged = new EnumMap<>(Table.class);
    private final AtomicInteger stuck = new AtomicInteger();

    /** Counters in {@code registry}, at 0. */
    public PurgeCounters(MeterRegistry registry) {
        for (Table table : Table.values()) {
            purged.put(
                    table,
                    Counter.builder("room.purged.rows")
                            .description("rows deleted for their age, by table")
                            .tag("table", table.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        Gauge.builder("room.purge.stuck", stuck, AtomicInteger::get)
                .description("rooms that keep old log rows because a snapshot of theirs can't be read")
                .register(registry);
    }

    @Override
    public void purged(Table table, int rows) {
        Counter counter = purged.get(table);
        if (counter != null) {
            counter.increment(rows);
        }
    }

    @Override
    public void stuck(int rooms) {
        stuck.set(rooms);
    }
}
