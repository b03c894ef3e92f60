package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ImControl;
import dev.roomcell.port.TimerStore.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A room's IM group is told who may be heard in it, and of its end. */
@Tag("TIMER-1")
class ImTasksTest {
    /** A timer is seen at most so late, ms. */
    private static final long LATE_MS = 2_000;

    private final List<String> told = new ArrayList<>();
    private int failures;
    private final CellWorld world = new CellWorld();
    private final List<TimeoutWorker> workers = new ArrayList<>();
    private CellNode a;
    private CellNode b;

    @BeforeEach
    void start() {
        world.im = Optional.of(new Im());
        a = world.node("a");
        b = world.node("b");
        a.createWith(ROOM, "ben");
    }

    @AfterEach
    void stop() {
        workers.forEach(TimeoutWorker::stop);
    }

    private final class Im implements ImControl {
        private Future<Void> call(String what) {
            if (failures > 0) {
                failures--;
                return Future.failedFuture(new IllegalStateException("not now"));
            }
            told.add(what);
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> forbid(RoomKey key, String userId, long untilMs) {
            return call("forbid " + userId + " " + (untilMs == FOR_EVER_MS ? "for ever" : untilMs));
        }

        @Override
        public Future<Void> allow(RoomKey key, String userId) {
            return call("allow " + userId);
        }

        @Override
        public Future<Void> destroy(RoomKey key) {
            return call("destroy " + key.roomId());
        }
    }

    private void watchTimers(CellNode node) {
        workers.add(node.watchTimers(Limits.TTL_MS));
    }

    private long mute(String id, long ms) {
        long untilMs = world.nowMs() + ms;
        Answers.assertDone(a.ask(ROOM, id, new Moderation.MuteUser(Wishes.OWNER, "ben", ms)));
        return untilMs;
    }

    private void kick() {
        Answers.assertDone(a.ask(ROOM, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
    }

    private void unban() {
        Answers.assertDone(a.ask(ROOM, "unban", new Moderation.UnbanUser(Wishes.OWNER, "ben")));
    }

    @Test
    void whoIsMutedIsNotHeardUntilThen() {
        watchTimers(a);
        long untilMs = mute("mute", 60_000);
        assertThat(world.database.timers(ROOM)).containsKey(Kind.IM_FORBID_USER);
        world.advance(LATE_MS);
        assertThat(told).containsExactly("forbid ben " + untilMs);
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.IM_FORBID_USER);
        mute("unmute", 0);
        world.advance(LATE_MS);
        assertThat(told).endsWith("allow ben").hasSize(2);
    }

    @Test
    void whoIsKickedIsNotHeardBeforeTheBanIsOver() {
        watchTimers(a);
        kick();
        world.advance(LATE_MS);
        assertThat(told).containsExactly("forbid ben for ever");
        unban();
        world.advance(LATE_MS);
        assertThat(told).containsExactly("forbid ben for ever", "allow ben");
    }

    @Test
    void theEndOfABanIsNotTheEndOfAMute() {
        long untilMs = mute("mute", 600_000);
        kick();
        unban();
        watchTimers(a);
        world.advance(LATE_MS);
        assertThat(told).as("what is so in the end").containsExactly("forbid ben " + untilMs);
    }

    @Test
    void aTaskThatFailedIsTriedAgain() {
        watchTimers(a);
        failures = 3;
        kick();
        world.advance(20_000);
        assertThat(told).containsExactly("forbid ben for ever");
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.IM_FORBID_USER);
    }

    @Test
    void theNextOwnerTellsWhatTheDeadOneDidNot() {
        watchTimers(b);
        kick();
        a.loop.freeze();
        world.advance(2 * Limits.TTL_MS + LATE_MS);
        assertThat(told).containsExactly("forbid ben for ever");
    }

    @Test
    void aClosedRoomsGroupEndsOnceItsEndWasHeard() {
        watchTimers(a);
        kick();
        Answers.assertDone(a.ask(ROOM, "close", Wishes.close()));
        assertThat(world.database.timers(ROOM)).containsOnlyKeys(Kind.IM_DESTROY_GROUP);
        world.advance(ImTasks.GROUP_OUTLIVES_ROOM_MS - 1);
        assertThat(told).isEmpty();
        world.advance(LATE_MS);
        assertThat(told).containsExactly("destroy " + ROOM.roomId());
        assertThat(world.database.timers(ROOM)).isEmpty();
        world.advance(120_000);
        assertThat(told).hasSize(1);
    }

    @Test
    void withoutAGroupNothingIsWritten() {
        world.im = Optional.empty();
        CellNode alone = world.node("c");
        RoomKey room = CellWorld.OTHER_ROOM;
        alone.createWith(room, "ben");
        Answers.assertDone(alone.ask(room, "kick", new Moderation.KickUser(Wishes.OWNER, "ben")));
        assertThat(world.database.timers(room)).doesNotContainKey(Kind.IM_FORBID_USER);
        Answers.assertDone(alone.ask(room, "close", Wishes.close()));
        assertThat(world.database.timers(room)).isEmpty();
    }
}
