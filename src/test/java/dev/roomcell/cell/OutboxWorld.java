package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomClock;
import dev.roomcell.sim.MemoryOutbox.DeliveryFields;
import dev.roomcell.sim.MemoryOutbox.Status;
import dev.roomcell.sim.SteppedLoop;
import dev.roomcell.sim.WiredOutbox;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/** An outbox, a queue, and workers between them, in stepped time. */
final class OutboxWorld extends StoredWorld {
    static final OutboxSettings USUAL = new OutboxSettings(16, 30_000, 10_000, 20, 1_000, 60_000, 250, 86_400_000);

    final ScriptedQueue queue = new ScriptedQueue();
    private int workers;

    /** A worker, on a loop of its own, with a script between it and the outbox. */
    final class Node {
        final String workerId = "w" + ++workers;
        final SteppedLoop loop = time.newLoop();
        final PortScript script = new PortScript(time, loop);
        private final List<OutboxWorker> made = new ArrayList<>();
        private int tokens;

        /** How far the node's own clock of the database is wrong, ms. */
        private long wrongByMs;

        private Node(OutboxSettings settings) {
            RoomClock clock = new RoomClock() {
                @Override
                public long nowMs() {
                    return OutboxWorld.this.nowMs() + wrongByMs;
                }

                @Override
                public long monotonicMs() {
                    return time.nowMs();
                }
            };
            loop.execute(() -> made.add(new OutboxWorker(
                    workerId,
                    loop,
                    new WiredOutbox(database.delivery(), script),
                    queue,
                    clock,
                    () -> workerId + "-" + ++tokens,
                    below -> below - 1,
                    settings)));
            time.runUntilIdle();
        }

        OutboxWorker worker() {
            return made.get(0);
        }

        void wrongBy(long ms) {
            wrongByMs = ms;
        }

        Future<Void> stop() {
            return on(loop, worker()::stop);
        }
    }

    /** A worker with these settings, which begins with the next step of time; its pauses are the longest that jitter makes. */
    Node worker(OutboxSettings settings) {
        return new Node(settings);
    }

    Node worker() {
        return worker(USUAL);
    }

    static RoomKey room(String id) {
        return new RoomKey("app", id);
    }

    /** Commits one fact a version, from the room's version on. */
    List<FactId> facts(RoomKey key, int versions) {
        long before = version(key);
        List<LogRow> rows = LongStream.rangeClosed(before + 1, before + versions)
                .mapToObj(OutboxWorld::row)
                .toList();
        commit(key, rows);
        return rows.stream().map(row -> new FactId(key, row.version(), 0)).toList();
    }

    private static LogRow row(long version) {
        byte[] text = text(version);
        return row(version, 1, text, List.of(new RoomBatch.Fact(0, "Happened", true, text)));
    }

    DeliveryFields row(FactId id) {
        return Objects.requireNonNull(database.delivery().rows(id.key()).get(id), id.toString());
    }

    Status status(FactId id) {
        return row(id).status();
    }

    /** Another room of the same partition. */
    static RoomKey neighbourOf(RoomKey key, int number) {
        return LongStream.range(0, 100_000)
                .mapToObj(i -> room("neighbour-" + i))
                .filter(room -> OutboxStore.partitionOf(room) == OutboxStore.partitionOf(key))
                .skip(number)
                .findFirst()
                .orElseThrow();
    }
}
