package dev.roomcell.cell;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomBatch.TimerChange;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RtcControl;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.port.TimerStore.RoomTimer;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a room's changes ask for outside: written in the commit that makes them, done after it by whoever has the room,
 * and deleted when it is done (TIMER-1). It may be done twice, where somebody dies in between; that is no error there.
 */
final class SideTasks {
    private static final Logger log = LoggerFactory.getLogger(SideTasks.class);
    /** The pause after the first failure, ms; it doubles with each. */
    private static final long FIRST_PAUSE_MS = 1_000;

    private static final long LONGEST_PAUSE_MS = 60_000;
    /** After so many failures, about ten minutes, a task is given up: nobody waits for it any more. */
    static final int MOST_FAILURES = 15;
    /** The tasks whose failures are counted; of more than that each failure is taken for the first. */
    private static final int MOST_COUNTED = 10_000;

    private final CellLoop loop;
    private final RoomClock clock;
    private final SideTaskPorts ports;
    private final Function<RoomKey, Future<ReadAnswer>> read;
    private final Map<RoomTimer, Integer> failures = new HashMap<>();

    SideTasks(CellLoop loop, RoomClock clock, SideTaskPorts ports, Function<RoomKey, Future<ReadAnswer>> read) {
        this.loop = loop;
        this.clock = clock;
        this.ports = ports;
        this.read = read;
    }

    /** The tasks that {@code event} asks for, or that it makes pointless. */
    static List<TimerChange> of(RoomEvent event, long atMs, SideTaskPorts ports) {
        List<TimerChange> tasks = new ArrayList<>();
        if (ports.rtc().isPresent()) {
            tasks.addAll(ofRtc(event, atMs));
        }
        if (ports.im().isPresent()) {
            ImTasks.of(event, atMs).ifPresent(tasks::add);
        }
        return tasks;
    }

    /** Whether a task is for a room that is closed; all others end with their room. */
    static boolean isForTheEnd(Kind kind) {
        return kind == Kind.RTC_DISMISS_ROOM || kind == Kind.IM_DESTROY_GROUP;
    }

    private static List<TimerChange> ofRtc(RoomEvent event, long atMs) {
        if (event instanceof Moderation.RoomUserKicked kicked) {
            return List.of(new TimerChange(Kind.RTC_REMOVE_USER, kicked.userId(), OptionalLong.of(atMs)));
        }
        if (event instanceof Moderation.RoomUserUnbanned unbanned) {
            return List.of(new TimerChange(Kind.RTC_REMOVE_USER, unbanned.userId(), OptionalLong.empty()));
        }
        return event instanceof Lifecycle.RoomClosed
                ? List.of(new TimerChange(Kind.RTC_DISMISS_ROOM, OptionalLong.of(atMs)))
                : List.of();
    }

    /** Does a task that is due. Never fails. */
    Future<TimerOutcome> act(RoomTimer task) {
        boolean isIm = task.kind() == Kind.IM_FORBID_USER || task.kind() == Kind.IM_DESTROY_GROUP;
        Optional<Future<TimerOutcome>> acted = isIm
                ? ports.im().map(im -> new ImTasks(im, loop, clock, read).act(task))
                : ports.rtc().map(rtc -> actOnRtc(rtc, task));
        return acted.map(acting -> countedWhenOver(task, acting))
                .orElseGet(() -> Future.succeededFuture(new TimerOutcome.NotHere()));
    }

    private Future<TimerOutcome> actOnRtc(RtcControl rtc, RoomTimer task) {
        return task.kind() == Kind.RTC_DISMISS_ROOM
                ? loop.reenter(rtc.dismissRoom(task.key())).map(new TimerOutcome.Done())
                : read.apply(task.key()).compose(room -> remove(rtc, task, room));
    }

    private Future<TimerOutcome> countedWhenOver(RoomTimer task, Future<TimerOutcome> acted) {
        return acted.map(outcome -> {
                    failures.remove(task);
                    return outcome;
                })
                .otherwise(failure -> again(task, failure));
    }

    /** Whoever sits on a seat by now may be heard, and stays. */
    private Future<TimerOutcome> remove(RtcControl rtc, RoomTimer task, ReadAnswer room) {
        if (room instanceof ReadAnswer.Refused) {
            return Future.succeededFuture(new TimerOutcome.NotHere());
        }
        return room instanceof ReadAnswer.Found found && mayBeHeard(found.state(), task.ref())
                ? Future.succeededFuture(new TimerOutcome.Done())
                : loop.reenter(rtc.removeUser(task.key(), task.ref())).map(new TimerOutcome.Done());
    }

    private static boolean mayBeHeard(RoomState room, String userId) {
        return MicSeats.seatOf(room, userId).isPresent();
    }

    private TimerOutcome again(RoomTimer task, Throwable failure) {
        int failed = failures.getOrDefault(task, 0) + 1;
        if (failed >= MOST_FAILURES) {
            log.error("{} given up after {} tries: {}", task, failed, failure.toString());
            failures.remove(task);
            return new TimerOutcome.Done();
        }
        log.warn("{} failed: {}", task, failure.toString());
        if (failures.size() < MOST_COUNTED || failures.containsKey(task)) {
            failures.put(task, failed);
        }
        return new TimerOutcome.Again(
                clock.nowMs() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(failed - 1, 10)));
    }
}
