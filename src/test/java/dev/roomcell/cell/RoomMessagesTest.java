package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.LaneMeter.Drop;
import dev.roomcell.port.RoomMessenger.Message;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** LANE-2: what a room's clients are told of its commands, and that no command waits for it. */
class RoomMessagesTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** LANE-2, LANE-6, OUT-8. */
    @Test
    void clientsGetTheEventsOfEveryCommandAsTheOutboxHasThem() {
        node.createWith(ROOM, "ben", "cid");
        Answers.assertDone(node.ask(ROOM, "leave", Wishes.leave("ben")));
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));

        List<OutboxFields> outbox = world.database.outbox(ROOM);
        List<Message> got = node.groups.got();
        assertThat(got).hasSameSizeAs(outbox);
        for (int i = 0; i < got.size(); i++) {
            assertThat(got.get(i).version()).isEqualTo(outbox.get(i).version());
            assertThat(got.get(i).fact().index()).isEqualTo(outbox.get(i).fact().index());
            assertThat(got.get(i).fact().envelope())
                    .isEqualTo(outbox.get(i).fact().envelope());
        }
    }

    @Test
    void nothingIsToldBeforeTheCommit() {
        node.create(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> join = node.send(ROOM, "join", Wishes.join("ben"));
        world.run();
        assertThat(commit.arrived()).isTrue();
        assertThat(node.groups.seen(ROOM)).hasSize(1);

        commit.letGo();
        Answers.assertDone(node.outcome(join));
        assertThat(node.groups.seen(ROOM)).containsExactly("1:0 ROOM_CREATED", "2:0 ROOM_USER_JOINED");
    }

    @Test
    void aCommandThatIsNotCommittedIsNotTold() {
        node.create(ROOM);
        node.script.next(Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "down")));
        Answer refused = node.ask(ROOM, "join", Wishes.join("ben"));
        assertThat(refused).isInstanceOf(Answer.Refused.class);
        assertThat(node.ask(ROOM, "leave", Wishes.leave("nobody"))).isInstanceOf(Answer.Rejected.class);
        Answers.assertDone(node.ask(ROOM, "again", Wishes.join("cid")));
        assertThat(node.groups.seen(ROOM)).containsExactly("1:0 ROOM_CREATED", "2:0 ROOM_USER_JOINED");
    }

    /** CMD-7: a replay is history. */
    @Test
    void aRetryIsNotToldAgain() {
        node.createWith(ROOM, "ben");
        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), world.loggedResult(ROOM, "join-ben"));
        assertThat(node.groups.seen(ROOM)).hasSize(2);
    }

    /** LEASE-12. */
    @Test
    void aCommitWhoseAnswerWasLostIsToldOnceItIsKnown() {
        node.create(ROOM);
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(PortScript.UNKNOWN));
        Answers.assertDone(node.ask(ROOM, "join", Wishes.join("ben")));
        assertThat(node.groups.seen(ROOM)).containsExactly("1:0 ROOM_CREATED", "2:0 ROOM_USER_JOINED");
    }

    @Test
    void aSlowProviderHoldsNoCommand() {
        node.groups.hold();
        node.create(ROOM);
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            answers.add(node.send(ROOM, "join-" + i, Wishes.join("user-" + i)));
        }
        world.run();
        answers.forEach(answer -> Answers.assertDone(answer.result()));
        assertThat(node.groups.got()).hasSize(1);
        assertThat(node.groups.dropped(Drop.QUEUE_FULL)).isEqualTo(1_000 - DirectLane.Limits.USUAL.messagesOfARoom());
    }

    @Test
    void aProviderThatFailsFailsNoCommand() {
        node.groups.answer(message -> {
            throw new IllegalStateException("a bug");
        });
        node.createWith(ROOM, "ben", "cid");
        assertThat(node.present(ROOM)).containsExactly("ben", "cid");
        assertThat(node.groups.failed).isEqualTo(3);
    }

    @Test
    void whatWasCommittedIsStillToldWhenTheCellHasGone() {
        node.create(ROOM);
        node.groups.hold();
        Answers.assertDone(node.ask(ROOM, "join", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        world.run();
        assertThat(node.loadedRooms()).isZero();

        node.groups.letGo();
        world.run();
        assertThat(node.groups.seen(ROOM))
                .containsExactly("1:0 ROOM_CREATED", "2:0 ROOM_USER_JOINED", "3:0 ROOM_CLOSED");
    }

    /** LEASE-10. */
    @Test
    void aDrainWaitsForTheLastMessagesAfterTheLeasesAreReleased() {
        node.create(ROOM);
        node.groups.hold();
        Answers.assertDone(node.ask(ROOM, "join", Wishes.join("ben")));
        Future<Void> drained = node.shard.shutDown();
        world.run();
        assertThat(world.route(ROOM)).isEmpty();
        assertThat(drained.isComplete()).isFalse();
        node.groups.letGo();
        world.run();
        assertThat(drained.isComplete()).isTrue();
        assertThat(node.groups.seen(ROOM)).hasSize(2);
    }
}
