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
    /** The pause when the room could not be read, which is no failure of the task, ms. */
    static final long NOT_READ_PAUSE_MS = 5_000;
    /** After so many failures, about three hours, a task is given up: it is not the other side's weather any more. */
    static final int MOST_FAILURES = 180;
    /** Failures so long ago are of an earlier task, ms. */
    private static final long FORGOTTEN_MS = 5 * LONGEST_PAUSE_MS;
    /** The tasks whose failures are counted; when it is one more, those that are forgotten go. */
    private static final int MOST_COUNTED = 10_000;

    private final CellLoop loop;
    private final RoomClock clock;
    private final SideTaskPorts ports;
    private final Function<RoomKey, Future<ReadAnswer>> read;
    private final SeatlessAudio seatless;
    private final Map<RoomTimer, Failures> failures = new HashMap<>();
    /** A task that takes longer than its claim is claimed again, and must not be done twice at once. */
    private final Map<RoomTimer, Future<TimerOutcome>> acting = new HashMap<>();

    private record Failures(int count, long lastAtMs) {}

    SideTasks(
            CellLoop loop,
            RoomClock clock,
            SideTaskPorts ports,
            Function<RoomKey, Future<ReadAnswer>> read,
            SeatlessAudio seatless) {
        this.loop = loop;
        this.clock = clock;
        this.ports = ports;
        this.read = read;
        this.seatless = seatless;
    }

    /** The tasks that {@code event} asks for, or that it makes pointless. */
    static List<TimerChange> of(RoomEvent event, long atMs, SideTaskPorts ports) {
        List<TimerChange> tasks = new ArrayList<>();
        if (event instanceof Moderation.RoomUserUnbanned unbanned) {
            // The kick may have been taken by a node that is told otherwise.
            tasks.add(new TimerChange(Kind.RTC_REMOVE_USER, unbanned.userId(), OptionalLong.empty()));
        } else if (ports.rtc().isPresent() && event instanceof Moderation.RoomUserKicked kicked) {
            tasks.add(new TimerChange(Kind.RTC_REMOVE_USER, kicked.userId(), OptionalLong.of(atMs)));
        } else if (ports.rtc().isPresent() && event instanceof Lifecycle.RoomClosed) {
            tasks.add(new TimerChange(Kind.RTC_DISMISS_ROOM, OptionalLong.of(atMs)));
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

    /** Does a task that is due; one that is being done already is not begun again. Never fails. */
    Future<TimerOutcome> act(RoomTimer task) {
        Future<TimerOutcome> already = acting.get(task);
        if (already != null) {
            return already;
        }
        Future<TimerOutcome> outcome = begun(task)
                .map(done -> {
                    failures.remove(task);
                    return done;
                })
                .otherwise(failure -> again(task, failure));
        if (!outcome.isComplete()) {
            acting.put(task, outcome);
            outcome.onSuccess(over -> acting.remove(task));
        }
        return outcome;
    }

    private Future<TimerOutcome> begun(RoomTimer task) {
        boolean isIm = task.kind() == Kind.IM_FORBID_USER || task.kind() == Kind.IM_DESTROY_GROUP;
        Optional<Future<TimerOutcome>> acted = isIm
                ? ports.im().map(im -> new ImTasks(im, loop, clock, read).act(task))
                : ports.rtc().map(rtc -> actOnRtc(rtc, task));
        return acted.orElseGet(() -> Future.succeededFuture(new TimerOutcome.NotHere()));
    }

    private Future<TimerOutcome> actOnRtc(RtcControl rtc, RoomTimer task) {
        return task.kind() == Kind.RTC_DISMISS_ROOM
                ? loop.reenter(rtc.dismissRoom(task.key())).map(new TimerOutcome.Done())
                : read.apply(task.key()).compose(room -> remove(rtc, task, room));
    }

    private Future<TimerOutcome> remove(RtcControl rtc, RoomTimer task, ReadAnswer room) {
        if (room instanceof ReadAnswer.Refused) {
            return Future.succeededFuture(new TimerOutcome.Again(clock.nowMs() + NOT_READ_PAUSE_MS));
        }
        return room instanceof ReadAnswer.Found found && mayStay(found.state(), task)
                ? Future.succeededFuture(new TimerOutcome.Done())
                : loop.reenter(rtc.removeUser(task.key(), task.ref())).map(new TimerOutcome.Done());
    }

    /** What has happened since: whoever was forgiven, sits on a seat by now or only listens must not be put out. */
    private boolean mayStay(RoomState room, RoomTimer task) {
        String userId = task.ref();
        if (task.kind() == Kind.RTC_REMOVE_USER) {
            return !room.houseRules().banned().contains(userId);
        }
        return MicSeats.seatOf(room, userId).isPresent()
                || (room.member(userId).isPresent() && !seatless.isHeard(room.key(), userId));
    }

    private TimerOutcome again(RoomTimer task, Throwable failure) {
        long nowMs = clock.monotonicMs();
        Failures before = failures.get(task);
        int failed = before == null || nowMs - before.lastAtMs() > FORGOTTEN_MS ? 1 : before.count() + 1;
        if (failed >= MOST_FAILURES) {
            log.error("{} given up after {} tries: {}", task, failed, failure.toString());
            failures.remove(task);
            return new TimerOutcome.Done();
        }
        log.warn("{} failed: {}", task, failure.toString());
        if (failures.size() >= MOST_COUNTED) {
            failures.values().removeIf(each -> nowMs - each.lastAtMs() > FORGOTTEN_MS);
        }
        if (failures.size() < MOST_COUNTED || before != null) {
            failures.put(task, new Failures(failed, nowMs));
        }
        return new TimerOutcome.Again(
                clock.nowMs() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(failed - 1, 10)));
    }
}
