package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who has which room's row locked, and who waits for it, in the order of arrival. */
final class RowLocks {
    private final LockWait limit;
    private final Map<RoomKey, Object> holders = new HashMap<>();
    private final Map<RoomKey, Deque<Waiter>> waiting = new HashMap<>();

    private record Waiter(Object holder, Promise<Void> granted) {}

    /** How long a statement waits for a row. */
    interface LockWait {
        /** No wait: whoever meets a locked row has waited too long already. */
        LockWait NONE = Runnable::run;

        /** Runs {@code giveUp} once a statement that begins to wait now has waited too long. */
        void limit(Runnable giveUp);
    }

    RowLocks(LockWait limit) {
        this.limit = limit;
    }

    /** Locks the row if it is free or the holder's already. */
    boolean tryTake(RoomKey key, Object holder) {
        Object there = holders.putIfAbsent(key, holder);
        return there == null || there == holder;
    }

    /** Locks the row as soon as it is free; fails, as a 1205 does, when that takes too long. */
    Future<Void> take(RoomKey key, Object holder) {
        if (tryTake(key, holder)) {
            return Future.succeededFuture();
        }
        Waiter waiter = new Waiter(holder, Promise.promise());
        waiting.computeIfAbsent(key, first -> new ArrayDeque<>()).addLast(waiter);
        limit.limit(() -> {
            if (waiting.getOrDefault(key, new ArrayDeque<>()).remove(waiter)) {
                String detail = "1205: Lock wait timeout exceeded";
                waiter.granted.fail(new StoreException(detail, new IllegalStateException(detail)));
            }
        });
        return waiter.granted.future();
    }

    /** Ends all that {@code holder} has or waits for; those who waited for it go on. */
    void release(Object holder) {
        waiting.values().forEach(queue -> queue.removeIf(waiter -> waiter.holder == holder));
        List<RoomKey> freed = new ArrayList<>();
        holders.forEach((key, there) -> {
            if (there == holder) {
                freed.add(key);
            }
        });
        freed.sort(null);
        freed.forEach(holders::remove);
        freed.forEach(this::grant);
    }

    private void grant(RoomKey key) {
        Waiter next = waiting.getOrDefault(key, new ArrayDeque<>()).poll();
        if (next != null) {
            holders.put(key, next.holder);
            next.granted.complete();
        }
    }
}
