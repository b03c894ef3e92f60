package dev.roomcell.adapter.mysql;

import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.function.LongSupplier;

/**
 * Database time, carried on by the machine's monotonic clock between two measurements, so that a step of the wall clock
 * never matters (TIME-1). One for a node; any thread may read it.
 */
public final class DatabaseClock implements RoomClock {
    /** Measured so often, ms. */
    public static final long MEASURE_EVERY_MS = 30_000;

    /** A measurement that took longer says too little to replace an earlier one, ms. */
    private static final long SLOWEST_MS = 500;

    private final LongSupplier nanoTime;
    private volatile long offsetMs;
    private volatile boolean measured;

    /** A clock to be measured before it is read; {@code nanoTime} is {@code System::nanoTime}. */
    public DatabaseClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public long nowMs() {
        return monotonicMs() + offsetMs;
    }

    @Override
    public long monotonicMs() {
        return nanoTime.getAsLong() / 1_000_000;
    }

    /** Asks the database for its time; half of the round trip is taken for the way back. */
    public Future<Void> measure(Connections connections) {
        long askedAtMs = monotonicMs();
        return connections
                .read("SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)", Tuple.tuple())
                .map(rows -> {
                    long roundTripMs = monotonicMs() - askedAtMs;
                    if (measured && roundTripMs > SLOWEST_MS) {
                        return null;
                    }
                    measured = true;
                    for (Row row : rows) {
                        offsetMs = row.getLong(0) - (askedAtMs + monotonicMs()) / 2;
                    }
                    return null;
                });
    }
}
