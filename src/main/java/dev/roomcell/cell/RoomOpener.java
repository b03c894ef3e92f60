package dev.roomcell.cell;

import dev.roomcell.cell.CellRecovery.Loaded;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.CommandStore.RoomRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what stands behind a room id, once however many ask. A room without a cell is looked up in MySQL first, so that
 * unknown and closed rooms cost neither a lease nor a cell (ROOM-7); a live one is loaded. Confined to its loop.
 */
final class RoomOpener {
    private static final Logger log = LoggerFactory.getLogger(RoomOpener.class);

    private final CellLoop loop;
    private final CellPorts ports;
    private final CellSettings settings;
    private final CellRecovery recovery;
    private final Shelf shelf;
    /** Rooms being opened, each with everybody who waits for it. */
    private final Map<RoomKey, List<Consumer<Opened>>> opening = new HashMap<>();

    /** Where the cells are. */
    interface Shelf {
        /** The cell of a room, if it is loaded. */
        @Nullable
        RoomCell cell(RoomKey key);

        /** How many there are. */
        int loadedRooms();

        /** The cell of a room that was loaded just now. */
        RoomCell place(Loaded.Owned owned);

        /** Whether no room is to be loaded any more. */
        boolean isDraining();
    }

    /** What stands behind a room id. */
    sealed interface Opened {
        record Live(RoomCell cell) implements Opened {}

        record Absent() implements Opened {}

        record Closed() implements Opened {}

        record NotNow(Answer.Refused refused) implements Opened {}
    }

    RoomOpener(CellLoop loop, CellPorts ports, CellSettings settings, CellRecovery recovery, Shelf shelf) {
        this.loop = loop;
        this.ports = ports;
        this.settings = settings;
        this.recovery = recovery;
        this.shelf = shelf;
    }

    /** The rooms being opened. */
    Set<RoomKey> opening() {
        return opening.keySet();
    }

    /** One future for each room being opened, which completes when that is over. */
    List<Future<Void>> allOpened() {
        List<Future<Void>> over = new ArrayList<>();
        opening.values().forEach(waiting -> {
            Promise<Void> opened = Promise.promise();
            waiting.add(then -> opened.complete());
            over.add(opened.future());
        });
        return over;
    }

    static Answer.Refused unavailable(String what, Throwable failure) {
        log.warn("{}: {}", what, failure.toString());
        return Answer.Refused.of(Answer.Refusal.STORE_UNAVAILABLE, what + "; try again with the same command id");
    }

    /** Tells {@code then} what is there, at once if it is loaded. */
    void open(RoomKey key, Consumer<Opened> then) {
        RoomCell cell = shelf.cell(key);
        if (cell != null) {
            then.accept(new Opened.Live(cell));
            return;
        }
        if (shelf.isDraining()) {
            then.accept(new Opened.NotNow(draining(key)));
            return;
        }
        List<Consumer<Opened>> waiting = opening.get(key);
        if (waiting == null) {
            begin(key, then);
        } else if (waiting.size() < settings.mailboxCommands()) {
            waiting.add(then);
        } else {
            then.accept(overloaded("the room is being loaded, and too many wait for it"));
        }
    }

    /** The room goes to its successor, which the hint names: there it is to be asked for (LEASE-10). */
    private Answer.Refused draining(RoomKey key) {
        return new Answer.Refused(
                Answer.Refusal.DRAINING,
                "the node is shutting down; nothing happened",
                ports.cluster().successorOf(key));
    }

    private static Opened overloaded(String message) {
        return new Opened.NotNow(Answer.Refused.of(Answer.Refusal.OVERLOADED, message));
    }

    private void begin(RoomKey key, Consumer<Opened> then) {
        if (shelf.loadedRooms() + opening.size() >= settings.loadedRooms()) {
            then.accept(overloaded("the node has as many rooms loaded as it takes"));
            return;
        }
        List<Consumer<Opened>> waiting = new ArrayList<>();
        waiting.add(then);
        lookUpFor(key, waiting);
    }

    /** Looks the room up for all who wait, and for those who come while it is on its way. */
    private void lookUpFor(RoomKey key, List<Consumer<Opened>> waiting) {
        int askedBefore = waiting.size();
        opening.put(key, waiting);
        Future.<Void>succeededFuture().compose(begun -> lookUp(key)).onComplete(opened -> {
            opening.remove(key);
            Opened result = opened.succeeded()
                    ? opened.result()
                    : new Opened.NotNow(unavailable("the room was not looked up", opened.cause()));
            if (result instanceof Opened.Absent && waiting.size() > askedBefore) {
                // Who asked later may know of a room that was not there yet when we looked.
                List<Consumer<Opened>> later = waiting.subList(askedBefore, waiting.size());
                lookUpFor(key, new ArrayList<>(later));
                later.clear();
            }
            waiting.forEach(waiter -> tell(waiter, result));
        });
    }

    /** One caller's fault is not the next one's. */
    private static void tell(Consumer<Opened> waiter, Opened result) {
        try {
            waiter.accept(result);
        } catch (RuntimeException fault) {
            log.error("a caller failed on {}", result, fault);
        }
    }

    private Future<Opened> lookUp(RoomKey key) {
        return loop.reenter(ports.commands().find(key)).compose(row -> {
            if (row.isEmpty()) {
                return Future.succeededFuture(new Opened.Absent());
            }
            return row.map(RoomRow::status).get() == Lifecycle.Status.CLOSED
                    ? Future.succeededFuture(new Opened.Closed())
                    : recovery.load(key, row.get().ownerNodeId()).compose(this::opened);
        });
    }

    private Future<Opened> opened(Loaded loaded) {
        if (loaded instanceof Loaded.NotNow notNow) {
            return Future.succeededFuture(new Opened.NotNow(notNow.refused()));
        }
        Loaded.Owned owned = (Loaded.Owned) loaded;
        if (shelf.isDraining()) {
            // Whoever is sent to the successor before the lease is free is sent back from there.
            return recovery.release(owned.lease())
                    .onFailure(failure -> log.warn("lease not released: {}", failure.toString()))
                    .transform(released -> Future.succeededFuture(
                            new Opened.NotNow(draining(owned.lease().key()))));
        }
        return Future.succeededFuture(new Opened.Live(shelf.place(owned)));
    }
}
