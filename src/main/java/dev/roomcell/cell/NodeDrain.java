package dev.roomcell.cell;

import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a node out of service in order, and back again (LEASE-10): the others are told first, so that no room is handed to
 * it, then its rooms go. Callable from any thread.
 */
public final class NodeDrain {
    private static final Logger log = LoggerFactory.getLogger(NodeDrain.class);

    private final CommandRouter rooms;
    private final RoomClock clock;
    private final Function<Boolean, Future<Void>> announce;
    private State state = State.SERVING;
    private long sinceMs;
    private boolean ending;
    private int drains;
    private Future<Void> drained = Future.succeededFuture();

    /** Whether a node takes rooms. */
    public enum State {
        /** It does. */
        SERVING,
        /** It lets its rooms go. */
        DRAINING,
        /** It has none left. */
        DRAINED
    }

    /**
     * How far it is.
     *
     * @param state whether the node takes rooms
     * @param loadedRooms rooms that are still here
     * @param sinceMs when the drain began, database time, epoch ms; 0 if there is none
     */
    public record Progress(State state, int loadedRooms, long sinceMs) {}

    /**
     * The drain of a node that serves.
     *
     * @param announce tells the others whether this node drains; called from any thread; it may fail, and is repeated by
     *     whoever announces
     */
    public NodeDrain(CommandRouter rooms, RoomClock clock, Function<Boolean, Future<Void>> announce) {
        this.rooms = rooms;
        this.clock = clock;
        this.announce = announce;
    }

    /** Whether the node takes rooms. */
    public synchronized State state() {
        return state;
    }

    /** Begins, unless it has begun; completes when no room is left, or the drain was called off. Never fails. */
    public synchronized Future<Void> begin() {
        if (state == State.SERVING) {
            state = State.DRAINING;
            sinceMs = clock.nowMs();
            log.info("the drain begins");
            int number = ++drains;
            drained = told().compose(told -> letGo(number));
        }
        return drained;
    }

    /** The same for a node that ends: from now on a drain can't be called off. */
    public synchronized Future<Void> beginForGood() {
        ending = true;
        return begin();
    }

    /** A drain that was called off meanwhile must not reach the loops behind the calling off. */
    private synchronized Future<Void> letGo(int number) {
        return isCalledOff(number) ? Future.succeededFuture() : rooms.drain().onSuccess(over -> reached(number));
    }

    private synchronized boolean isCalledOff(int number) {
        return state == State.SERVING || number != drains;
    }

    /** One that was called off is over too, and says nothing about the one that follows. */
    private synchronized void reached(int number) {
        if (!isCalledOff(number)) {
            state = State.DRAINED;
            log.info("drained");
        }
    }

    /** Calls it off: the node takes rooms again, unless it ends. Never fails. */
    public synchronized Future<Void> undo() {
        if (state == State.SERVING || ending) {
            return Future.succeededFuture();
        }
        state = State.SERVING;
        sinceMs = 0;
        log.info("the drain is called off");
        return rooms.undrain().compose(taking -> told());
    }

    /** What holds by now: the last word is the newest. The others find out later where they were not told. */
    private synchronized Future<Void> told() {
        return announce.apply(state != State.SERVING).recover(failure -> {
            log.warn("the other nodes were not told: {}", failure.toString());
            return Future.succeededFuture();
        });
    }

    /** How far it is. */
    public Future<Progress> progress() {
        return rooms.loadedRooms().map(this::progress);
    }

    private synchronized Progress progress(int loadedRooms) {
        return new Progress(state, loadedRooms, sinceMs);
    }
}
