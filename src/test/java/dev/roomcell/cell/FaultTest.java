package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.assertSameRoom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bug of ours in one place leaves nobody waiting, and no room with a memory that is not the log. */
class FaultTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    @BeforeEach
    void twoRooms() {
        node.create(ROOM);
        node.create(OTHER_ROOM);
    }

    private void assertBothRoomsGoOn() {
        Answers.assertDone(node.ask(ROOM, "join-zoe", Wishes.join("zoe")));
        Answers.assertDone(node.ask(OTHER_ROOM, "join-zoe", Wishes.join("zoe")));
        assertSameRoom(node.room(ROOM), world.replayed(ROOM));
        assertSameRoom(node.room(OTHER_ROOM), world.replayed(OTHER_ROOM));
    }

    @Test
    void aFaultWhileABatchIsDecidedCostsItsRoomTheCell() {
        node.clock.breakOnce();

        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.OUTCOME_UNKNOWN);

        assertThat(world.loggedIds(ROOM)).containsExactly("create");
        assertBothRoomsGoOn();
    }

    @Test
    void aFaultWhileAGroupIsVerifiedIsSettledLikeALostCommit() {
        node.script.next(Call.VERIFY, PortScript.thrown());
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> cid = node.send(OTHER_ROOM, "join-cid", Wishes.join("cid"));
        world.run();

        Answers.assertRefused(ben, Refusal.STORE_UNAVAILABLE);
        Answers.assertRefused(cid, Refusal.STORE_UNAVAILABLE);
        assertBothRoomsGoOn();
    }

    @Test
    void aFaultWhileAGroupIsCommittedIsSettledLikeALostCommit() {
        node.script.next(Call.COMMIT, PortScript.thrown());
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> cid = node.send(OTHER_ROOM, "join-cid", Wishes.join("cid"));
        world.run();

        Answers.assertRefused(ben, Refusal.STORE_UNAVAILABLE);
        Answers.assertRefused(cid, Refusal.STORE_UNAVAILABLE);
        assertBothRoomsGoOn();
    }

    @Test
    void aFaultWhileARoomIsLookedUpIsToldToItsCallers() {
        node.script.next(Call.FIND, PortScript.thrown());

        Answers.assertRefused(
                node.ask(CellWorld.THIRD_ROOM, "join-ben", Wishes.join("ben")), Refusal.STORE_UNAVAILABLE);

        node.create(CellWorld.THIRD_ROOM);
    }
}
