package dev.roomcell.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.RoomMicChanged;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.RtcReports.Fact;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Two users with clients, and an RTC whose reports come late, twice, in any order or never, from a clock that is not ours.
 * RTC knows the truth: who was on the air, and in which session. {@code -Drtc.tries=100000} for the long form.
 */
class RtcInterleavingsTest {
    private static final int STEPS = 60;
    private static final long CLOCKS_DIFFER_MS = 1_500;
    private static final long LATE_MS = 60_000;
    private static final int TRIES = Integer.getInteger("rtc.tries", 20_000);
    private static final List<String> USERS = List.of("ben", "cara");
    private static int freedByRtc;

    /** Something RTC reports, and the session that it is really about. */
    private record Report(long arrivesMs, RtcReports.ReportRtc command, String session) {}

    private static final class Life {
        private final Random dice;
        private final long rtcAheadMs;
        private RoomState room = RoomState.creating(Story.ROOM);
        private long nowMs = 1_700_000_000_000L;
        private final List<Report> onTheWay = new ArrayList<>();
        /** The session whose audio each user's client sends. */
        private final Map<String, String> sending = new HashMap<>();

        Life(long seed) {
            dice = new Random(seed);
            rtcAheadMs = dice.nextLong(-CLOCKS_DIFFER_MS, CLOCKS_DIFFER_MS + 1);
            ask(new Lifecycle.CreateRoom(Story.OWNER, Story.PROFILE, 3));
            USERS.forEach(user -> ask(new Presence.JoinRoom(user)));
        }

        private List<RoomEvent> ask(RoomCommand command) {
            Stamp stamp = new Stamp(room.version() + 1, nowMs);
            Decision decision = RoomDecider.decide(room, command, stamp, RoomPolicy.STANDARD);
            if (!(decision instanceof Decision.Accepted accepted)) {
                return List.of();
            }
            // MIC-6 is among what is checked.
            room = RoomDecider.evolve(room, accepted.events(), stamp).checked();
            return accepted.events();
        }

        private Optional<Seat> seat(String user) {
            return MicSeats.seatOf(room, user);
        }

        void step() {
            nowMs += dice.nextInt(4_000);
            deliver();
            String user = USERS.get(dice.nextInt(USERS.size()));
            switch (dice.nextInt(10)) {
                case 0, 1 -> ask(new MicSeats.MicUp(user, 1 + dice.nextInt(3)));
                case 2 -> ask(new MicSeats.MicDown(user, user, ""));
                case 3 -> ask(new MicSeats.ChangeMicSeat(user, 1 + dice.nextInt(3), ""));
                case 4 -> {
                    ask(new Presence.LeaveRoom(user));
                    ask(new Presence.JoinRoom(user));
                }
                case 5 -> room = Presence.seen(room, user, nowMs);
                case 6, 7 -> seat(user).ifPresent(seat -> send(user, seat.micSessionId()));
                case 8 -> stop(user, dice.nextBoolean() ? Fact.AUDIO_STOPPED : Fact.EXITED);
                default -> {
                    stop(user, Fact.EXIT_SUSPECTED);
                    seat(user).ifPresent(seat -> send(user, seat.micSessionId()));
                }
            }
            clientsFollow();
            timeOut();
        }

        private void send(String user, String session) {
            if (!session.equals(sending.get(user))) {
                stop(user, Fact.AUDIO_STOPPED);
                nowMs++;
                sending.put(user, session);
                report(user, Fact.AUDIO_STARTED, session);
            }
        }

        private void stop(String user, Fact how) {
            String session = sending.remove(user);
            if (session != null) {
                nowMs++;
                report(user, how, session);
            }
        }

