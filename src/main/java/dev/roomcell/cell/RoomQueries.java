package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.RoomListStore.Place;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What any node answers from the database alone: no cell, no lease, no owner. Callable from any thread; every future
 * completes on the loop that the ports belong to, and fails with {@link dev.roomcell.port.StoreException}.
 */
public final class RoomQueries {
    private final CellLoop loop;
    private final RoomListStore list;

    /** Queries over ports that belong to {@code loop}. */
    public RoomQueries(CellLoop loop, RoomListStore list) {
        this.loop = loop;
        this.list = list;
    }

    /** See {@link RoomListStore#hottest}. */
    public Future<List<ListEntry>> hottest(String appCode, Optional<String> region, Optional<Place> after, int most) {
        return onLoop(() -> list.hottest(appCode, region, after, most));
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> call) {
        if (loop.isCurrent()) {
            return call.get();
        }
        Promise<T> answer = Promise.promise();
        loop.execute(() -> call.get().onComplete(answer));
        return answer.future();
    }
}
