package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase.RoomFields;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A room comes to be. */
class CreateRoomTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** ROOM-1. */
    @Test
    void aCreatedRoomIsActiveAtVersionOne() {
        byte[] result = Answers.assertDone(node.ask(ROOM, "create", Wishes.create()));

        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.ACTIVE);
        assertThat(world.row(ROOM).version()).isEqualTo(1);
        assertThat(result).isEqualTo(CellWorld.CODEC.encodeResult(ROOM, new Lifecycle.Created(1, world.nowMs())));
        assertThat(node.room(ROOM).profile()).isEqualTo(Wishes.PROFILE);
    }

    /** ROOM-7. */
    @Test
    void theRowIsInsertedThenTheOutsidePartsAreMadeThenTheRoomIsCreated() {
        HeldCall prepare = node.script.holdNext(Call.PREPARE);
        Future<Answer> create = node.send(ROOM, "create", Wishes.create());
        world.run();
        assertThat(prepare.arrived()).isTrue();
        RoomFields row = world.row(ROOM);
        assertThat(row.status()).isEqualTo(Lifecycle.Status.CREATING);
        assertThat(row.version()).isZero();
        assertThat(world.database.timers(ROOM))
                .containsExactly(Map.entry(TimerStore.Kind.CREATE_LIMIT, world.nowMs() + 60_000));
        assertThat(world.log(ROOM)).isEmpty();
        Answers.assertWaiting(create);

        prepare.letGo();
        world.run();

        Answers.assertDone(create);
        assertThat(world.database.timers(ROOM)).isEmpty();
        assertThat(node.script.calls())
                .containsSubsequence(Call.FIND, Call.INSERT_CREATING, Call.MINT, Call.LOAD, Call.PREPARE, Call.COMMIT);
    }

    /** ROOM-1. */
    @Test
    void aRoomInCreationIsNotThereForClients() {
        HeldCall prepare = node.script.holdNext(Call.PREPARE);
        Future<Answer> create = node.send(ROOM, "create", Wishes.create());
        world.run();

        Answers.assertRejected(node.read(ROOM), Reason.ROOM_NOT_FOUND);
        Answers.assertRejected(node.outcome(node.shard.heartbeat(ROOM, "ann", MicSign.SILENT)), Reason.ROOM_NOT_FOUND);
        Answers.assertRejected(node.ask(ROOM, "join-ben", Wishes.join("ben")), Reason.ROOM_CREATING);
        world.advance(3_000);
        assertThat(world.database.listEntry(ROOM))
                .as("the line in the room list")
                .isEmpty();

        prepare.letGo();
        world.run();
        Answers.assertDone(create);
        assertThat(node.read(ROOM)).isInstanceOf(ReadAnswer.Found.class);
        assertThat(world.database.listEntry(ROOM))
                .as("the line in the room list")
                .isPresent();
    }

    /** ROOM-7. */
    @Test
    void theOutsidePartsAreMadeForTheCreationAndForNothingElse() {
        HeldCall prepare = node.script.holdNext(Call.PREPARE);
        Future<Answer> create = node.send(ROOM, "create", Wishes.create());
        world.run();
        Answers.assertRejected(node.ask(ROOM, "join-ben", Wishes.join("ben")), Reason.ROOM_CREATING);
        prepare.letGo();
        world.run();
        Answers.assertDone(create);
        Answers.assertRejected(node.ask(ROOM, "create-2", Wishes.create()), Reason.ROOM_EXISTS);

        assertThat(node.script.count(Call.PREPARE)).isEqualTo(1);
    }

    /** ROOM-7. */
    @Test
    void aRoomWhoseOutsidePartsFailIsTriedAgainUnderTheSameId() {
        node.script.next(Call.PREPARE, PortScript.failed());
        Answers.assertRefused(node.ask(ROOM, "create", Wishes.create()), Refusal.STORE_UNAVAILABLE);
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CREATING);

        Answers.assertDone(node.ask(ROOM, "create", Wishes.create()));
        assertThat(world.loggedIds(ROOM)).containsExactly("create");
    }

    /** ROOM-7. */
    @Test
    void anInsertWhoseAnswerIsLostDoesNotKeepTheRoomFromBeingCreated() {
        node.script.next(Call.INSERT_CREATING, PortScript.answerLost());
        Answers.assertRefused(node.ask(ROOM, "create", Wishes.create()), Refusal.STORE_UNAVAILABLE);

        Answers.assertDone(node.ask(ROOM, "create", Wishes.create()));
        assertThat(world.database.timers(ROOM)).isEmpty();
    }

    /** ROOM-7. */
    @Test
    void ofTwoNodesThatCreateTheSameRoomAtOnceOneWins() {
        CellNode b = world.node("b");
        node.announce("10.0.0.1:7000");
        b.announce("10.0.0.2:7000");
        Future<Answer> here = node.send(ROOM, "create-a", Wishes.create("by a"));
        Future<Answer> there = b.send(ROOM, "create-b", Wishes.create("by b"));
        world.run();

        List<Answer> answers = List.of(here.result(), there.result());
        assertThat(answers).filteredOn(Answer.Done.class::isInstance).hasSize(1);
        Answer.Refused refused = answers.stream()
                .flatMap(answer -> answer instanceof Answer.Refused no ? Stream.of(no) : Stream.empty())
                .findFirst()
                .orElseThrow();
        assertThat(refused.refusal()).isEqualTo(Refusal.NOT_OWNER);
        assertThat(world.log(ROOM)).hasSize(1);

        CellNode owner = refused.owner().orElseThrow().nodeId().equals("a") ? node : b;
        String losing = here.result() instanceof Answer.Done ? "create-b" : "create-a";
        Answers.assertRejected(
                owner.ask(ROOM, losing, Wishes.create(losing.equals("create-a") ? "by a" : "by b")),
                Reason.ROOM_EXISTS);
    }

    /** ROOM-7: whichever of the two inserted the row. */
    @Test
    void theNodeThatTakesTheLeaseCreatesTheRoomThoughTheOtherInsertedIt() {
        CellNode b = world.node("b");
        HeldCall find = b.script.holdNext(Call.FIND);
        Future<Answer> there = b.send(ROOM, "create", Wishes.create());
        world.run();
        HeldCall acquire = node.script.holdNext(Call.ACQUIRE);
        Future<Answer> here = node.send(ROOM, "create", Wishes.create());
        world.run();
        assertThat(acquire.arrived()).isTrue();

        find.letGo();
        world.run();
        acquire.letGo();
        world.run();

        Answers.assertDone(there);
        Answers.assertRefused(here, Refusal.NOT_OWNER);
        assertThat(world.log(ROOM)).hasSize(1);
    }

    /** ROOM-7: two callers of one node. */
    @Test
    void ofTwoCallersWhoCreateTheSameRoomAtOnceOneWins() {
        Future<Answer> first = node.send(ROOM, "create-1", Wishes.create());
        Future<Answer> second = node.send(ROOM, "create-2", Wishes.create());
        world.run();

        Answers.assertDone(first);
        Answers.assertRejected(second, Reason.ROOM_EXISTS);
    }

    /** ROOM-7. */
    @Test
    void aRoomThatNeverWasCostsNeitherLeaseNorCell() {
        Answers.assertRejected(node.ask(ROOM, "join-ben", Wishes.join("ben")), Reason.ROOM_NOT_FOUND);
        Answers.assertRejected(node.ask(ROOM, "close", Wishes.close()), Reason.ROOM_NOT_FOUND);
        Answers.assertRejected(node.read(ROOM), Reason.ROOM_NOT_FOUND);
        Answers.assertRejected(node.outcome(node.shard.heartbeat(ROOM, "ben", MicSign.SILENT)), Reason.ROOM_NOT_FOUND);

        assertThat(node.script.calls()).containsOnly(Call.FIND);
        assertThat(node.script.calls()).hasSize(4);
        assertThat(node.loadedRooms()).isZero();
        assertThat(world.database.rooms()).isEmpty();
    }

    /** ROOM-7: there is no negative cache. */
    @Test
    void aRoomThatAnotherNodeCreatedASecondAgoIsFound() {
        Answers.assertRejected(node.ask(ROOM, "join-ben", Wishes.join("ben")), Reason.ROOM_NOT_FOUND);
        CellNode b = world.node("b");
        b.create(ROOM);
        b.outcome(b.shard.drain());

        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
    }

    /** ROOM-7: a look that began before the question knows nothing of what the caller may know. */
    @Test
    void whoeverAsksWhileAnotherLookIsOnItsWayIsNotToldThatTheRoomIsNotThere() {
        CellNode other = world.node("b");
        HeldCall look = other.script.holdNext(Call.FIND);
        Future<Answer> before = other.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        assertThat(look.arrived()).isTrue();
        Answers.assertDone(node.ask(ROOM, "create", Wishes.create()));
        Future<Answer> after = other.send(ROOM, "join-cid", Wishes.join("cid"));
        Future<Answer> afterToo = other.send(ROOM, "join-dan", Wishes.join("dan"));
        world.run();

        look.answerWith(Optional.empty());
        world.run();

        Answers.assertRejected(before, Reason.ROOM_NOT_FOUND);
        Answers.assertRefused(after, Refusal.NOT_OWNER);
        Answers.assertRefused(afterToo, Refusal.NOT_OWNER);
        assertThat(other.script.count(Call.FIND)).isEqualTo(2);
    }
}
