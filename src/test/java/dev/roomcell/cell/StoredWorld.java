package dev.roomcell.cell;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.sim.MemoryDatabase;
import dev.roomcell.sim.SteppedLoop;
import dev.roomcell.sim.SteppedTime;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A database in stepped time, and rooms in it that no cell plays: what workers find. */
class StoredWorld {
    /** When time begins here, database time, epoch ms. */
    static final long BEGIN_MS = 1_700_000_000_000L;

    final SteppedTime time = new SteppedTime();
    final MemoryDatabase database = new MemoryDatabase(this::nowMs);

    /** Database time, epoch ms. */
    long nowMs() {
        return BEGIN_MS + time.nowMs();
    }

    /** A room's version; 0 where there is none yet. */
    long version(RoomKey key) {
        return database.room(key).map(MemoryDatabase.RoomFields::version).orElse(0L);
    }

    /** Commits the next versions of an active room, which is made if it is not there. */
    void commit(RoomKey key, List<LogRow> rows) {
        if (database.room(key).isEmpty()) {
            Await.result(database.insertCreating(key, 1));
        }
        RoomBatch batch = new RoomBatch(
                key,
                version(key),
                1,
                "node",
                "token",
                rows,
                Lifecycle.Status.ACTIVE,
                true,
                false,
                List.of(),
                List.of(),
                Optional.empty());
        Await.result(database.commit(List.of(batch), false));
    }

    static LogRow row(long version, long atMs, byte[] events, List<Fact> facts) {
        byte[] text = text(version);
        return new LogRow(version, "c-" + version, new byte[16], "DO", "user", atMs, text, events, text, facts);
    }

    /** What stands where nobody reads. */
    static byte[] text(long version) {
        return ("version " + version).getBytes(StandardCharsets.UTF_8);
    }

    /** Calls on a loop, and does all that can be done at once. */
    Future<Void> on(SteppedLoop loop, Supplier<Future<Void>> call) {
        List<Future<Void>> called = new ArrayList<>();
        loop.execute(() -> called.add(call.get()));
        time.runUntilIdle();
        return called.get(0);
    }
}
