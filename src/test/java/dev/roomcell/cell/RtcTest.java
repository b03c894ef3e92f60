package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.domain.RtcReports.Fact;
import dev.roomcell.domain.RtcReports.Outcome;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** Seats and RTC are held together: what is heard of the seats, and whom RTC has to put out. */
class RtcTest extends RtcScene {
    private static final long UNHEARD_MS = MicWatch.unheardMs(Limits.usual().settings());
    private static final long GRACE_MS = SeatlessAudio.graceMs(Limits.usual().settings());
    private static final String SESSION = "mic-4";

    private void heartbeat(String userId, String session, boolean publishing) {
        assertThat(a.outcome(a.shard.heartbeat(ROOM, userId, new MicSign(session, publishing))))
                .isInstanceOf(ReadAnswer.Found.class);
    }

    /** Time goes on, and Ben says every ten seconds that he sends audio. */
    private void speak(long ms) {
        for (long over = 0; over < ms; over += 10_000) {
            heartbeat("ben", SESSION, true);
            world.advance(Math.min(10_000, ms - over));
        }
    }

    /** MIC-10: who is not in the room is found by nothing else. */
    @Test
    void theAudioOfWhoIsNotInTheRoomIsEndedBeforeRtcIsAnswered() {
        assertThat(report("1", "eve", Fact.AUDIO_STARTED, world.nowMs())).isEqualTo(Outcome.NO_SEAT_PUBLISHING);
        assertThat(world.database.timers(ROOM)).containsKey(Kind.RTC_SILENCE_USER);
        watchTimers(a);
        world.advance(LATE_MS);
        assertThat(rtc.removals(ROOM, "eve")).isEqualTo(1);
        assertThat(a.present(ROOM)).doesNotContain("eve");
    }

    /** RTC sends again what was not answered. */
    @Test
    void aReportWhoseConsequenceIsNotStoredIsRefused() {
        a.script.next(Call.PLAN_TIMER, PortScript.failed());
        Answers.assertRefused(
                a.ask(ROOM, "~rtc:1", new RtcReports.ReportRtc("eve", Fact.AUDIO_STARTED, world.nowMs())),
                Answer.Refusal.STORE_UNAVAILABLE);
        report("1", "eve", Fact.AUDIO_STARTED, world.nowMs());
        assertThat(world.database.timers(ROOM)).containsKey(Kind.RTC_SILENCE_USER);
    }

    /** MIC-10. */
    @Test
    void whoIsHeardWithoutASeatAndDoesNotTakeOneIsRemoved() {
        watchTimers(a);
        heartbeat("cid", "", true);
        world.advance(GRACE_MS - 1);
        assertThat(rtc.removals(ROOM, "cid")).isZero();
        world.advance(LATE_MS);
        assertThat(rtc.removals(ROOM, "cid")).isEqualTo(1);
    }

    /** What a client does is on its way while it says what it did before. */
    @Test
    void whoIsSilentOrSitsByThenIsNotRemoved() {
        watchTimers(a);
        report("1", "cid", Fact.AUDIO_STARTED, world.nowMs());
        heartbeat(Wishes.OWNER, "mic-1", true);
        world.advance(1_000);
        Answers.assertDone(a.ask(ROOM, "up-cid", new MicSeats.MicUp("cid", 3)));
        Answers.assertDone(a.ask(ROOM, "confirm-cid", new MicSeats.ConfirmMicPublishing("cid", "mic-5")));
        Answers.assertDone(a.ask(ROOM, "join-owner", new Presence.JoinRoom(Wishes.OWNER)));
        heartbeat(Wishes.OWNER, "", false);
        world.advance(GRACE_MS + LATE_MS);
        assertThat(rtc.removals(ROOM, "cid")).isZero();
        assertThat(rtc.removals(ROOM, Wishes.OWNER)).isZero();
    }

