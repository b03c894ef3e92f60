package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.atMs;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.given;
import static dev.roomcell.domain.Story.joined;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.RoomMicChanged;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.RtcReports.Fact;
import dev.roomcell.domain.RtcReports.Outcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What RTC's reports do to a seat, by when they happened. Versions are one second apart; Ben's session is of the third. */
class RtcReportsTest {
    private static final long TOLERANCE_MS = RtcReports.CLOCK_TOLERANCE_MS;
    /** When Ben's session begins. */
    private static final long BEGUN_MS = atMs(3);
    /** Far enough from that to be of no other session. */
    private static final long LATER_MS = BEGUN_MS + TOLERANCE_MS + 1;

    private final Story story = given(created(3), joined(BEN, 1)).when(new MicSeats.MicUp(BEN, 1));

    private Story report(Fact fact, long eventAtMs) {
        return story.when(new RtcReports.ReportRtc(fact == Fact.ROOM_GONE ? "" : BEN, fact, eventAtMs));
    }

    private Outcome outcome() {
        Decision decision = story.decision();
        CommandResult result = decision instanceof Decision.Accepted accepted
                ? accepted.result()
                : ((Decision.Unchanged) decision).result();
        return ((RtcReports.RtcHeard) result).outcome();
    }

    private Seat seat() {
        return story.state().seats().get(0);
    }

