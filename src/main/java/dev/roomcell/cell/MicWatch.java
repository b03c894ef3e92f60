package dev.roomcell.cell;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.port.TimerStore.RoomTimer;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the seats of a loop's rooms with what is heard of the audio, both ways (MIC-10): a seat that is on the air and
 * of which nothing is heard is doubted; whoever is heard and has no seat is removed from RTC. All of it lives in memory:
 * after a load every seat counts as heard just now.
 */
final class MicWatch {
    private static final Logger log = LoggerFactory.getLogger(MicWatch.class);
    /** A seat on the air of which nothing was heard for so long is doubted, ms. */
    static final long UNHEARD_MS = 30_000;
    /** How often seats are looked at, ms. */
    static final long LOOK_MS = 5_000;
    /** Whoever is heard without a seat is given so long to get one or be silent, ms: what they do may be on its way. */
    static final long GRACE_MS = 5_000;
    /** So many who are heard without a seat are watched at once; more are left for their next heartbeat. */
    private static final int MOST_WATCHED = 10_000;

    private final CellLoop loop;
    private final RoomClock clock;
    private final RoomCodec codec;
    private final SideTaskPorts tasks;
    private final CellSettings settings;
    private final TimerPolicies.Rooms rooms;
    /** When each session that is on the air was last heard of, monotonic, ms. */
    private final Map<RoomKey, Map<String, Long>> heard = new LinkedHashMap<>();

    private final Map<RoomTimer, CellLoop.Cancellable> seatless = new HashMap<>();
    private CellLoop.Cancellable nextLook;

    MicWatch(CellLoop loop, CellPorts ports, CellSettings settings, TimerPolicies.Rooms rooms) {
        this.loop = loop;
        this.clock = ports.clock();
        this.codec = ports.codec();
        this.tasks = ports.sideTasks();
        this.settings = settings;
        this.rooms = rooms;
        this.nextLook = loop.schedule(LOOK_MS, this::look);
    }

    /** A room was loaded. */
    void loaded(RoomState room) {
        room.seats().filter(seat -> seat.status() == Status.PUBLISHING).forEach(seat -> hear(room.key(), seat));
    }

    /** A room changed. */
    void changed(RoomState before, RoomState after) {
        for (int i = 0; i < after.seats().size(); i++) {
            Seat was = i < before.seats().size() ? before.seats().get(i) : null;
            Seat is = after.seats().get(i);
            if (is.status() == Status.PUBLISHING && !is.equals(was)) {
                hear(after.key(), is);
            }
        }
    }

    /** A room is no longer here. */
    void forget(RoomKey key) {
        heard.remove(key);
        seatless.entrySet().removeIf(watched -> {
            boolean ofRoom = watched.getKey().key().equals(key);
            if (ofRoom) {
                watched.getValue().cancel();
            }
            return ofRoom;
        });
    }

    void stop() {
        nextLook.cancel();
        seatless.values().forEach(CellLoop.Cancellable::cancel);
        seatless.clear();
    }

    private void hear(RoomKey key, Seat seat) {
        heard.computeIfAbsent(key, none -> new LinkedHashMap<>(2)).put(seat.micSessionId(), clock.monotonicMs());
    }

    /** Somebody present says what they send. */
    void heartbeat(RoomState room, String userId, MicSign sign) {
        Seat seat = MicSeats.seatOf(room, userId).orElse(null);
        if (!sign.publishing()) {
            seen(room.key(), userId);
        } else if (seat == null) {
            watch(room.key(), userId);
        } else if (seat.micSessionId().equals(sign.micSessionId())) {
            seen(room.key(), userId);
            if (seat.status() == Status.PUBLISHING) {
                hear(room.key(), seat);
            } else {
                RoomCommand confirm = new MicSeats.ConfirmMicPublishing(userId, seat.micSessionId());
                submit(room, "~heard:" + seat.micSessionId() + ":" + room.version(), confirm);
            }
        }
    }

    /** RTC's report was answered. Fails if it is not sure that what follows from it will be done. */
    Future<Void> reported(RoomKey key, RtcReports.ReportRtc report, byte[] result) {
        return switch (codec.decodeRtcOutcome(result)) {
            case NO_SEAT_PUBLISHING -> heardWithoutSeat(key, report.userId());
            case NO_SEAT, APPLIED, DOUBTED, RECORDED, OLDER_EVENT, OLDER_SESSION -> {
                seen(key, report.userId());
                yield Future.succeededFuture();
            }
        };
    }

