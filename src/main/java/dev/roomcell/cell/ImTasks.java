package dev.roomcell.cell;

import dev.roomcell.domain.HouseRules;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.ImControl;
import dev.roomcell.port.RoomBatch.TimerChange;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.port.TimerStore.RoomTimer;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The side tasks of a room's IM group. A task says about whom, and not what: that is read when it is done, so that of a mute and
 * its end the group never keeps the first.
 */
final class ImTasks {
    /** So long after its room the group ends, ms: everybody in it is to hear the last message first. */
    static final long GROUP_OUTLIVES_ROOM_MS = LaneQueues.OLDEST_MS + DirectLane.SEND_MS;

    private final ImControl im;
    private final CellLoop loop;
    private final RoomClock clock;
    private final Function<RoomKey, Future<ReadAnswer>> read;

    ImTasks(ImControl im, CellLoop loop, RoomClock clock, Function<RoomKey, Future<ReadAnswer>> read) {
        this.im = im;
        this.loop = loop;
        this.clock = clock;
        this.read = read;
    }

    /** The task that {@code event} asks for. */
    static Optional<TimerChange> of(RoomEvent event, long atMs) {
        if (event instanceof Lifecycle.RoomClosed) {
            return Optional.of(new TimerChange(Kind.IM_DESTROY_GROUP, OptionalLong.of(atMs + GROUP_OUTLIVES_ROOM_MS)));
        }
        return aboutWhom(event).map(userId -> new TimerChange(Kind.IM_FORBID_USER, userId, OptionalLong.of(atMs)));
    }

    private static Optional<String> aboutWhom(RoomEvent event) {
        if (event instanceof Moderation.RoomUserMuted muted) {
            return Optional.of(muted.userId());
        }
        if (event instanceof Moderation.RoomUserKicked kicked) {
            return Optional.of(kicked.userId());
        }
        return event instanceof Moderation.RoomUserUnbanned unbanned
                ? Optional.of(unbanned.userId())
                : Optional.empty();
    }

    /** Does a task that is due; fails if it is to be tried again. */
    Future<TimerOutcome> act(RoomTimer task) {
        return task.kind() == Kind.IM_DESTROY_GROUP
                ? loop.reenter(im.destroy(task.key())).map(new TimerOutcome.Done())
                : read.apply(task.key()).compose(room -> tell(task, room));
    }

    private Future<TimerOutcome> tell(RoomTimer task, ReadAnswer room) {
        if (room instanceof ReadAnswer.Refused) {
            return Future.succeededFuture(new TimerOutcome.Again(clock.nowMs() + SideTasks.NOT_READ_PAUSE_MS));
        }
        return room instanceof ReadAnswer.Found found && found.state().status() == Lifecycle.Status.ACTIVE
                ? loop.reenter(tell(found.state(), task.ref())).map(new TimerOutcome.Done())
                : Future.succeededFuture(new TimerOutcome.Done());
    }

    private Future<Void> tell(RoomState room, String userId) {
        HouseRules rules = room.houseRules();
        if (rules.banned().contains(userId)) {
            return im.forbid(room.key(), userId, ImControl.FOR_EVER_MS);
        }
        long mutedUntilMs = rules.mutedUntilMs().getOrElse(userId, 0L);
        return mutedUntilMs > clock.nowMs()
                ? im.forbid(room.key(), userId, mutedUntilMs)
                : im.allow(room.key(), userId);
    }
}
