package dev.roomcell.cell;

import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the loop's rooms when their rockets launch, to the millisecond, and whoever takes a room over that is late. One
 * entry a room with an ignited rocket. What is lost with the process, or fails, the timer's row brings back (TIMER-1,
 * ROCKET-3).
 */
final class LaunchWatch {
    private static final Logger log = LoggerFactory.getLogger(LaunchWatch.class);

    private final CellLoop loop;
    private final RoomClock clock;
    private final Function<RoomKey, Future<TimerOutcome>> launch;
    private final Map<RoomKey, Wakeup> wakeups = new HashMap<>();
    private boolean stopped;

    private record Wakeup(String rocketId, CellLoop.Cancellable timer) {}

    /** Watches no room yet; {@code launch} looks whether a room's rocket is to launch, and never fails. */
    LaunchWatch(CellLoop loop, RoomClock clock, Function<RoomKey, Future<TimerOutcome>> launch) {
        this.loop = loop;
        this.clock = clock;
        this.launch = launch;
    }

    /** A room as it is now. */
    void seen(RoomState room) {
        Optional<Rocket> ignited = room.rocket().filter(Rocket::ignited);
        Wakeup set = wakeups.get(room.key());
        if (ignited.isEmpty()) {
            forget(room.key());
        } else if (!stopped
                && (set == null || !set.rocketId.equals(ignited.get().id()))) {
            forget(room.key());
            wakeAt(room.key(), ignited.get().id(), ignited.get().launchAtMs());
        }
    }

    /** A room that is no longer here. */
    void forget(RoomKey key) {
        Wakeup set = wakeups.remove(key);
        if (set != null) {
            set.timer.cancel();
        }
    }

    private void wakeAt(RoomKey key, String rocketId, long launchAtMs) {
        long inMs = Math.max(1, launchAtMs - clock.nowMs());
        wakeups.put(key, new Wakeup(rocketId, loop.schedule(inMs, () -> wake(key, rocketId, launchAtMs))));
    }

    private void wake(RoomKey key, String rocketId, long launchAtMs) {
        if (clock.nowMs() < launchAtMs) {
            // The clock is another one's, and has been measured again.
            wakeAt(key, rocketId, launchAtMs);
            return;
        }
        launch.apply(key)
                .onSuccess(outcome -> {
                    if (!(outcome instanceof TimerOutcome.Over)) {
                        log.info("room {}: its rocket is left to the timer: {}", key, outcome);
                    }
                })
                .onFailure(fault -> log.error("room {}: its rocket is left to the timer", key, fault));
    }

    /** Wakes nobody any more. */
    void stop() {
        stopped = true;
        wakeups.values().forEach(wakeup -> wakeup.timer.cancel());
        wakeups.clear();
    }
}
