package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.Backlog;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an outbox worker does beside delivering: counts what is left, and purges what was delivered long ago (OUT-7). */
final class OutboxChores {
    private static final Logger log = LoggerFactory.getLogger(OutboxChores.class);
    /** The pause between two looks when there is nothing to do, ms. */
    private static final long PERIOD_MS = 10_000;
    /** The pause between two purges while there is more, ms: leaves the database time for others. */
    private static final long NEXT_PURGE_MS = 50;

    private static final int ROWS_A_PURGE = 1_000;
    /** Whoever holds this one purges: so it is one worker at a time. */
    private static final int PURGING_PARTITION = 0;

    private final CellLoop loop;
    private final OutboxStore outbox;
    private final RoomClock clock;
    private final long keptMs;
    private long countDueMs;
    private long purgeDueMs;
    private Optional<Backlog> backlog = Optional.empty();

    OutboxChores(CellLoop loop, OutboxStore outbox, RoomClock clock, long keptMs) {
        this.loop = loop;
        this.outbox = outbox;
        this.clock = clock;
        this.keptMs = keptMs;
        this.countDueMs = clock.monotonicMs();
        this.purgeDueMs = clock.monotonicMs();
    }

    /** What was left when it was counted last. */
    Optional<Backlog> backlog() {
        return backlog;
    }

    /** Never fails: none of it is worth to keep facts waiting. */
    Future<Void> doWhatIsDue(List<Integer> partitions) {
        return count(List.copyOf(partitions)).compose(counted -> purge(partitions.contains(PURGING_PARTITION)));
    }

    private Future<Void> count(List<Integer> partitions) {
        if (clock.monotonicMs() < countDueMs) {
            return Future.succeededFuture();
        }
        countDueMs = clock.monotonicMs() + PERIOD_MS;
        return loop.reenter(outbox.backlog(partitions))
                .onSuccess(counted -> backlog = Optional.of(counted))
                .onFailure(failure -> log.warn("outbox not counted: {}", failure.toString()))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    private Future<Void> purge(boolean ours) {
        if (!ours || clock.monotonicMs() < purgeDueMs) {
            return Future.succeededFuture();
        }
        purgeDueMs = clock.monotonicMs() + PERIOD_MS;
        return loop.reenter(outbox.purge(keptMs, ROWS_A_PURGE))
                .onSuccess(purged -> {
                    if (purged == ROWS_A_PURGE) {
                        purgeDueMs = clock.monotonicMs() + NEXT_PURGE_MS;
                    }
                })
                .onFailure(failure -> log.warn("outbox not purged: {}", failure.toString()))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }
}