    /** MIC-10: nothing was heard for 30 s, and nothing until the deadline after that. */
    @Test
    void aSeatOfWhichNothingIsHeardIsDoubtedAndThenFreed() {
        watchTimers(a);
        Answers.assertDone(a.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", SESSION)));
        for (int i = 0; i < 3; i++) {
            world.advance(UNHEARD_MS / 3 - 1);
            heartbeat("ben", SESSION, false);
        }
        assertThat(seat(a)).isEqualTo(Status.PUBLISHING);
        world.advance(MicWatch.LOOK_MS + 3);
        assertThat(seat(a)).isEqualTo(Status.PENDING_PUBLISH);
        world.advance(Limits.DOUBTED_MS + LATE_MS);
        assertThat(seat(a)).isEqualTo(Status.IDLE);
        assertThat(a.present(ROOM)).contains("ben");
    }

    /** MIC-10. */
    @Test
    void aSeatWhoseAudioIsSpokenOfStays() {
        watchTimers(a);
        Answers.assertDone(a.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", SESSION)));
        speak(5 * UNHEARD_MS);
        assertThat(seat(a)).isEqualTo(Status.PUBLISHING);
        assertThat(world.loggedIds(ROOM)).noneMatch(id -> id.startsWith("~unheard:") || id.startsWith("~heard:"));
    }

    /** MIC-1, MIC-10: audio of a session that is over says nothing about this one. */
    @Test
    void whatIsSaidOfAnotherSessionIsNoSignOfThisOne() {
        Answers.assertDone(a.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", SESSION)));
        for (int i = 0; i < 4; i++) {
            heartbeat("ben", "mic-3", true);
            world.advance(UNHEARD_MS / 3);
        }
        assertThat(seat(a)).isEqualTo(Status.PENDING_PUBLISH);
    }

    /** MIC-10: the other way round. */
    @Test
    void aHeartbeatConfirmsTheSeatThatWaits() {
        heartbeat("ben", SESSION, true);
        world.run();
        assertThat(seat(a)).isEqualTo(Status.PUBLISHING);
    }

    /** PRES-7: nobody could be heard while the room was nowhere. */
    @Test
    void afterALoadEverySeatHasItsFullTime() {
        Answers.assertDone(a.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", SESSION)));
        world.advance(UNHEARD_MS - 1);
        a.outcome(a.shard.release(ROOM));
        b.room(ROOM);
        world.advance(UNHEARD_MS - 1);
        assertThat(seat(b)).isEqualTo(Status.PUBLISHING);
        world.advance(MicWatch.LOOK_MS + 1);
        assertThat(seat(b)).isEqualTo(Status.PENDING_PUBLISH);
    }

    /** PRES-8: robots send no heartbeats. */
    @Test
    void aRobotsSeatIsNeverDoubted() {
        a.ask(ROOM, "robot", new Presence.JoinRoom("r2", Presence.MemberKind.ROBOT));
        Answers.assertDone(a.ask(ROOM, "up-robot", new MicSeats.MicUp("r2", 3)));
        Answers.assertDone(a.ask(ROOM, "on-robot", new MicSeats.ConfirmMicPublishing("r2", "mic-6")));
        world.advance(3 * UNHEARD_MS);
        assertThat(a.room(ROOM).seats().get(2).status()).isEqualTo(Status.PUBLISHING);
    }

    /** MIC-4: the sign of life is in the very batch of the exit. */
    @Test
    void anExitInTheBatchOfTheRejoinFreesNoSeat() {
        report("1", "ben", Fact.AUDIO_STARTED, world.nowMs() + 5_000);
        world.advance(60_000);
        HeldCall busy = a.occupy(ROOM);
        Future<Answer> join = a.send(ROOM, "rejoin", new Presence.JoinRoom("ben"));
        Future<Answer> exit =
                a.send(ROOM, "~rtc:2", new RtcReports.ReportRtc("ben", Fact.EXITED, world.nowMs() - 1_000));
        busy.letGo();
        world.run();
        Answers.assertDone(join);
        assertThat(CellWorld.CODEC.decodeRtcOutcome(Answers.assertDone(exit))).isNotEqualTo(Outcome.APPLIED);
        assertThat(seat(a)).isNotEqualTo(Status.IDLE);
    }

    /** B37: it overtakes the seat that it is about. */
    @Test
    void aReportThatComesWhileItsSeatIsBeingCommittedWaitsForIt() {
        HeldCall commit = a.script.holdNext(Call.COMMIT);
        Future<Answer> up = a.send(ROOM, "up-cid", new MicSeats.MicUp("cid", 3));
        world.run();
        assertThat(commit.arrived()).isTrue();
        Future<Answer> heard =
                a.send(ROOM, "~rtc:1", new RtcReports.ReportRtc("cid", Fact.AUDIO_STARTED, world.nowMs()));
        world.run();
        Answers.assertWaiting(heard);
        commit.letGo();
        world.run();
        Answers.assertDone(up);
        assertThat(CellWorld.CODEC.decodeRtcOutcome(Answers.assertDone(heard))).isEqualTo(Outcome.APPLIED);
        assertThat(a.room(ROOM).seats().get(2).status()).isEqualTo(Status.PUBLISHING);
    }

    /** B43: eight times, and one change. */
    @Test
    void aReportThatIsRepeatedChangesTheSeatOnce() {
        long version = a.room(ROOM).version();
        for (int i = 0; i < 8; i++) {
            assertThat(report("same", "ben", Fact.AUDIO_STARTED, 1_000_000_000_000_000L))
                    .isEqualTo(Outcome.APPLIED);
        }
        assertThat(a.room(ROOM).version()).isEqualTo(version + 1);
    }

    /** MIC-9: the start of a stream whose end is known, however late it comes. */
    @Test
    void aLateStartOfAudioThatHasEndedRemovesNobody() {
        watchTimers(a);
        long startedMs = world.nowMs();
        Answers.assertDone(a.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", SESSION)));
        Answers.assertDone(a.ask(ROOM, "down", new MicSeats.MicDown("ben", "ben", "")));
        assertThat(report("stop", "ben", Fact.AUDIO_STOPPED, startedMs + 1_000)).isEqualTo(Outcome.NO_SEAT);
        assertThat(report("start", "ben", Fact.AUDIO_STARTED, startedMs)).isEqualTo(Outcome.NO_SEAT_PUBLISHING);
        world.advance(GRACE_MS + LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isZero();
    }

    /** Whoever came back and only listens is no stranger any more. */
    @Test
    void whoIsInTheRoomAgainAndSilentIsNotRemoved() {
        Answers.assertDone(a.ask(ROOM, "leave", new Presence.LeaveRoom("ben")));
        report("1", "ben", Fact.AUDIO_STARTED, world.nowMs() + 1);
        assertThat(world.database.timers(ROOM)).containsKey(Kind.RTC_SILENCE_USER);
        Answers.assertDone(a.ask(ROOM, "back", new Presence.JoinRoom("ben")));
        heartbeat("ben", "", false);
        watchTimers(a);
        world.advance(LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isZero();
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.RTC_SILENCE_USER);
    }

    /** The reason is gone before the task could be done. */
    @Test
    void whoFallsSilentWhileRtcIsAwayIsNotRemoved() {
        watchTimers(a);
        rtc.fail(8);
        heartbeat("cid", "", true);
        world.advance(GRACE_MS + LATE_MS);
        assertThat(world.database.timers(ROOM)).containsKey(Kind.RTC_SILENCE_USER);
        heartbeat("cid", "", false);
        world.advance(600_000);
        assertThat(rtc.removals(ROOM, "cid")).isZero();
    }

    /** MIC-10: RTC says nothing twice, so whoever had audio on the air is watched until their silence is heard. */
    @Test
    void whoIsTakenDownAndGoesOnIsRemoved() {
        watchTimers(a);
        Answers.assertDone(a.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", SESSION)));
        Answers.assertDone(a.ask(ROOM, "down", new MicSeats.MicDown(Wishes.OWNER, "ben", "")));
        world.advance(GRACE_MS + LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isEqualTo(1);
    }

    /** MIC-10: whoever is not in the room any more says so themselves. */
    @Test
    void theHeartbeatOfWhoLeftAndStillSendsAudioIsHeard() {
        watchTimers(a);
        Answers.assertDone(a.ask(ROOM, "leave", new Presence.LeaveRoom("cid")));
        heartbeat("cid", "", true);
        world.advance(GRACE_MS + LATE_MS);
        assertThat(rtc.removals(ROOM, "cid")).isEqualTo(1);
    }

    /** MIC-7, MIC-10: a stream that is believed at its deadline was not heard. */
    @Test
    void whoMovesAgainAndAgainAndIsNeverHeardLosesTheSeat() {
        watchTimers(a);
        Answers.assertDone(a.ask(ROOM, "confirm", new MicSeats.ConfirmMicPublishing("ben", SESSION)));
        for (int i = 0; i < 12; i++) {
            a.ask(ROOM, "move-" + i, new MicSeats.ChangeMicSeat("ben", 1 + i % 2, ""));
            world.advance(20_000);
        }
        assertThat(MicSeats.seatOf(a.room(ROOM), "ben")).isEmpty();
    }

    /** A repeated report is history: it says nothing of now. */
    @Test
    void aReportThatIsRepeatedIsNoWordOfSilence() {
        watchTimers(a);
        report("start", "ben", Fact.AUDIO_STARTED, world.nowMs());
        Answers.assertDone(a.ask(ROOM, "down", new MicSeats.MicDown(Wishes.OWNER, "ben", "")));
        report("start", "ben", Fact.AUDIO_STARTED, world.nowMs());
        world.advance(GRACE_MS + LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isEqualTo(1);
    }
}
