package dev.roomcell.cell;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.DisplayMeter;
import dev.roomcell.port.DisplayMeter.Fate;
import dev.roomcell.port.RobotDisplays;
import dev.roomcell.port.RobotDisplays.Display;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows what the robots of a loop's rooms do (LANE-5): no log, no version, no outbox, no direct lane. Best effort: each
 * display is tried once, those of a room one at a time, in order. A room shows so many in a second, and what waits has a
 * bound; beyond either the caller is told so. No command waits for a display, or fails by one.
 */
final class DisplayPublisher {
    private static final Logger log = LoggerFactory.getLogger(DisplayPublisher.class);

    /** How long one display may take to be shown, ms. */
    static final long SHOW_MS = 2_000;
    /** A display that has waited so long is not shown any more, ms. */
    static final long OLDEST_MS = 5_000;

    private static final long SECOND_MS = 1_000;

    private final CellLoop loop;
    private final RoomClock clock;
    private final RobotDisplays displays;
    private final DisplayMeter meter;
    private final Limits limits;
    /** Rooms with displays not long ago; those whose last one was longest ago come first. */
    private final Map<RoomKey, Room> rooms = new LinkedHashMap<>();
    /** Rooms with a display to show and none on its way, each once, in the order in which they came to wait. */
    private final ArrayDeque<Room> ready = new ArrayDeque<>();

    private int waiting;
    private int inFlight;
    private boolean pumpComes;
    private boolean closed;

    /**
     * What may be taken, may wait, and may be on its way.
     *
     * @param ofARoomInASecond displays of one room in any 1,000 ms; one more is refused
     * @param waiting displays that wait on this loop; one more is refused
     * @param sends displays on their way at once, each of another room
     */
    record Limits(int ofARoomInASecond, int waiting, int sends) {
        static Limits usual(int ofARoomInASecond) {
            return new Limits(ofARoomInASecond, 1_024, 16);
        }
    }

    private record Waiting(Display display, long tooOldAtMs) {}

    private static final class Room {
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        /** When its last displays were taken, as many as it may show in a second at most. */
        private final ArrayDeque<Long> takenAtMs = new ArrayDeque<>();

        private boolean busy;

        boolean isIdle(long nowMs) {
            Long last = takenAtMs.peekLast();
            return !busy && waiting.isEmpty() && (last == null || last <= nowMs - SECOND_MS);
        }

        boolean hasShown(int most, long nowMs) {
            Long first = takenAtMs.peekFirst();
            return takenAtMs.size() >= most && first != null && first > nowMs - SECOND_MS;
        }

        void take(Waiting display, int most, long nowMs) {
            waiting.addLast(display);
            takenAtMs.addLast(nowMs);
            if (takenAtMs.size() > most) {
                takenAtMs.removeFirst();
            }
        }
    }

    DisplayPublisher(CellLoop loop, RoomClock clock, DisplayPorts ports, Limits limits) {
        this.loop = loop;
        this.clock = clock;
        this.displays = ports.displays();
        this.meter = ports.meter();
        this.limits = limits;
    }

    /**
     * Takes what a robot shows, if it may (PRES-8).
     *
     * @param read the robot's room, or why it could not be read
     * @return the room where the display was taken, or was let go because it has no way out; why not, otherwise
     */
    ReadAnswer publish(DisplayRequest request, ReadAnswer read) {
        if (!(read instanceof ReadAnswer.Found found)) {
            return read;
        }
        Optional<Rejection> no = refusal(found.state(), request.robotUserId());
        if (no.isPresent()) {
            return new ReadAnswer.Rejected(no.get());
        }
        Display display = new Display(
                request.key(),
                found.state().version(),
                request.robotUserId(),
                request.type(),
                request.payloadJson(),
                clock.nowMs());
        return take(display).<ReadAnswer>map(ReadAnswer.Refused::new).orElse(read);
    }

