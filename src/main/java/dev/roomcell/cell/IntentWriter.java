package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the intents of a loop's gifts durable, many a transaction: while one is in flight the next one fills. No money
 * moves before (GIFT-2).
 */
final class IntentWriter {
    private static final int MOST_A_GROUP = 128;
    /** Intents that may wait; one more is refused. */
    private static final int MOST_WAITING = 4_096;

    private final CellLoop loop;
    private final GiftStore store;
    private final long voidAfterMs;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private boolean inFlight;

    IntentWriter(CellLoop loop, GiftStore store, long voidAfterMs) {
        this.loop = loop;
        this.store = store;
        this.voidAfterMs = voidAfterMs;
    }

    private record Waiting(Intent intent, Promise<Intent> stored) {}

    /** The intent as it stands in the database from now on; fails with {@link StoreException}, then it may be there. */
    Future<Intent> begin(Intent intent) {
        if (queue.size() >= MOST_WAITING) {
            return Future.failedFuture(new StoreException("too many gifts wait to be begun"));
        }
        Waiting waiting = new Waiting(intent, Promise.promise());
        queue.addLast(waiting);
        if (!inFlight) {
            inFlight = true;
            loop.execute(this::next);
        }
        return waiting.stored.future();
    }

    private void next() {
        if (queue.isEmpty()) {
            inFlight = false;
            return;
        }
        List<Waiting> group = new ArrayList<>();
        while (!queue.isEmpty() && group.size() < MOST_A_GROUP) {
            group.add(queue.removeFirst());
        }
        List<Intent> intents = group.stream().map(Waiting::intent).toList();
        loop.reenter(Future.<Void>succeededFuture().compose(begun -> store.begin(intents, voidAfterMs)))
                .onComplete(stored -> {
                    for (int i = 0; i < group.size(); i++) {
                        if (stored.succeeded()) {
                            group.get(i).stored.complete(stored.result().get(i));
                        } else {
                            group.get(i).stored.fail(stored.cause());
                        }
                    }
                    next();
                });
    }
}
