package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The timers of a {@link MemoryDatabase}. Every call takes effect at once. Not thread-safe. */
public final class MemoryTimers implements TimerStore {
    private final MemoryTables tables;

    MemoryTimers(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public Future<List<DueTimer>> claimDue(TimerClaim claim) {
        // Mostly nothing is due, and this is asked more often than anything else.
        if (tables.timers.values().stream().noneMatch(dueMs -> dueMs <= claim.nowMs())) {
            return Future.succeededFuture(List.of());
        }
        Comparator<DueTimer> ofOthersLast = Comparator.comparing(
                due -> !isOwnedBy(claim.nodeId(), due.timer().key()));
        List<DueTimer> claimed = tables.timers.entrySet().stream()
                .filter(timer -> timer.getValue() <= claim.nowMs()
                        && claim.kinds().contains(timer.getKey().kind()))
                .filter(timer -> timer.getValue() <= claim.lateMs()
                        || isOwnedBy(claim.nodeId(), timer.getKey().key()))
                .map(timer -> new DueTimer(timer.getKey(), timer.getValue()))
                .sorted(ofOthersLast
                        .thenComparingLong(DueTimer::dueMs)
                        .thenComparing(due -> due.timer().key())
                        .thenComparing(due -> due.timer().kind())
                        .thenComparing(due -> due.timer().ref()))
                .limit(claim.limit())
                .toList();
        claimed.forEach(due -> tables.timers.put(due.timer(), claim.untilMs()));
        return Future.succeededFuture(claimed);
    }

    private boolean isOwnedBy(String nodeId, RoomKey key) {
        RoomFields room = tables.rooms.get(key);
        return room == null
                || room.ownerNodeId().isEmpty()
                || room.ownerNodeId().equals(nodeId);
    }

    @Override
    public Future<Void> giveBack(List<GivenBack> timers, long untilMs) {
        timers.forEach(given -> tables.timers.replace(given.timer(), untilMs, given.dueMs()));
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> done(RoomTimer timer, long untilMs) {
        tables.timers.remove(timer, untilMs);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> plan(RoomTimer timer, long dueMs) {
        tables.timers.merge(timer, dueMs, Math::min);
        return Future.succeededFuture();
    }

    /** When each of a room's timers is due, epoch ms; of those of a kind the first. */
    Map<Kind, Long> of(RoomKey key) {
        Map<Kind, Long> due = new EnumMap<>(Kind.class);
        tables.timers.forEach((timer, dueMs) -> {
            if (timer.key().equals(key)) {
                due.merge(timer.kind(), dueMs, Math::min);
            }
        });
        return due;
    }
}