    private static Optional<Rejection> refusal(RoomState room, String robotUserId) {
        return room.status() == Lifecycle.Status.ACTIVE
                ? Presence.noRobotIn(room, robotUserId)
                : Optional.of(Lifecycle.roomClosed());
    }

    /** Empty, or why the caller is to come back. Shows nothing before it returns. */
    private Optional<Answer.Refused> take(Display display) {
        if (!displays.isConnected() || closed) {
            meter.ended(closed ? Fate.SHUTDOWN : Fate.NOT_CONNECTED);
            return Optional.empty();
        }
        long nowMs = clock.monotonicMs();
        forgetIdle(nowMs);
        Room known = rooms.get(display.key());
        if (known != null && known.hasShown(limits.ofARoomInASecond(), nowMs)) {
            return refused(
                    Fate.TOO_MANY_IN_ROOM,
                    "the room has shown as much in this second as it may; come back in the next");
        }
        if (waiting >= limits.waiting()) {
            return refused(Fate.QUEUE_FULL, "too many displays wait on this node; try again");
        }
        Room room = known == null ? new Room() : known;
        rooms.remove(display.key());
        rooms.put(display.key(), room);
        room.take(new Waiting(display, nowMs + OLDEST_MS), limits.ofARoomInASecond(), nowMs);
        waiting++;
        makeReady(room);
        if (!pumpComes) {
            pumpComes = true;
            loop.execute(this::pump);
        }
        return Optional.empty();
    }

    private Optional<Answer.Refused> refused(Fate fate, String message) {
        meter.ended(fate);
        return Optional.of(Answer.Refused.of(Answer.Refusal.OVERLOADED, message));
    }

    private void forgetIdle(long nowMs) {
        Iterator<Room> longestAgoFirst = rooms.values().iterator();
        while (longestAgoFirst.hasNext() && longestAgoFirst.next().isIdle(nowMs)) {
            longestAgoFirst.remove();
        }
    }

    private void makeReady(Room room) {
        if (!room.busy && !room.waiting.isEmpty()) {
            room.busy = true;
            ready.addLast(room);
        }
    }

    private void pump() {
        pumpComes = false;
        while (!closed && inFlight < limits.sends() && !ready.isEmpty()) {
            Room room = ready.removeFirst();
            Waiting next = room.waiting.removeFirst();
            waiting--;
            if (next.tooOldAtMs <= clock.monotonicMs()) {
                meter.ended(Fate.TOO_OLD);
                room.busy = false;
                makeReady(room);
            } else {
                new Showing(room, next.display).begin();
            }
        }
    }

    /** One display on its way. */
    private final class Showing {
        private final Room room;
        private final Display display;
        private boolean over;

        Showing(Room room, Display display) {
            this.room = room;
            this.display = display;
        }

        void begin() {
            inFlight++;
            CellLoop.Cancellable deadline = loop.schedule(SHOW_MS, () -> end(false, "no answer in time"));
            Future<Void> shown = Future.<Void>succeededFuture().compose(begun -> displays.show(display, SHOW_MS));
            loop.reenter(shown).onComplete(result -> {
                deadline.cancel();
                end(result.succeeded(), String.valueOf(result.cause()));
            });
        }

        private void end(boolean succeeded, String why) {
            if (over) {
                return;
            }
            over = true;
            inFlight--;
            meter.ended(succeeded ? Fate.SENT : Fate.FAILED);
            if (!succeeded) {
                log.debug("room {}: {} of {} not shown: {}", display.key(), display.type(), display.robotUserId(), why);
            }
            room.busy = false;
            makeReady(room);
            pump();
        }
    }

    /** Shows nothing more; what waits is dropped. */
    void close() {
        closed = true;
        for (int i = 0; i < waiting; i++) {
            meter.ended(Fate.SHUTDOWN);
        }
        waiting = 0;
        ready.clear();
        rooms.clear();
    }
}
