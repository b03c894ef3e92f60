package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.RtcReports.Fact;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.port.TimerStore.RoomTimer;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TIMER-1: what a room has RTC do is done once, by whoever has the room, and never in the way of its deadlines. */
class RtcTasksTest extends RtcScene {
    /** TIMER-1, B66: removed once, and the row is gone. */
    @Test
    @Tag("TIMER-1")
    void whoIsKickedIsRemovedFromRtcOnce() {
        watchTimers(a);
        Answers.assertDone(a.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
        assertThat(world.database.timers(ROOM)).containsKey(Kind.RTC_REMOVE_USER);
        world.advance(LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isEqualTo(1);
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.RTC_REMOVE_USER);
        world.advance(120_000);
        assertThat(rtc.removals(ROOM, "ben")).isEqualTo(1);
    }

    /** TIMER-1: each of them, though all are of one kind. */
    @Test
    @Tag("TIMER-1")
    void whoAreKickedTogetherAreAllRemoved() {
        watchTimers(a);
        a.ask(ROOM, "kick-ben", new Moderation.KickUser(Wishes.OWNER, "ben"));
        a.ask(ROOM, "kick-cid", new Moderation.KickUser(Wishes.OWNER, "cid"));
        world.advance(LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isEqualTo(1);
        assertThat(rtc.removals(ROOM, "cid")).isEqualTo(1);
    }

    /** TIMER-1: the owner dies between the commit and the call. */
    @Test
    @Tag("TIMER-1")
    void theNextOwnerRemovesWhomTheDeadOneKicked() {
        watchTimers(b);
        Answers.assertDone(a.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
        a.loop.freeze();
        world.advance(2 * Limits.TTL_MS + LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isEqualTo(1);
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.RTC_REMOVE_USER);
    }

    @Test
    @Tag("TIMER-1")
    void aRemovalThatFailedIsTriedAgainWithLongerAndLongerPauses() {
        watchTimers(a);
        rtc.fail(3);
        Answers.assertDone(a.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
        world.advance(4_000);
        assertThat(rtc.removals(ROOM, "ben")).isZero();
        world.advance(8_000);
        assertThat(rtc.removals(ROOM, "ben")).isEqualTo(1);
    }

    @Test
    @Tag("TIMER-1")
    void aRemovalThatAlwaysFailsIsGivenUp() {
        watchTimers(a);
        rtc.fail(1_000);
        Answers.assertDone(a.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
        world.advance(4 * 60 * 60_000L);
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.RTC_REMOVE_USER);
        rtc.fail(0);
        world.advance(120_000);
        assertThat(rtc.removals(ROOM, "ben")).isZero();
    }

    @Test
    void whoIsForgivenBeforeIsNotRemoved() {
        Answers.assertDone(a.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
        Answers.assertDone(a.ask(ROOM, "unban", new Moderation.UnbanUser(Wishes.OWNER, "ben")));
        watchTimers(a);
        world.advance(LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isZero();
    }

    /** A row that is older than the seat says nothing about who sits on it. */
    @Test
    void whoSitsOnASeatByThenIsNotRemoved() {
        a.outcome(world.database.timers().plan(new RoomTimer(ROOM, Kind.RTC_SILENCE_USER, "ben"), world.nowMs()));
        watchTimers(a);
        world.advance(LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isZero();
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.RTC_SILENCE_USER);
    }

    @Test
    @Tag("TIMER-1")
    void aClosedRoomEndsItsRtcRoomOnce() {
        watchTimers(a);
        a.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "cid"));
        Answers.assertDone(a.ask(ROOM, "close", Wishes.close()));
        assertThat(world.database.timers(ROOM)).containsOnlyKeys(Kind.RTC_DISMISS_ROOM);
        world.advance(LATE_MS);
        assertThat(rtc.dismissals(ROOM)).isEqualTo(1);
        assertThat(world.database.timers(ROOM)).isEmpty();
    }

    /** TIMER-1: what is asked for while a task is being done is done after it. */
    @Test
    @Tag("TIMER-1")
    void whoIsHeardAgainWhileTheyAreBeingRemovedIsRemovedAgain() {
        watchTimers(a);
        HeldCall removal = a.script.holdNext(Call.RTC);
        report("1", "eve", Fact.AUDIO_STARTED, world.nowMs());
        world.advance(LATE_MS);
        assertThat(removal.arrived()).isTrue();
        report("2", "eve", Fact.AUDIO_STARTED, world.nowMs());
        removal.letGo();
        world.advance(2 * LATE_MS);
        assertThat(rtc.removals(ROOM, "eve")).isEqualTo(2);
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.RTC_SILENCE_USER);
    }

    /** TIMER-1: one that takes longer than its claim is not done twice, and its row goes all the same. */
    @Test
    @Tag("TIMER-1")
    void aTaskThatTakesLongIsDoneOnce() {
        watchTimers(a);
        HeldCall removal = a.script.holdNext(Call.RTC);
        Answers.assertDone(a.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
        world.advance(35_000);
        assertThat(a.script.count(Call.RTC)).isEqualTo(1);
        removal.letGo();
        world.advance(LATE_MS);
        assertThat(rtc.removals(ROOM, "ben")).isEqualTo(1);
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.RTC_REMOVE_USER);
    }

    /** TIMER-1: what a node can do nothing about is in the way of nothing that it can. */
    @Test
    @Tag("TIMER-1")
    void manyTasksThatOnlyOthersCanDoKeepNoDeadlineWaiting() {
        world.rtc = Optional.empty();
        CellNode none = world.node("none");
        a.outcome(a.shard.release(ROOM));
        none.room(ROOM);
        for (int i = 0; i < 300; i++) {
            none.outcome(world.database
                    .timers()
                    .plan(new RoomTimer(ROOM, Kind.RTC_SILENCE_USER, "stranger-" + i), world.nowMs() - 1_000));
        }
        watchTimers(none);
        world.advance(Limits.PUBLISH_MS + LATE_MS);
        assertThat(seat(none)).isEqualTo(Status.IDLE);
    }

    /** An unban by a node that is told of no RTC forgives all the same. */
    @Test
    void aForgivenUserIsNotRemovedWhicheverNodeForgave() {
        Answers.assertDone(a.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
        a.outcome(a.shard.release(ROOM));
        world.rtc = Optional.empty();
        CellNode none = world.node("none");
        Answers.assertDone(none.ask(ROOM, "unban", new Moderation.UnbanUser(Wishes.OWNER, "ben")));
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.RTC_REMOVE_USER);
    }

    @Test
    void whereThereIsNoRtcNothingIsWrittenForIt() {
        world.rtc = Optional.empty();
        CellNode none = world.node("none");
        a.outcome(a.shard.release(ROOM));
        Answers.assertDone(none.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.RTC_REMOVE_USER);
    }
}