    /** Who is in the room sends heartbeats, and is found by them too; of who is not this may be the only word. */
    private Future<Void> heardWithoutSeat(RoomKey key, String userId) {
        return rooms.read(key).compose(answer -> {
            if (answer instanceof ReadAnswer.Found found
                    && found.state().member(userId).isPresent()) {
                watch(key, userId);
                return Future.succeededFuture();
            }
            return remove(new RoomTimer(key, Kind.RTC_REMOVE_USER, userId));
        });
    }

    private void watch(RoomKey key, String userId) {
        RoomTimer removal = new RoomTimer(key, Kind.RTC_REMOVE_USER, userId);
        if (tasks.rtc().isPresent() && !seatless.containsKey(removal) && seatless.size() < MOST_WATCHED) {
            seatless.put(removal, loop.schedule(GRACE_MS, () -> removeIfSeatless(removal)));
        }
    }

    /** There is nothing to say against a user any more. */
    private void seen(RoomKey key, String userId) {
        CellLoop.Cancellable watched = seatless.remove(new RoomTimer(key, Kind.RTC_REMOVE_USER, userId));
        if (watched != null) {
            watched.cancel();
        }
    }

    private void removeIfSeatless(RoomTimer removal) {
        seatless.remove(removal);
        rooms.read(removal.key())
                .compose(answer -> answer instanceof ReadAnswer.Found found
                                && MicSeats.seatOf(found.state(), removal.ref()).isEmpty()
                        ? remove(removal)
                        : Future.succeededFuture())
                .onFailure(failure -> log.warn("{} not planned: {}", removal, failure.toString()));
    }

    private Future<Void> remove(RoomTimer removal) {
        return tasks.rtc().isPresent()
                ? loop.reenter(tasks.timers().plan(removal, clock.nowMs()))
                : Future.succeededFuture();
    }

    private void look() {
        long unheardSinceMs = clock.monotonicMs() - UNHEARD_MS;
        List<RoomKey> suspect = new ArrayList<>();
        heard.forEach((key, sessions) -> {
            if (sessions.values().stream().anyMatch(atMs -> atMs <= unheardSinceMs)
                    && rooms.heardForMs(key) >= UNHEARD_MS) {
                suspect.add(key);
            }
        });
        // The read confirms the lease (LEASE-9), and the command decides again.
        suspect.forEach(key -> rooms.read(key).onSuccess(answer -> {
            if (answer instanceof ReadAnswer.Found found) {
                doubtUnheard(found.state(), unheardSinceMs);
            }
        }));
        nextLook = loop.schedule(LOOK_MS, this::look);
    }

    private void doubtUnheard(RoomState room, long unheardSinceMs) {
        Map<String, Long> sessions = heard.getOrDefault(room.key(), Map.of());
        List<Seat> onTheAir =
                room.seats().filter(seat -> seat.status() == Status.PUBLISHING).toJavaList();
        sessions.keySet().retainAll(onTheAir.stream().map(Seat::micSessionId).toList());
        for (Seat seat : onTheAir) {
            boolean robot = room.member(seat.userId())
                    .filter(member -> member.kind() == Presence.MemberKind.ROBOT)
                    .isPresent();
            if (!robot && sessions.getOrDefault(seat.micSessionId(), Long.MAX_VALUE) <= unheardSinceMs) {
                submit(
                        room,
                        "~unheard:" + seat.micSessionId() + ":" + room.version(),
                        new RtcReports.DoubtMic(seat.micSessionId()));
            }
        }
        if (sessions.isEmpty()) {
            heard.remove(room.key());
        }
    }

    private void submit(RoomState room, String commandId, RoomCommand command) {
        long deadlineMs = clock.monotonicMs() + settings.leaseTtlMs();
        RoomKey key = room.key();
        rooms.submit(new CommandRequest(key, commandId, command, codec.encodeCommand(key, command), deadlineMs))
                .onSuccess(answer -> {
                    if (answer instanceof Answer.Refused refused) {
                        log.info("room {}: {} waits: {}", key, commandId, refused.message());
                    }
                });
    }
}
