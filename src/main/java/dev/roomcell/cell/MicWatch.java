package dev.roomcell.cell;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the seats of a loop's rooms with what is heard of the audio, both ways (MIC-10): a seat that is on the air and
 * of which nothing is heard is doubted; whoever is heard and has no seat is removed from RTC ({@link SeatlessAudio}). All of
 * it lives in memory: after a load every seat counts as heard just now.
 */
final class MicWatch {
    private static final Logger log = LoggerFactory.getLogger(MicWatch.class);
    /** How often seats are looked at, ms. */
    static final long LOOK_MS = 5_000;

    private static final long LEAST_UNHEARD_MS = 30_000;

    private final CellLoop loop;
    private final RoomClock clock;
    private final RoomCodec codec;
    private final CellSettings settings;
    private final TimerPolicies.Rooms rooms;
    private final SeatlessAudio seatless;
    private final long unheardMs;
    /** When each session that was on the air was last heard of, monotonic, ms. */
    private final Map<RoomKey, Map<String, Long>> heard = new LinkedHashMap<>();

    private CellLoop.Cancellable nextLook;

    MicWatch(CellLoop loop, CellPorts ports, CellSettings settings, TimerPolicies.Rooms rooms) {
        this.loop = loop;
        this.clock = ports.clock();
        this.codec = ports.codec();
        this.settings = settings;
        this.rooms = rooms;
        this.seatless = new SeatlessAudio(loop, ports, settings, rooms);
        this.unheardMs = unheardMs(settings);
        this.nextLook = loop.schedule(LOOK_MS, this::look);
    }

    /** A seat on the air of which nothing was heard for so long is doubted, ms: one heartbeat may be lost. */
    static long unheardMs(CellSettings settings) {
        return Math.max(LEAST_UNHEARD_MS, 2 * settings.heartbeatEveryMs());
    }

    /** Who is heard without a seat. */
    SeatlessAudio seatless() {
        return seatless;
    }

    /** A room was loaded. */
    void loaded(RoomState room) {
        room.seats().filter(seat -> seat.status() == Status.PUBLISHING).forEach(seat -> hear(room.key(), seat));
    }

    /** A room changed. */
    void changed(RoomState before, RoomState after) {
        for (Seat was : before.seats()) {
            if (was.status().occupied()) {
                MicSeats.seatOf(after, was.userId())
                        .filter(is -> is.micSessionId().equals(was.micSessionId()))
                        .ifPresentOrElse(is -> goesOn(after.key(), was, is), () -> over(after, was));
            }
        }
    }

    /** Of a stream that is believed at its deadline (MIC-7) nothing was heard. */
    private void goesOn(RoomKey key, Seat was, Seat is) {
        MicSession before = was.session();
        boolean newlyHeard = !before.streaming()
                || before.lastPublishEventAtMs() < is.session().lastPublishEventAtMs();
        if (is.status() == Status.PUBLISHING && newlyHeard) {
            hear(key, is);
        }
    }

    /** Whoever had audio on the air may have it there still. */
    private void over(RoomState room, Seat was) {
        RoomKey key = room.key();
        Map<String, Long> sessions = heard.get(key);
        if (sessions != null && sessions.remove(was.micSessionId()) != null && sessions.isEmpty()) {
            heard.remove(key);
        }
        // Who was kicked is removed anyhow.
        if (was.session().streaming() && !room.houseRules().banned().contains(was.userId())) {
            seatless.heard(key, was.userId());
        }
        seatless.silentSince(key, was.userId(), was.session().lastPublishEventAtMs());
    }

    /** A room is no longer here. */
    void forget(RoomKey key) {
        heard.remove(key);
        seatless.forget(key);
    }

    void stop() {
        nextLook.cancel();
        seatless.stop();
    }

    private void hear(RoomKey key, Seat seat) {
        heard.computeIfAbsent(key, none -> new LinkedHashMap<>(2)).put(seat.micSessionId(), clock.monotonicMs());
    }

    /** Somebody says what they send, be they in the room or not. */
    void heartbeat(RoomState room, String userId, MicSign sign) {
        Seat seat = MicSeats.seatOf(room, userId).orElse(null);
        if (!sign.publishing()) {
            seatless.silent(room.key(), userId);
        } else if (seat == null) {
            seatless.heard(room.key(), userId);
        } else if (seat.micSessionId().equals(sign.micSessionId())) {
            seatless.silent(room.key(), userId);
            if (seat.status() == Status.PUBLISHING) {
                hear(room.key(), seat);
            } else {
                RoomCommand confirm = new MicSeats.ConfirmMicPublishing(userId, seat.micSessionId());
                submit(room, "~heard:" + seat.micSessionId() + ":" + room.version(), confirm);
            }
        }
    }

    /** RTC's report was answered. Fails if it is not sure that what follows from it will be done. */
    Future<Void> reported(RoomKey key, RtcReports.ReportRtc report, RtcReports.Outcome outcome) {
        return switch (outcome) {
            case NO_SEAT_PUBLISHING -> seatless.reported(key, report.userId(), report.eventAtMs());
            case NO_SEAT -> {
                seatless.silent(key, report.userId());
                seatless.silentSince(key, report.userId(), report.eventAtMs());
                yield Future.succeededFuture();
            }
            case APPLIED, DOUBTED, RECORDED -> {
                seatless.silent(key, report.userId());
                yield Future.succeededFuture();
            }
            case OLDER_EVENT, OLDER_SESSION -> Future.succeededFuture();
        };
    }

    private void look() {
        nextLook = loop.schedule(LOOK_MS, this::look);
        long unheardSinceMs = clock.monotonicMs() - unheardMs;
        List<RoomKey> suspect = new ArrayList<>();
        heard.forEach((key, sessions) -> {
            if (sessions.values().stream().anyMatch(atMs -> atMs <= unheardSinceMs)
                    && rooms.heardForMs(key) >= unheardMs) {
                suspect.add(key);
            }
        });
        // The read confirms the lease (LEASE-9), and the command decides again.
        suspect.forEach(key -> rooms.read(key).onSuccess(answer -> {
            if (answer instanceof ReadAnswer.Found found) {
                doubtUnheard(found.state(), unheardSinceMs);
            }
        }));
    }

    private void doubtUnheard(RoomState room, long unheardSinceMs) {
        Map<String, Long> sessions = heard.getOrDefault(room.key(), Map.of());
        Set<String> seated = room.seats().map(Seat::micSessionId).toJavaStream().collect(Collectors.toSet());
        sessions.keySet().removeIf(session -> !seated.contains(session));
        for (Seat seat : room.seats()) {
            boolean robot = room.member(seat.userId())
                    .filter(member -> member.kind() == Presence.MemberKind.ROBOT)
                    .isPresent();
            if (seat.status() == Status.PUBLISHING
                    && !robot
                    && sessions.getOrDefault(seat.micSessionId(), Long.MAX_VALUE) <= unheardSinceMs) {
                submit(
                        room,
                        "~unheard:" + seat.micSessionId() + ":" + room.version(),
                        new RtcReports.DoubtMic(seat.micSessionId()));
            }
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
