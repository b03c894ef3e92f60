package dev.roomcell.cell;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.RoomCodec;
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
    private final CommandStore commands;
    private final RoomCodec codec;

    /** Queries over ports that belong to {@code loop}. */
    public RoomQueries(CellLoop loop, RoomListStore list, CommandStore commands, RoomCodec codec) {
        this.loop = loop;
        this.list = list;
        this.commands = commands;
        this.codec = codec;
    }

    /** See {@link RoomListStore#hottest}. */
    public Future<List<ListEntry>> hottest(String appCode, Optional<String> region, Optional<Place> after, int most) {
        return onLoop(() -> list.hottest(appCode, region, after, most));
    }

    /**
     * A room's events after {@code sinceVersion}, closed rooms' too; empty if there is no such room, or it is not there
     * yet (ROOM-1). Fails also with {@link RoomCodec.UnreadableException}.
     *
     * @param most at most so many events, or one version that has more
     */
    public Future<Optional<EventsPage>> events(RoomKey key, long sinceVersion, int most) {
        // Every version has an event, so that many versions are enough.
        return onLoop(() -> commands.readLog(key, sinceVersion, most))
                .map(log -> log.filter(page -> page.row().status() != Lifecycle.Status.CREATING)
                        .map(page -> EventsPage.of(key, sinceVersion, most, page, codec)));
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> call) {
        if (loop.isCurrent()) {
            return loop.reenter(call.get());
        }
        Promise<T> answer = Promise.promise();
        loop.execute(() -> loop.reenter(call.get()).onComplete(answer));
        return answer.future();
    }
}
