package dev.roomcell.domain;

import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What RTC says of who is on the air. Its reports come late, twice, in any order or never, and name no mic session; so
 * each is first placed in time (MIC-9).
 *
 * <p>Two of RTC's times are compared exactly: whatever is not newer than the newest that the session took is late. RTC's
 * time and a time of ours are compared within {@link #CLOCK_TOLERANCE_MS}; where that leaves open whether the audio of
 * this session or of an earlier one is meant, or whether the user is back already, a seat is not taken away. It is doubted:
 * it waits for its audio to be confirmed as if it had just been taken, and is freed at its deadline by the room's own
 * clock.
 */
public final class RtcReports {
    /** RTC's clock and ours differ by no more, ms. */
    public static final long CLOCK_TOLERANCE_MS = 2_000;

    private RtcReports() {}

    /** What RTC saw. The names are stored in commands: never rename one. */
    public enum Fact {
        /** The user's audio is on the air. */
        AUDIO_STARTED,
        /** The user switched it off. */
        AUDIO_STOPPED,
        /** The user left the RTC room, and no stop of the audio follows. */
        EXITED,
        /** RTC lost the user, who may be on the way back: an exit by timeout. */
        EXIT_SUSPECTED,
        /** The RTC room is gone, and everybody's audio with it. */
        ROOM_GONE
    }

    /** What became of a report. The names are stored in results: never rename one. */
    public enum Outcome {
        /** The seat was confirmed or freed. */
        APPLIED,
        /** The seat has to be confirmed again. */
        DOUBTED,
        /** The seat stays as it is, and knows of it. */
        RECORDED,
        /** Dropped: nobody it is about sits on a seat. */
        NO_SEAT,
        /** Dropped: audio of somebody who has no seat. Whoever has none may not be heard (MIC-10). */
        NO_SEAT_PUBLISHING,
        /** Dropped: the session took a newer one already. */
        OLDER_EVENT,
        /** Dropped: from before the session began (MIC-2). */
        OLDER_SESSION
    }

    /**
     * The room's own command (CMD-5): RTC reported something.
     *
     * @param userId of whom; empty for ROOM_GONE
     * @param fact what
     * @param eventAtMs when it happened, RTC's clock, epoch ms
     */
    public record ReportRtc(String userId, Fact fact, long eventAtMs) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.REPORT_RTC;
        }

        @Override
        public String actorUserId() {
            return "";
        }
    }

    /**
     * The room's own command (CMD-5): nothing was heard of a session's audio for too long (MIC-10).
     *
     * @param micSessionId which session
     */
    public record DoubtMic(String micSessionId) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.DOUBT_MIC;
        }

        @Override
        public String actorUserId() {
            return "";
        }
    }

    /**
     * The answer to {@link ReportRtc}.
     *
     * @param roomVersion the version that it made, or the room's version if it changed nothing
     * @param outcome what became of it; of several seats, what was done to the first that it was done to
     */
    public record RtcHeard(long roomVersion, Outcome outcome) implements CommandResult {}

    private record Verdict(Outcome outcome, Optional<RoomEvent> event) {
        static Verdict dropped(Outcome why) {
            return new Verdict(why, Optional.empty());
        }

        static Verdict of(Outcome outcome, RoomEvent event) {
            return new Verdict(outcome, Optional.of(event));
        }
    }

    static Decision report(RoomState state, ReportRtc command, Stamp stamp, RoomPolicy policy) {
        List<Seat> meant = state.seats()
                .filter(seat -> seat.status().occupied()
                        && (command.fact() == Fact.ROOM_GONE || seat.userId().equals(command.userId())))
                .toJavaList();
        if (meant.isEmpty()) {
            return dropped(state, command.fact() == Fact.AUDIO_STARTED ? Outcome.NO_SEAT_PUBLISHING : Outcome.NO_SEAT);
        }
        List<RoomEvent> events = new ArrayList<>();
        Outcome first = Outcome.NO_SEAT;
        for (Seat seat : meant) {
            Verdict verdict = verdict(state, seat, command, stamp.atMs() + policy.doubtedForMs());
            first = events.isEmpty() ? verdict.outcome() : first;
            verdict.event().ifPresent(events::add);
        }
        return events.isEmpty()
                ? dropped(state, first)
                : new Decision.Accepted(events, new RtcHeard(stamp.version(), first));
    }

    private static Decision dropped(RoomState state, Outcome why) {
        return Decision.Unchanged.answering(new RtcHeard(state.version(), why));
    }

    private static Verdict verdict(RoomState state, Seat seat, ReportRtc command, long deadlineMs) {
        long eventAtMs = command.eventAtMs();
        if (eventAtMs <= seat.session().lastPublishEventAtMs()) {
            return Verdict.dropped(Outcome.OLDER_EVENT);
        }
        if (eventAtMs < seat.session().startedAtMs() - CLOCK_TOLERANCE_MS) {
            return Verdict.dropped(Outcome.OLDER_SESSION);
        }
        Seat heard = MicSeats.heard(seat, eventAtMs);
        boolean perhapsOfAnEarlierSession = eventAtMs <= seat.session().startedAtMs() + CLOCK_TOLERANCE_MS;
        return switch (command.fact()) {
            case AUDIO_STARTED ->
                Verdict.of(
                        seat.status() == Status.PUBLISHING ? Outcome.RECORDED : Outcome.APPLIED,
                        MicSeats.onTheAir(heard, Cause.RTC_AUDIO_STARTED));
            case AUDIO_STOPPED ->
                seat.status() == Status.PUBLISHING && !perhapsOfAnEarlierSession
                        ? freed(heard, Cause.RTC_AUDIO_STOPPED)
                        : doubted(heard, deadlineMs, Cause.RTC_AUDIO_STOPPED);
            case EXITED ->
                perhapsOfAnEarlierSession || seenSince(state, seat.userId(), eventAtMs)
                        ? doubted(heard, deadlineMs, Cause.RTC_ROOM_EXITED)
                        : freed(heard, Cause.RTC_ROOM_EXITED);
            // Of all that are in it nobody knows who is in the next one already.
            case EXIT_SUSPECTED, ROOM_GONE -> doubted(heard, deadlineMs, Cause.RTC_ROOM_EXITED);
        };
    }

    /** Whether the user gave a sign of life after it, and so may have come back (MIC-4). */
    private static boolean seenSince(RoomState state, String userId, long eventAtMs) {
        return state.member(userId)
                .filter(member -> member.lastSeenAtMs() > eventAtMs - CLOCK_TOLERANCE_MS)
                .isPresent();
    }

    private static Verdict freed(Seat seat, Cause cause) {
        return Verdict.of(Outcome.APPLIED, MicSeats.freed(seat, cause));
    }

    /** A seat whose deadline runs keeps it: reports must not make it live for ever (MIC-7). */
    private static Verdict doubted(Seat seat, long deadlineMs, Cause cause) {
        return seat.status() == Status.PUBLISHING
                ? Verdict.of(Outcome.DOUBTED, MicSeats.doubted(seat, deadlineMs, cause))
                : Verdict.of(Outcome.RECORDED, MicSeats.offTheAir(seat, cause));
    }

    static Decision doubt(RoomState state, DoubtMic command, Stamp stamp, RoomPolicy policy) {
        Optional<Seat> publishing = state.seats()
                .find(seat -> seat.status() == Status.PUBLISHING
                        && seat.micSessionId().equals(command.micSessionId()))
                .toJavaOptional();
        if (publishing.isEmpty()) {
            return Decision.Unchanged.answering(new MicSeats.SeatTaken(state.version(), MicSeats.nobodysSeat()));
        }
        MicSeats.RoomMicChanged doubted =
                MicSeats.doubted(publishing.get(), stamp.atMs() + policy.doubtedForMs(), Cause.UNHEARD);
        return new Decision.Accepted(
                List.of(doubted), new MicSeats.SeatTaken(stamp.version(), MicSeats.after(doubted)));
    }
}