    /** MIC-2. */
    @Test
    void whatRtcHearsPutsTheSeatOnTheAir() {
        report(Fact.AUDIO_STARTED, LATER_MS);
        assertThat(outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(seat().status()).isEqualTo(Status.PUBLISHING);
        assertThat(seat().session()).isEqualTo(new MicSession("mic-3", BEN, 3, BEGUN_MS, 0, true, LATER_MS));
    }

    /** B47: what RTC says of a seat that is on the air is remembered, so that what is older is known to be late. */
    @Test
    void aReportOfWhatIsKnownIsRememberedAndOneOlderThanItIsDropped() {
        story.when(new MicSeats.ConfirmMicPublishing(BEN, "mic-3"));
        report(Fact.AUDIO_STARTED, LATER_MS + 9);
        assertThat(outcome()).isEqualTo(Outcome.RECORDED);
        for (Fact fact : Fact.values()) {
            report(fact, LATER_MS + 9);
            assertThat(outcome()).as(fact.name()).isEqualTo(Outcome.OLDER_EVENT);
            assertThat(story.decision()).isInstanceOf(Decision.Unchanged.class);
        }
    }

    /** B38, MIC-1. */
    @Test
    void aStopOfTheSessionBeforeLeavesTheNewOneOnTheAir() {
        report(Fact.AUDIO_STARTED, LATER_MS);
        long stoppedMs = LATER_MS + 20_000;
        story.when(new MicSeats.MicDown(BEN, BEN, ""));
        story.whenAt(stoppedMs + TOLERANCE_MS + 1, new MicSeats.MicUp(BEN, 1));
        // A story's seat begins when its version does; the report is of long before.
        report(Fact.AUDIO_STOPPED, BEGUN_MS - TOLERANCE_MS - 1);
        assertThat(outcome()).isEqualTo(Outcome.OLDER_SESSION);
        assertThat(seat().status()).isEqualTo(Status.PENDING_PUBLISH);
    }

    /** B38: so close to the beginning that it may be of the stream before: the seat is asked for again, not taken. */
    @ParameterizedTest
    @EnumSource(
            value = Fact.class,
            names = {"AUDIO_STOPPED", "EXITED", "EXIT_SUSPECTED", "ROOM_GONE"})
    void whatMayBeOfTheSessionBeforeIsNoReasonToFreeTheSeat(Fact fact) {
        story.when(new MicSeats.ConfirmMicPublishing(BEN, "mic-3"));
        report(fact, BEGUN_MS + TOLERANCE_MS);
        assertThat(outcome()).isEqualTo(Outcome.DOUBTED);
        assertThat(seat().status()).isEqualTo(Status.PENDING_PUBLISH);
        assertThat(seat().session().id()).isEqualTo("mic-3");
        assertThat(seat().session().streaming()).isFalse();
        // Decided as the fifth version.
        assertThat(seat().session().publishDeadlineMs()).isEqualTo(atMs(5) + RoomPolicy.STANDARD.doubtedForMs());
    }

    @Test
    void aStopEndsTheSession() {
        report(Fact.AUDIO_STARTED, LATER_MS);
        report(Fact.AUDIO_STOPPED, LATER_MS + 1);
        story.then(
                new RtcReports.RtcHeard(5, Outcome.APPLIED),
                new RoomMicChanged(
                        1,
                        0,
                        Status.PUBLISHING,
                        Status.IDLE,
                        new MicSession("mic-3", BEN, 3, BEGUN_MS, 0, true, LATER_MS + 1),
                        Cause.RTC_AUDIO_STOPPED));
    }

    /** MIC-9: stop and start in the wrong order. */
    @Test
    void aStartThatComesAfterItsStopPutsNobodyOnTheAir() {
        report(Fact.AUDIO_STOPPED, LATER_MS + 1);
        assertThat(outcome()).isEqualTo(Outcome.RECORDED);
        report(Fact.AUDIO_STARTED, LATER_MS);
        assertThat(outcome()).isEqualTo(Outcome.OLDER_EVENT);
        assertThat(seat().status()).isEqualTo(Status.PENDING_PUBLISH);
    }

    /** PRES-4. */
    @Test
    void anExitFreesTheSeatAndLeavesThePresence() {
        report(Fact.AUDIO_STARTED, LATER_MS);
        report(Fact.EXITED, LATER_MS + 1);
        assertThat(seat().status()).isEqualTo(Status.IDLE);
        assertThat(story.state().member(BEN)).isPresent();
        assertThat(((Decision.Accepted) story.decision()).events())
                .allMatch(event -> event instanceof RoomMicChanged changed && changed.cause() == Cause.RTC_ROOM_EXITED);
    }

    /** MIC-4, B40. */
    @Test
    void anExitFromBeforeASignOfLifeFreesNoSeat() {
        report(Fact.AUDIO_STARTED, LATER_MS);
        long exitedMs = LATER_MS + 60_000;
        story.seen(BEN, exitedMs - TOLERANCE_MS + 1);
        report(Fact.EXITED, exitedMs);
        assertThat(outcome()).isEqualTo(Outcome.DOUBTED);
        story.when(new MicSeats.ConfirmMicPublishing(BEN, "mic-3"));
        story.seen(BEN, exitedMs + 60_000 - TOLERANCE_MS);
        report(Fact.EXITED, exitedMs + 60_000);
        assertThat(outcome()).isEqualTo(Outcome.APPLIED);
    }

    /** MIC-4, B40: the old exit of a user who has come back and sits on another seat. */
    @Test
    void anExitFromBeforeTheRejoinNeitherFreesTheNewSeatNorEndsThePresence() {
        story.when(new Presence.LeaveRoom(BEN)).when(new Presence.JoinRoom(BEN)).when(new MicSeats.MicUp(BEN, 2));
        story.when(new RtcReports.ReportRtc(BEN, Fact.EXITED, BEGUN_MS));
        assertThat(outcome()).isEqualTo(Outcome.OLDER_SESSION);
        assertThat(MicSeats.seatOf(story.state(), BEN)).isPresent();
        assertThat(story.state().member(BEN)).isPresent();
    }

    /** MIC-9. */
    @Test
    void anExitByTimeoutFreesTheSeatOnlyWhenNothingIsHeardUntilTheDeadline() {
        report(Fact.AUDIO_STARTED, LATER_MS);
        report(Fact.EXIT_SUSPECTED, LATER_MS + 60_000);
        long deadlineMs = seat().session().publishDeadlineMs();
        assertThat(outcome()).isEqualTo(Outcome.DOUBTED);

        report(Fact.AUDIO_STARTED, LATER_MS + 60_001);
        assertThat(seat().status()).isEqualTo(Status.PUBLISHING);
        story.whenAt(deadlineMs, new MicSeats.TimeOutMic("mic-3", deadlineMs));
        assertThat(seat().status()).isEqualTo(Status.PUBLISHING);

        report(Fact.EXIT_SUSPECTED, LATER_MS + 120_000);
        long secondMs = seat().session().publishDeadlineMs();
        story.whenAt(secondMs, new MicSeats.TimeOutMic("mic-3", secondMs));
        assertThat(seat().status()).isEqualTo(Status.IDLE);
    }

    /** MIC-7: reports about a seat that waits don't make it wait longer. */
    @Test
    void aSeatThatIsDoubtedAgainKeepsItsDeadline() {
        report(Fact.AUDIO_STARTED, LATER_MS);
        report(Fact.EXIT_SUSPECTED, LATER_MS + 60_000);
        long deadlineMs = seat().session().publishDeadlineMs();
        report(Fact.EXIT_SUSPECTED, LATER_MS + 70_000);
        assertThat(outcome()).isEqualTo(Outcome.RECORDED);
        assertThat(seat().session().publishDeadlineMs()).isEqualTo(deadlineMs);
    }

    /** MIC-7: the stream of a user who moved is kept only if nobody said that it ended. */
    @Test
    void whoMovedAndStoppedIsNotKeptAtTheDeadline() {
        report(Fact.AUDIO_STARTED, LATER_MS);
        story.when(new MicSeats.ChangeMicSeat(BEN, 2, ""));
        story.when(new RtcReports.ReportRtc(BEN, Fact.AUDIO_STOPPED, LATER_MS + 1));
        Seat moved = story.state().seats().get(1);
        long deadlineMs = moved.session().publishDeadlineMs();
        story.whenAt(deadlineMs, new MicSeats.TimeOutMic("mic-3", deadlineMs));
        assertThat(MicSeats.seatOf(story.state(), BEN)).isEmpty();
    }

    /** B41, B66: nothing is made, and nobody becomes present. */
    @ParameterizedTest
    @EnumSource(Fact.class)
    void whatIsSaidOfSomebodyWithoutASeatChangesNothing(Fact fact) {
        story.when(new Presence.LeaveRoom(BEN)).when(new Moderation.KickUser(OWNER, CARA));
        for (String userId : List.of(BEN, CARA, "nobody")) {
            RoomState before = story.state();
            story.when(new RtcReports.ReportRtc(userId, fact, LATER_MS));
            assertThat(story.state()).isEqualTo(before);
            story.thenUnchanged(
                    new RtcReports.RtcHeard(
                            before.version(),
                            fact == Fact.AUDIO_STARTED ? Outcome.NO_SEAT_PUBLISHING : Outcome.NO_SEAT),
                    Optional.empty());
        }
    }

    /** The room is gone, and everybody's audio; who began since is not meant. */
    @Test
    void theEndOfTheRtcRoomIsADoubtOfThoseWhoWereInIt() {
        report(Fact.AUDIO_STARTED, LATER_MS);
        story.when(new Presence.JoinRoom(CARA)).when(new MicSeats.MicUp(CARA, 2));
        long begunMs = story.state().seats().get(1).session().startedAtMs();
        story.when(new RtcReports.ReportRtc(CARA, Fact.AUDIO_STARTED, begunMs + 10_000));
        story.when(new RtcReports.ReportRtc("", Fact.ROOM_GONE, begunMs + 9_000));
        assertThat(outcome()).isEqualTo(Outcome.DOUBTED);
        assertThat(story.state().seats().get(0).status()).isEqualTo(Status.PENDING_PUBLISH);
        assertThat(story.state().seats().get(1).status()).isEqualTo(Status.PUBLISHING);
    }

    /** MIC-10. */
    @Test
    void aSeatOfWhichNothingIsHeardWaitsToBeConfirmedAgain() {
        story.when(new MicSeats.ConfirmMicPublishing(BEN, "mic-3")).when(new RtcReports.DoubtMic("mic-3"));
        MicSession doubted =
                new MicSession("mic-3", BEN, 3, BEGUN_MS, atMs(5) + RoomPolicy.STANDARD.doubtedForMs(), false, 0);
        story.then(
                new MicSeats.SeatTaken(5, new Seat(1, Status.PENDING_PUBLISH, doubted)),
                new RoomMicChanged(1, 0, Status.PUBLISHING, Status.PENDING_PUBLISH, doubted, Cause.UNHEARD));
    }

    /** MIC-1. */
    @Test
    void theDoubtOfAnOlderSessionIsNoDoubtOfThisOne() {
        story.when(new MicSeats.ConfirmMicPublishing(BEN, "mic-3")).when(new RtcReports.DoubtMic("mic-2"));
        assertThat(story.decision()).isInstanceOf(Decision.Unchanged.class);
    }
}
