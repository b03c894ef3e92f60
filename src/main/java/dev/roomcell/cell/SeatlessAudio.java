package dev.roomcell.cell;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.port.TimerStore.RoomTimer;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is heard in a loop's rooms without a seat. They are given a while to take one or be silent, as what they do may be
 * on its way; then they are removed from RTC, by a side task (MIC-10, TIMER-1). Whoever is in the room and only listens
 * must never be: one word of silence, be it a heartbeat or RTC's, ends it.
 */
final class SeatlessAudio {
    private static final Logger log = LoggerFactory.getLogger(SeatlessAudio.class);
    /** A heartbeat may be so late, ms. */
    private static final long HEARTBEAT_LATE_MS = 5_000;
    /** So many of one room are watched at once; more are left for their next heartbeat. */
    private static final int MOST_WATCHED = 1_000;
    /** Of so many of one room it is known when they were last silent; of the oldest no longer. */
    private static final int MOST_SILENT = 1_000;

    private final CellLoop loop;
    private final RoomClock clock;
    private final SideTaskPorts tasks;
    private final TimerPolicies.Rooms rooms;
    private final long graceMs;
    private final Map<RoomKey, OfRoom> ofRooms = new HashMap<>();

    /** What is known of one room's. */
    private static final class OfRoom {
        /** Who is heard without a seat, and when that has an end; it is over when they are silent. */
        private final Map<String, CellLoop.Cancellable> heard = new HashMap<>();
        /** When the newest end of each one's audio was, RTC's clock, epoch ms: older starts are late (MIC-9). */
        private final Map<String, Long> silentSinceMs = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                return size() > MOST_SILENT;
            }
        };
    }

    SeatlessAudio(CellLoop loop, CellPorts ports, CellSettings settings, TimerPolicies.Rooms rooms) {
        this.loop = loop;
        this.clock = ports.clock();
        this.tasks = ports.sideTasks();
        this.rooms = rooms;
        this.graceMs = graceMs(settings);
    }

    /** Whoever is heard without a seat has so long, ms: their next heartbeat is heard before. */
    static long graceMs(CellSettings settings) {
        return settings.heartbeatEveryMs() + HEARTBEAT_LATE_MS;
    }

    private OfRoom of(RoomKey key) {
        return ofRooms.computeIfAbsent(key, none -> new OfRoom());
    }

    /** A user without a seat sends audio, by what they say themselves. */
    void heard(RoomKey key, String userId) {
        if (tasks.rtc().isEmpty()) {
            return;
        }
        Map<String, CellLoop.Cancellable> heard = of(key).heard;
        if (!heard.containsKey(userId) && heard.size() < MOST_WATCHED) {
            heard.put(userId, loop.schedule(graceMs, () -> removeIfSeatless(key, userId)));
        }
    }

    /** There is nothing to say against a user any more. */
    void silent(RoomKey key, String userId) {
        OfRoom room = ofRooms.get(key);
        CellLoop.Cancellable watched = room == null ? null : room.heard.remove(userId);
        if (watched != null) {
            watched.cancel();
        }
    }

    /** RTC saw a user's audio end, at its own time. */
    void silentSince(RoomKey key, String userId, long eventAtMs) {
        if (tasks.rtc().isPresent() && eventAtMs > 0) {
            of(key).silentSinceMs.merge(userId, eventAtMs, Math::max);
        }
    }

    /** Whether a user was heard without a seat, and has not been silent since. */
    boolean isHeard(RoomKey key, String userId) {
        OfRoom room = ofRooms.get(key);
        return room != null && room.heard.containsKey(userId);
    }

    /**
     * RTC hears a user who has no seat. Of who is not in the room this may be the only word. Fails if it is not sure that
     * the user will be removed.
     */
    Future<Void> reported(RoomKey key, String userId, long eventAtMs) {
        OfRoom known = ofRooms.get(key);
        if (tasks.rtc().isEmpty() || (known != null && known.silentSinceMs.getOrDefault(userId, 0L) >= eventAtMs)) {
            return Future.succeededFuture();
        }
        return rooms.read(key).compose(answer -> {
            if (answer instanceof ReadAnswer.Refused refused) {
                return Future.failedFuture(
                        new IllegalStateException(refused.refused().message()));
            }
            if (member(answer, userId)) {
                heard(key, userId);
                return Future.succeededFuture();
            }
            return plan(key, userId);
        });
    }

    private static boolean member(ReadAnswer answer, String userId) {
        return answer instanceof ReadAnswer.Found found
                && found.state().member(userId).isPresent();
    }

    /** It stays known that the user is heard: they may still fall silent before the task is done. */
    private void removeIfSeatless(RoomKey key, String userId) {
        rooms.read(key)
                .compose(answer -> {
                    Optional<RoomState> room =
                            answer instanceof ReadAnswer.Found found ? Optional.of(found.state()) : Optional.empty();
                    if (room.filter(state -> MicSeats.seatOf(state, userId).isEmpty())
                            .isPresent()) {
                        return isHeard(key, userId) ? plan(key, userId) : Future.<Void>succeededFuture();
                    }
                    silent(key, userId);
                    return Future.succeededFuture();
                })
                .onFailure(failure -> {
                    log.warn("room {}: {} is heard without a seat: {}", key, userId, failure.toString());
                    silent(key, userId);
                });
    }

    private Future<Void> plan(RoomKey key, String userId) {
        return loop.reenter(tasks.timers().plan(new RoomTimer(key, Kind.RTC_SILENCE_USER, userId), clock.nowMs()));
    }

    /** A room is no longer here. */
    void forget(RoomKey key) {
        OfRoom room = ofRooms.remove(key);
        if (room != null) {
            room.heard.values().forEach(CellLoop.Cancellable::cancel);
        }
    }

    void stop() {
        ofRooms.values().forEach(room -> room.heard.values().forEach(CellLoop.Cancellable::cancel));
        ofRooms.clear();
    }
}
