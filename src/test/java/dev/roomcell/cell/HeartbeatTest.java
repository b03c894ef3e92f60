package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Signs of life: cheap, in memory, and never lost while the room lives here. */
class HeartbeatTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    @BeforeEach
    void aRoomWithBen() {
        node.createWith(ROOM, "ben");
        world.advance(1_500);
        node.script.forget();
    }

    private long seenAtMs(String userId) {
        return node.room(ROOM).member(userId).orElseThrow().lastSeenAtMs();
    }

    private void heartbeat(String userId) {
        assertThat(node.outcome(node.shard.heartbeat(ROOM, userId, MicSign.SILENT)))
                .isInstanceOf(ReadAnswer.Found.class);
    }

    /** PRES-1, PRES-7. */
    @Test
    void aHeartbeatRefreshesTheUserAndCallsNobody() {
        RoomState before = node.room(ROOM);

        heartbeat("ben");

        assertThat(seenAtMs("ben")).isEqualTo(world.nowMs());
        assertThat(node.room(ROOM).version()).isEqualTo(before.version());
        assertThat(node.script.calls()).isEmpty();
        world.advance(400);
        assertThat(node.script.calls()).isEmpty();
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }

    /** PRES-2. */
    @Test
    void aHeartbeatNeverMakesAnybodyPresent() {
        heartbeat("cid");

        assertThat(node.present(ROOM)).containsExactly("ben");
    }

    /** PRES-2: not even if the user is about to be. */
    @Test
    void aHeartbeatDuringTheCommitOfTheUsersJoinRefreshesNobody() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        long joinedAtMs = world.nowMs();
        world.advance(100);
        heartbeat("cid");

        commit.letGo();
        world.run();

        Answers.assertDone(join);
        assertThat(seenAtMs("cid")).isEqualTo(joinedAtMs);
    }

    /** PRES-7. */
    @Test
    void aHeartbeatDuringACommitIsNotLost() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        world.advance(100);
        long atMs = world.nowMs();
        heartbeat("ben");
        world.advance(100);

        commit.letGo();
        world.run();

        Answers.assertDone(join);
        assertThat(seenAtMs("ben")).isEqualTo(atMs);
    }

    /** PRES-7. */
    @Test
    void aHeartbeatDuringACommitThatFailsIsNotLostEither() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        world.advance(100);
        long atMs = world.nowMs();
        heartbeat("ben");
        world.advance(100);

        commit.answerWith(new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "no connection"));
        world.run();

        Answers.assertRefused(join, Answer.Refusal.STORE_UNAVAILABLE);
        assertThat(seenAtMs("ben")).isEqualTo(atMs);
    }

    /** PRES-2, PRES-7: the commit in flight is the one that takes the user away. */
    @Test
    void aHeartbeatDuringTheCommitOfTheUsersLeaveBringsNobodyBack() {
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> leave = node.send(ROOM, "leave-ben", Wishes.leave("ben"));
        world.run();
        heartbeat("ben");

        commit.letGo();
        world.run();

        Answers.assertDone(leave);
        assertThat(node.present(ROOM)).isEmpty();
    }

    /** ROOM-3: everybody who was there goes on for a while, and each of them costs one look at the room's row. */
    @Test
    void aClosedRoomIsNotBroughtBackForWhoeverMayNotComeIn() {
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        node.script.forget();

        Answers.assertRejected(node.outcome(node.shard.heartbeat(ROOM, "ben", MicSign.SILENT)), Reason.ROOM_CLOSED);
        Answers.assertRejected(node.outcome(node.shard.readOpen(ROOM)), Reason.ROOM_CLOSED);
        assertThat(node.script.calls()).containsOnly(Call.FIND);

        assertThat(node.present(ROOM)).isEmpty();
    }

    /** PRES-1. */
    @Test
    void aSecondJoinRefreshesTheUserAndMakesNoVersion() {
        Answers.assertDone(node.ask(ROOM, "join-ben-again", Wishes.join("ben")));

        assertThat(seenAtMs("ben")).isEqualTo(world.nowMs());
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
        assertThat(world.database.outbox(ROOM)).hasSize(2);
    }

    /** PRES-1: whoever could not be answered gave no sign of life. */
    @Test
    void aSecondJoinThatIsRefusedRefreshesNobody() {
        long before = seenAtMs("ben");
        node.script.next(Call.VERIFY, PortScript.failed());

        Answers.assertRefused(node.ask(ROOM, "join-ben-again", Wishes.join("ben")), Answer.Refusal.STORE_UNAVAILABLE);

        assertThat(seenAtMs("ben")).isEqualTo(before);
    }

    /** PRES-7: in a snapshot a sign of life is a hint, and no more than one. */
    @Test
    void signsOfLifeOutliveTheCellAsAHintOnly() {
        world.advance(2_000);
        heartbeat("ben");
        long atMs = world.nowMs();
        node.outcome(node.shard.drain());
        CellNode b = world.node("b");

        assertThat(b.room(ROOM).member("ben").orElseThrow().lastSeenAtMs()).isEqualTo(atMs);
        CellWorld.assertSameRoom(b.room(ROOM), world.replayed(ROOM));
    }
}