        /** Whose session is over stops sending, and whose seat waits says so if audio is sent. */
        private void clientsFollow() {
            for (String user : USERS) {
                String session = sending.get(user);
                Optional<Seat> seat = seat(user);
                if (session != null
                        && seat.filter(there -> there.micSessionId().equals(session))
                                .isEmpty()) {
                    stop(user, Fact.AUDIO_STOPPED);
                } else if (session != null && seat.orElseThrow().status() == Status.PENDING_PUBLISH) {
                    ask(new MicSeats.ConfirmMicPublishing(user, session));
                }
            }
        }

        private void report(String user, Fact fact, String session) {
            RtcReports.ReportRtc command = new RtcReports.ReportRtc(user, fact, nowMs + rtcAheadMs);
            int copies = dice.nextInt(10) == 0 ? 0 : 1 + dice.nextInt(2);
            for (int i = 0; i < copies; i++) {
                long lateMs = dice.nextInt(4) == 0 ? dice.nextLong(LATE_MS) : dice.nextLong(300);
                onTheWay.add(new Report(nowMs + lateMs, command, session));
            }
        }

        private void deliver() {
            List<Report> arrived = onTheWay.stream()
                    .filter(report -> report.arrivesMs <= nowMs)
                    .sorted(Comparator.comparingLong(Report::arrivesMs))
                    .toList();
            onTheWay.removeAll(arrived);
            for (Report report : arrived) {
                for (RoomEvent event : ask(report.command)) {
                    RoomMicChanged changed = (RoomMicChanged) event;
                    if (changed.to() == Status.IDLE) {
                        freedByRtc++;
                        assertThat(changed.session().id())
                                .as("freed by %s of %s", report.command, report.session)
                                .isEqualTo(report.session);
                    }
                }
            }
        }

        /** As the timeout worker, which looks once a second. */
        private void timeOut() {
            for (Seat seat : MicSeats.pending(room)) {
                long deadlineMs = seat.session().publishDeadlineMs();
                if (deadlineMs <= nowMs) {
                    for (RoomEvent event : ask(new MicSeats.TimeOutMic(seat.micSessionId(), deadlineMs))) {
                        RoomMicChanged changed = (RoomMicChanged) event;
                        assertThat(sending.get(seat.userId()))
                                .as("who sends audio and says so keeps the seat")
                                .satisfiesAnyOf(
                                        session -> assertThat(session).isNotEqualTo(seat.micSessionId()),
                                        session -> assertThat(changed.cause()).isEqualTo(Cause.STREAM_KEPT));
                    }
                }
            }
        }

        /** Everybody is silent, RTC is heard to the end, and nothing is heard any more. */
        void end() {
            USERS.forEach(user -> stop(user, Fact.EXITED));
            nowMs += LATE_MS + 1;
            deliver();
            // A stream that was moved is taken for kept at its deadline (MIC-7), and is doubted after that.
            timeOut();
            for (Seat seat : room.seats()) {
                if (seat.status() == Status.PUBLISHING) {
                    ask(new RtcReports.DoubtMic(seat.micSessionId()));
                }
            }
            nowMs += RoomPolicy.STANDARD.doubtedForMs() + 2_000;
            timeOut();
            assertThat(room.seats().filter(seat -> seat.status().occupied()))
                    .as("no ghost keeps a seat beyond its deadline and two seconds")
                    .isEmpty();
        }
    }

    /** MIC-1, MIC-4, MIC-6, MIC-9, MIC-10, B38, B40, B41, B47. */
    @Property(shrinking = ShrinkingMode.OFF)
    void noSeatIsFreedByAnOlderSessionAndNoneIsKeptByAGhost(@ForAll long seed) {
        // One try of the framework is many lives: drawing a number costs it more than a life does.
        Random seeds = new Random(seed);
        for (int i = 0; i < TRIES / 1_000; i++) {
            Life life = new Life(seeds.nextLong());
            for (int step = 0; step < STEPS; step++) {
                life.step();
            }
            life.end();
        }
    }

    @AfterContainer
    static void reportsDidFreeSeats() {
        assertThat(freedByRtc).as("seats that RTC's reports freed").isPositive();
    }
}
