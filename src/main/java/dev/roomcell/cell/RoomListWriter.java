package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.RoomListStore.ListEntry;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the room list up to date behind the commits: the newest line of each changed room, at most once a second
 * (ROOM-8). The list decides nothing, so a line that could not be written is tried again with the next ones.
 */
final class RoomListWriter {
    private static final Logger log = LoggerFactory.getLogger(RoomListWriter.class);
    /** A room's line is written at most so often, ms. */
    private static final long PERIOD_MS = 1_000;
    /** The most lines of one statement. */
    private static final int LINES_A_WRITE = 256;

    private final CellLoop loop;
    private final RoomListStore store;
    private final Map<RoomKey, ListEntry> changed = new LinkedHashMap<>();
    private boolean scheduled;

    RoomListWriter(CellLoop loop, RoomListStore store) {
        this.loop = loop;
        this.store = store;
    }

    /** The line of a room as it is. */
    static ListEntry lineOf(RoomState state) {
        return new ListEntry(
                state.key(),
                state.version(),
                state.status(),
                state.profile().title(),
                state.profile().region(),
                state.onlineCount(),
                state.board().heat());
    }

    void changed(RoomState state) {
        changed.put(state.key(), lineOf(state));
        schedule();
    }

    private void schedule() {
        if (!scheduled && !changed.isEmpty()) {
            scheduled = true;
            loop.schedule(
                    PERIOD_MS,
                    () -> flush().onComplete(done -> {
                        scheduled = false;
                        schedule();
                    }));
        }
    }

    /** Writes every line that has changed; fails never. */
    Future<Void> flush() {
        List<ListEntry> lines = new ArrayList<>(changed.values());
        changed.clear();
        Future<Void> written = Future.succeededFuture();
        for (int from = 0; from < lines.size(); from += LINES_A_WRITE) {
            List<ListEntry> some = lines.subList(from, Math.min(lines.size(), from + LINES_A_WRITE));
            written = written.compose(before -> write(some));
        }
        return written;
    }

    private Future<Void> write(List<ListEntry> lines) {
        return loop.reenter(store.write(lines)).recover(failure -> {
            log.warn("{} lines of the room list not written: {}", lines.size(), failure.toString());
            lines.forEach(line -> changed.putIfAbsent(line.key(), line));
            return Future.succeededFuture();
        });
    }
}
